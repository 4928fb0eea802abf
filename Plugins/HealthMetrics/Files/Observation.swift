import PolyclinicCore

/// Measurements as FHIR R4 resources (hl7.org/fhir/R4/observation-vitalsigns.html), with LOINC
/// codes and UCUM units.
enum Observation {
  private static let loinc = "http://loinc.org"
  private static let ucum = "http://unitsofmeasure.org"

  /// Appends all weights of a person.
  @Sendable
  static func ofWeights(
    in work: Work, to resources: JSON.Writer
  ) throws {
    try Weight.records.forEach(in: work) { id, one in
      try resources.append(weight(one, id))
    }
  }

  /// Appends all readings of a person, each with its pulse as a resource of its own.
  @Sendable
  static func ofBloodPressure(
    in work: Work, to resources: JSON.Writer
  ) throws {
    try BloodPressure.records.forEach(in: work) { id, reading in
      try resources.append(bloodPressure(reading, id))
      if let pulse = pulse(of: reading, id) { try resources.append(pulse) }
    }
  }

  static func weight(_ weight: Weight, _ id: ID<Weight>) -> JSON {
    let code = weight.unit == .kg ? "kg" : "[lb_av]"
    return resource(
      "weight-\(id)", code: ("29463-7", "Body weight"), at: weight.measuredAt, note: weight.note,
      [.init("valueQuantity", quantity(weight.value ?? 0, weight.unit.rawValue, code))])
  }

  static func bloodPressure(_ reading: BloodPressure, _ id: ID<BloodPressure>) -> JSON {
    let parts: [JSON] = [
      component("8480-6", "Systolic blood pressure", reading.systolic),
      component("8462-4", "Diastolic blood pressure", reading.diastolic),
    ]
    let site: [JSON.Member] =
      BloodPressure.Arm(rawValue: reading.arm).map {
        [.init("bodySite", bodySite($0))]
      } ?? []
    return resource(
      "blood-pressure-\(id)", code: ("85354-9", "Blood pressure panel"), at: reading.measuredAt,
      note: reading.note, site + [.init("component", .array(parts))])
  }

  /// Returns the pulse of a reading as a resource, if it has one.
  private static func pulse(of reading: BloodPressure, _ id: ID<BloodPressure>) -> JSON? {
    guard let pulse = reading.pulse else { return nil }
    return resource(
      "heart-rate-\(id)", code: ("8867-4", "Heart rate"), at: reading.measuredAt, note: "",
      [.init("valueQuantity", quantity(Double(pulse), "beats/minute", "/min"))])
  }

  private static func resource(
    _ id: String, code: (String, String), at time: ZonedTime?, note: String,
    _ members: [JSON.Member]
  ) -> JSON {
    let category: JSON = [
      "coding": [
        [
          "system": "http://terminology.hl7.org/CodeSystem/observation-category",
          "code": "vital-signs", "display": "Vital Signs",
        ]
      ]
    ]
    var all: [JSON.Member] = [
      .init("resourceType", "Observation"), .init("id", .string(id)), .init("status", "final"),
      .init("category", .array([category])), .init("code", concept(loinc, code.0, code.1)),
    ]
    // The vital signs profile requires the patient, whose resource is part of the same export.
    all.append(.init("subject", ["reference": .string(PersonalData.patientReference)]))
    if let time { all.append(.init("effectiveDateTime", .string(time.description))) }
    all += members
    if !note.isEmpty {
      all.append(.init("note", .array([.object([.init("text", .string(note))])])))
    }
    return .object(all)
  }

  private static func component(_ code: String, _ name: String, _ value: Int?) -> JSON {
    [
      "code": concept(loinc, code, name),
      "valueQuantity": quantity(Double(value ?? 0), "mmHg", "mm[Hg]"),
    ]
  }

  private static func concept(_ system: String, _ code: String, _ name: String) -> JSON {
    [
      "coding": [
        ["system": .string(system), "code": .string(code), "display": .string(name)]
      ]
    ]
  }

  private static func quantity(_ value: Double, _ unit: String, _ code: String) -> JSON {
    let number: JSON =
      value == value.rounded() ? .integer(Int64(value)) : .number(value)
    return [
      "value": number, "unit": .string(unit), "system": .string(ucum), "code": .string(code),
    ]
  }

  /// Returns the SNOMED CT structure of the upper arm.
  private static func bodySite(_ arm: BloodPressure.Arm) -> JSON {
    arm == .left
      ? concept("http://snomed.info/sct", "368208006", "Left upper arm structure")
      : concept("http://snomed.info/sct", "368209003", "Right upper arm structure")
  }
}
