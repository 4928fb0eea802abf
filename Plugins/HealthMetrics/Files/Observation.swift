import PolyclinicCore

/// A measurement as a FHIR R4 resource (hl7.org/fhir/R4/observation-vitalsigns.html), with LOINC
/// codes and UCUM units.
struct Observation {
  private let id: String
  private let code: (String, String)
  private let time: ZonedTime?
  private var note = ""
  /// The values, and what else the kind of measurement has.
  private let members: [JSON.Member]

  /// The weight.
  init(_ weight: Weight, _ id: ID<Weight>) {
    self.id = "weight-\(id)"
    code = ("29463-7", "Body weight")
    (time, note) = (weight.measuredAt, weight.note)
    let unit = weight.unit == .kg ? "kg" : "[lb_av]"
    members = [
      .init("valueQuantity", Self.quantity(weight.value ?? 0, weight.unit.rawValue, unit))
    ]
  }

  /// The reading, without its pulse.
  init(_ reading: BloodPressure, _ id: ID<BloodPressure>) {
    self.id = "blood-pressure-\(id)"
    code = ("85354-9", "Blood pressure panel")
    (time, note) = (reading.measuredAt, reading.note)
    let parts: [JSON] = [
      Self.component("8480-6", "Systolic blood pressure", reading.systolic),
      Self.component("8462-4", "Diastolic blood pressure", reading.diastolic),
    ]
    let arm = BloodPressure.Arm(rawValue: reading.arm)
    let site = arm.map { [JSON.Member("bodySite", Self.bodySite($0))] } ?? []
    members = site + [.init("component", .array(parts))]
  }

  /// The pulse of a reading, if it has one.
  init?(pulseOf reading: BloodPressure, _ id: ID<BloodPressure>) {
    guard let pulse = reading.pulse else { return nil }
    self.id = "heart-rate-\(id)"
    code = ("8867-4", "Heart rate")
    time = reading.measuredAt
    members = [.init("valueQuantity", Self.quantity(Double(pulse), "beats/minute", "/min"))]
  }

  /// The resource.
  var json: JSON {
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
      .init("category", .array([category])),
      .init("code", Self.concept(Self.loinc, code.0, code.1)),
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
}

extension Observation {
  private static let loinc = "http://loinc.org"
  private static let ucum = "http://unitsofmeasure.org"

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

extension Weight {
  /// Appends all weights of a person.
  @Sendable
  static func appendObservations(in work: Work, to resources: JSON.Writer) throws {
    try records.forEach(in: work) { id, one in
      try resources.append(Observation(one, id).json)
    }
  }
}

extension BloodPressure {
  /// Appends all readings of a person, each with its pulse as a resource of its own.
  @Sendable
  static func appendObservations(in work: Work, to resources: JSON.Writer) throws {
    try records.forEach(in: work) { id, reading in
      try resources.append(Observation(reading, id).json)
      if let pulse = Observation(pulseOf: reading, id) { try resources.append(pulse.json) }
    }
  }
}
