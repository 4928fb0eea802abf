import PolyclinicCore

// FHIR R4: hl7.org/fhir/R4/immunization.html, observation.html, condition.html.

/// Helpers for the FHIR resources of certificates.
enum FHIR {
  /// Returns a code with its system and its English term.
  static func coding(_ system: String?, _ code: String, _ display: String?) -> JSON {
    object([
      ("system", system.map(JSON.string)), ("code", .string(code)),
      ("display", display.map(JSON.string)),
    ])
  }

  /// Returns a code with its system and the English term of a value set; nil without a code.
  static func coding(_ system: String, _ code: String?, in terms: [String: Term]) -> JSON? {
    code.map { coding(system, $0, terms[$0]?.english) }
  }

  static func concept(_ codings: [JSON], text: String?) -> JSON {
    // An empty object is invalid in FHIR.
    if codings.isEmpty, text == nil { return ["text": "unknown"] }
    return object([
      ("coding", codings.isEmpty ? nil : .array(codings)), ("text", text.map(JSON.string)),
    ])
  }

  /// Returns an object without the members that are nil.
  static func object(_ members: [(String, JSON?)]) -> JSON {
    .object(members.compactMap { name, value in value.map { JSON.Member(name, $0) } })
  }

  static func display(_ name: String?) -> JSON? { name.map { ["display": .string($0)] } }

  /// Returns the performer member of an Immunization.
  static func performer(_ name: String?) -> (String, JSON?) {
    ("performer", display(name).map { .array([["actor": $0]]) })
  }

  static func identifier(_ value: String?) -> JSON? {
    value.map { .array([["value": .string($0)]]) }
  }

  /// Returns a `dateTime`: a day, a month, a year, or a time with its offset. Returns nil for other
  /// text.
  static func dateTime(_ text: String?) -> JSON? {
    guard let text else { return nil }
    let digits = text.utf8.map { $0.isASCIIDigit ? UInt8(ascii: "9") : $0 }
    let isPart = ["9999", "9999-99"].contains { digits.elementsEqual($0.utf8) }
    if isPart || CalendarDate(text) != nil { return .string(text) }
    if let time = ZonedTime(text) { return .string(time.description) }
    return CalendarDate(String(text.prefix(10))).map { .string($0.description) }
  }

  /// Returns the occurrence member of an Immunization, as text if it is not a FHIR time.
  static func occurrence(_ text: String?) -> (String, JSON?) {
    if let time = dateTime(text) { return ("occurrenceDateTime", time) }
    return ("occurrenceString", .string(text ?? "unknown"))
  }

  /// Returns the status if FHIR defines it, otherwise nil.
  static func status(_ code: String?) -> String? {
    code.flatMap { ValueSets.statuses[$0] == nil ? nil : $0 }
  }

  /// Returns a `positiveInt`; nil for other numbers.
  static func positive(_ number: Int64?) -> JSON? {
    number.flatMap { $0 > 0 && $0 <= Int64(Int32.max) ? .integer($0) : nil }
  }
}

extension EuropeanCertificate {
  func fhir(id: String) -> [JSON] {
    zip(1..., entries).map { number, entry in
      let id = "\(id)-\(number)"
      return switch entry {
      case .vaccination(let one): one.immunization(id: id)
      case .test(let one): one.observation(id: id)
      case .recovery(let one): one.condition(id: id)
      }
    }
  }
}

extension EuropeanCertificate.Common {
  fileprivate var diseaseConcept: JSON? {
    FHIR.coding("http://snomed.info/sct", disease, in: ValueSets.diseases)
      .map { FHIR.concept([$0], text: nil) }
  }
}

extension EuropeanCertificate.Vaccination {
  fileprivate func immunization(id: String) -> JSON {
    let product = product.map { code in
      let register = "https://ec.europa.eu/health/documents/community-register/html/"
      let system = code.hasPrefix("EU/") ? register : "http://ec.europa.eu/temp/vaccineproductname"
      return FHIR.coding(system, code, ValueSets.products[code]?.english)
    }
    let vaccine = vaccine.map { code in
      // ATC codes begin with a letter, and SNOMED CT codes have only digits.
      let isSNOMED = code.utf8.allSatisfy(\.isASCIIDigit)
      let system = isSNOMED ? "http://snomed.info/sct" : "http://www.whocc.no/atc"
      return FHIR.coding(system, code, ValueSets.vaccines[code]?.english)
    }
    let text = self.product.flatMap { ValueSets.products[$0]?.english } ?? self.product
    let number = FHIR.positive(dose)
    let written = number == nil ? writtenDose : nil
    let protocolApplied = FHIR.object([
      ("targetDisease", common.diseaseConcept.map { .array([$0]) }),
      ("doseNumberPositiveInt", number), ("doseNumberString", written.map(JSON.string)),
      ("seriesDosesPositiveInt", FHIR.positive(doses)),
    ])
    return FHIR.object([
      ("resourceType", "Immunization"), ("id", .string(id)),
      ("identifier", FHIR.identifier(common.identifier)), ("status", "completed"),
      ("vaccineCode", FHIR.concept([vaccine, product].compactMap(\.self), text: text)),
      FHIR.occurrence(date), ("primarySource", false), ("manufacturer", manufacturer),
      FHIR.performer(common.issuer),
      // FHIR requires the dose number in this member.
      ("protocolApplied", number == nil && written == nil ? nil : .array([protocolApplied])),
    ])
  }

  private var manufacturer: JSON? {
    maker.map { code in
      let organisations = "https://spor.ema.europa.eu/v1/organisations"
      let system =
        code.hasPrefix("ORG-") ? organisations : "http://ec.europa.eu/temp/vaccinemanufacturer"
      return FHIR.object([
        ("identifier", ["system": .string(system), "value": .string(code)]),
        ("display", ValueSets.makers[code].map { .string($0.english) }),
      ])
    }
  }
}

extension EuropeanCertificate.Test {
  fileprivate func observation(id: String) -> JSON {
    let type = FHIR.coding("http://loinc.org", type, in: ValueSets.testTypes)
    let result = FHIR.coding("http://snomed.info/sct", result, in: ValueSets.results)
    return FHIR.object([
      ("resourceType", "Observation"), ("id", .string(id)),
      ("identifier", FHIR.identifier(common.identifier)), ("status", "final"),
      ("code", FHIR.concept([type].compactMap(\.self), text: name ?? "COVID-19 test")),
      ("effectiveDateTime", FHIR.dateTime(sampledAt)),
      ("performer", FHIR.display(centre ?? common.issuer).map { .array([$0]) }),
      ("valueCodeableConcept", result.map { FHIR.concept([$0], text: nil) }),
    ])
  }
}

extension EuropeanCertificate.Recovery {
  fileprivate func condition(id: String) -> JSON {
    let resolved = FHIR.coding(
      "http://terminology.hl7.org/CodeSystem/condition-clinical", "resolved", nil)
    let note = "Certificate of recovery from \(from ?? "?") to \(until ?? "?")"
    return FHIR.object([
      ("resourceType", "Condition"), ("id", .string(id)),
      ("identifier", FHIR.identifier(common.identifier)),
      ("clinicalStatus", FHIR.concept([resolved], text: nil)), ("code", common.diseaseConcept),
      ("onsetDateTime", FHIR.dateTime(firstPositive)),
      ("note", .array([["text": .string(note)]])),
    ])
  }
}
