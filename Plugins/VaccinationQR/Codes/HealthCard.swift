import PolyclinicCore

/// A SMART Health Card (spec.smarthealth.cards, 1.4.0).
struct HealthCard: DecodedCertificate, Equatable {
  /// The issuer's URL in the card. The portal does not fetch it.
  var issuer: String?
  var patient: Patient
  var entries: [Entry]
  var validity: Validity
  var revocationNumber: String?
  var signed: SignedContent

  struct Patient: Sendable, Equatable {
    var family: String?
    var given: String?
    var birthDate: String?
  }

  /// An Immunization or an Observation of the card's bundle.
  struct Entry: Sendable, Equatable {
    enum Kind: String, Sendable {
      case immunization = "Immunization"
      case observation = "Observation"
    }

    var kind: Kind
    var codes: [Coding]
    var text: String?
    var status: String?
    var date: String?
    var performer: String?
    /// The lot of a vaccine; nil for an Observation.
    var lot: String?
    /// The results of an Observation, also as text.
    var results: [Coding] = []
    var resultText: String?
  }

  /// A code of a FHIR code system.
  struct Coding: Sendable, Equatable {
    var system: String?
    var code: String
    var display: String?
  }
}

extension HealthCard {
  static let prefix = "shc:/"

  /// Decodes the digits after `shc:/`. Throws ``CodeFault``.
  init(reading digits: ArraySlice<UInt8>) throws(CodeFault) {
    guard let text = Self.text(of: digits) else { throw .digits }
    try self.init(signature: text)
  }

  /// Decodes pairs of digits. Each pair is a character's distance from "-".
  private static func text(of digits: ArraySlice<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2), digits.allSatisfy(\.isASCIIDigit) else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(digits.count / 2)
    var rest = digits
    while let tens = rest.popFirst(), let ones = rest.popFirst() {
      let value = (tens - UInt8(ascii: "0")) * 10 + ones - UInt8(ascii: "0")
      // At most "z", the last character of Base64url.
      guard value <= 77 else { return nil }
      text.append(value + 45)
    }
    return text
  }

  /// Reads a JSON Web Signature (RFC 7515) with a compressed payload.
  private init(signature text: [UInt8]) throws(CodeFault) {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = [UInt8](base64URL: parts[0]),
      let packed = [UInt8](base64URL: parts[1]), let signature = [UInt8](base64URL: parts[2])
    else { throw .jws }
    guard let header = try? JSON(reading: header) else { throw .json }
    var content = packed
    if header["zip"]?.string == "DEF" {
      guard let inflated = Compression.deflate.inflate(packed) else { throw .compression }
      content = inflated
    }
    guard let payload = try? JSON(reading: content) else { throw .json }
    signed = SignedContent(
      algorithm: header["alg"]?.string == "ES256" ? .es256 : nil,
      key: header["kid"]?.string.map { .id(KeyID($0)) } ?? .unnamed,
      content: Array(text[..<parts[1].endIndex]), signature: signature)
    guard let credential = payload["vc"],
      let bundle = credential["credentialSubject"]?["fhirBundle"]
    else { throw .content }
    let resources = bundle["entry"]?.items.compactMap { $0["resource"] } ?? []
    issuer = payload["iss"]?.string
    patient =
      resources.first { $0["resourceType"]?.string == "Patient" }.map(Patient.init) ?? Patient()
    entries = resources.compactMap(Entry.init)
    validity = Validity(
      from: payload["nbf"]?.instant.map(Validity.Moment.instant),
      until: payload["exp"]?.instant.map(Validity.Moment.instant))
    revocationNumber = credential["rid"]?.string
  }
}

extension HealthCard.Patient {
  fileprivate init(_ resource: JSON) {
    let name = resource["name"]?.items.first
    family = name?["family"]?.string ?? name?["text"]?.string
    let names = name?["given"]?.items.compactMap(\.string) ?? []
    given = names.isEmpty ? nil : names.joined(separator: " ")
    birthDate = resource["birthDate"]?.string
  }
}

extension HealthCard.Entry {
  /// Returns nil for resources of other types.
  fileprivate init?(_ resource: JSON) {
    guard let kind = resource["resourceType"]?.string.flatMap(Kind.init) else { return nil }
    self.kind = kind
    let concept = resource[kind == .immunization ? "vaccineCode" : "code"]
    codes = HealthCard.codings(concept)
    text = concept?["text"]?.string
    status = resource["status"]?.string
    let performer = resource["performer"]?.items.first
    switch kind {
    case .immunization:
      date = resource["occurrenceDateTime"]?.string ?? resource["occurrenceString"]?.string
      self.performer = performer?["actor"]?["display"]?.string
      lot = resource["lotNumber"]?.string
    case .observation:
      date =
        resource["effectiveDateTime"]?.string ?? resource["effectivePeriod"]?["start"]?.string
      self.performer = performer?["display"]?.string
      results = HealthCard.codings(resource["valueCodeableConcept"])
      resultText = Self.resultText(resource)
    }
  }

  private static func resultText(_ resource: JSON) -> String? {
    if let text = resource["valueString"]?.string { return text }
    if let quantity = resource["valueQuantity"], let value = quantity["value"]?.scalar {
      return [value, quantity["unit"]?.string].compactMap(\.self).joined(separator: " ")
    }
    return resource["valueCodeableConcept"]?["text"]?.string
  }
}

extension HealthCard {
  fileprivate static func codings(_ concept: JSON?) -> [Coding] {
    concept?["coding"]?.items.compactMap { coding in
      coding["code"]?.string.map {
        Coding(system: coding["system"]?.string, code: $0, display: coding["display"]?.string)
      }
    } ?? []
  }

  var sections: [StatementSection] {
    let person = StatementSection(
      "person",
      [
        .text("family-name", patient.family), .text("given-name", patient.given),
        .date("birth-date", patient.birthDate),
      ])
    let certificate = StatementSection("certificate", [.text("issuer", issuer)])
    return [person] + entries.map(\.section) + [certificate]
  }

  func fhir(id: String) -> [JSON] { zip(1..., entries).map { $1.resource(id: "\(id)-\($0)") } }
}

extension HealthCard.Entry {
  fileprivate var section: StatementSection {
    let isVaccination = kind == .immunization
    return StatementSection(
      isVaccination ? "vaccination" : "test",
      codes.map { $0.statement(isVaccination ? "vaccine-code" : "test-type") } + [
        .text(isVaccination ? "vaccine" : "test-name", text),
        .coded("status", status, ValueSets.statuses),
      ] + results.map { $0.statement("result") } + [
        .text("result", resultText), .date(isVaccination ? "vaccinated-on" : "sampled-at", date),
        .text("lot", lot), .text(isVaccination ? "place" : "test-centre", performer),
      ])
  }

  fileprivate func resource(id: String) -> JSON {
    let concept = FHIR.concept(codes.map(\.fhir), text: text)
    let status = FHIR.status(status)
    switch kind {
    case .immunization:
      return FHIR.object([
        ("resourceType", "Immunization"), ("id", .string(id)),
        ("status", .string(status ?? "completed")), ("vaccineCode", concept),
        FHIR.occurrence(date), ("primarySource", false), ("lotNumber", lot.map(JSON.string)),
        FHIR.performer(performer),
      ])
    case .observation:
      let hasResult = !results.isEmpty || resultText != nil
      return FHIR.object([
        ("resourceType", "Observation"), ("id", .string(id)),
        ("status", .string(status ?? "final")), ("code", concept),
        ("effectiveDateTime", FHIR.dateTime(date)),
        ("performer", FHIR.display(performer).map { .array([$0]) }),
        (
          "valueCodeableConcept",
          hasResult ? FHIR.concept(results.map(\.fhir), text: resultText) : nil
        ),
      ])
    }
  }
}

extension HealthCard.Coding {
  fileprivate var fhir: JSON { FHIR.coding(system, code, display) }

  /// Returns the code with the portal's term, or the card's own if the portal has none.
  fileprivate func statement(_ name: String) -> Statement {
    let known = ValueSets.bySystem[system ?? ""]?[code]
    return Statement(name, .coded(code, known ?? display.map { Term($0) }))
  }
}
