import PolyclinicCore

extension HealthCard {
  func fhir(id: String) -> [JSON] {
    entries.enumerated().map { index, entry in
      let id = "\(id)-\(index + 1)"
      return switch entry {
      case .immunization(let one): one.resource(id: id)
      case .observation(let one): one.resource(id: id)
      }
    }
  }
}

extension HealthCard.Coding {
  fileprivate var fhir: JSON { FHIR.coding(system, code, display) }
}

extension HealthCard.Immunization {
  fileprivate func resource(id: String) -> JSON {
    FHIR.object([
      ("resourceType", "Immunization"), ("id", .string(id)),
      ("status", .string(FHIR.status(status) ?? "completed")),
      ("vaccineCode", FHIR.concept(codes.map(\.fhir), text: text)),
      FHIR.occurrence(date), ("primarySource", false), ("lotNumber", lot.map(JSON.string)),
      ("performer", FHIR.display(performer).map { .array([["actor": $0]]) }),
    ])
  }
}

extension HealthCard.Observation {
  fileprivate func resource(id: String) -> JSON {
    let result: JSON? =
      results.isEmpty && resultText == nil
      ? nil : FHIR.concept(results.map(\.fhir), text: resultText)
    return FHIR.object([
      ("resourceType", "Observation"), ("id", .string(id)),
      ("status", .string(FHIR.status(status) ?? "final")),
      ("code", FHIR.concept(codes.map(\.fhir), text: text)),
      ("effectiveDateTime", FHIR.dateTime(date)),
      ("performer", FHIR.display(performer).map { .array([$0]) }),
      ("valueCodeableConcept", result),
    ])
  }
}

extension IsraeliCertificate {
  func fhir(id: String) -> [JSON] {
    doses.enumerated().map { index, dose in
      let code = dose.code.map {
        FHIR.coding("http://hl7.org/fhir/sid/cvx", $0, ValueSets.cvx[$0]?.english)
      }
      return FHIR.object([
        ("resourceType", "Immunization"), ("id", .string("\(id)-\(index + 1)")),
        ("status", "completed"),
        ("vaccineCode", FHIR.concept([code].compactMap(\.self), text: dose.vaccine)),
        FHIR.occurrence(dose.date), ("primarySource", false),
        ("manufacturer", FHIR.display(dose.maker)), ("lotNumber", dose.lot.map(JSON.string)),
        ("performer", FHIR.display(dose.place).map { .array([["actor": $0]]) }),
        ("protocolApplied", .array([["doseNumberPositiveInt": .integer(Int64(index + 1))]])),
      ])
    }
  }
}
