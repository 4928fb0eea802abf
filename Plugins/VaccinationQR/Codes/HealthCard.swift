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

  enum Entry: Sendable, Equatable {
    case immunization(Immunization)
    case observation(Observation)
  }

  struct Immunization: Sendable, Equatable {
    var codes: [Coding]
    var text: String?
    var status: String?
    var date: String?
    var lot: String?
    var performer: String?
  }

  struct Observation: Sendable, Equatable {
    var codes: [Coding]
    var text: String?
    var status: String?
    var date: String?
    var results: [Coding]
    var resultText: String?
    var performer: String?
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
      guard let inflated = Inflation.inflate(packed, .deflate) else { throw .compression }
      content = inflated
    }
    guard let payload = try? JSON(reading: content) else { throw .json }
    let signed = SignedContent(
      algorithm: header["alg"]?.string == "ES256" ? .es256 : nil,
      key: header["kid"]?.string.map { .id(KeyID($0)) } ?? .unnamed,
      content: Array(text[..<parts[1].endIndex]), signature: signature)
    try self.init(payload, signed)
  }

  private init(_ payload: JSON, _ signed: SignedContent) throws(CodeFault) {
    guard let credential = payload["vc"],
      let bundle = credential["credentialSubject"]?["fhirBundle"]
    else { throw .content }
    let resources = bundle["entry"]?.items.compactMap { $0["resource"] } ?? []
    self.signed = signed
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
    let performer = resource["performer"]?.items.first
    switch resource["resourceType"]?.string {
    case "Immunization":
      self = .immunization(
        HealthCard.Immunization(
          codes: HealthCard.codings(resource["vaccineCode"]),
          text: resource["vaccineCode"]?["text"]?.string, status: resource["status"]?.string,
          date: resource["occurrenceDateTime"]?.string ?? resource["occurrenceString"]?.string,
          lot: resource["lotNumber"]?.string, performer: performer?["actor"]?["display"]?.string))
    case "Observation":
      self = .observation(
        HealthCard.Observation(
          codes: HealthCard.codings(resource["code"]), text: resource["code"]?["text"]?.string,
          status: resource["status"]?.string,
          date: resource["effectiveDateTime"]?.string
            ?? resource["effectivePeriod"]?["start"]?.string,
          results: HealthCard.codings(resource["valueCodeableConcept"]),
          resultText: HealthCard.resultText(resource), performer: performer?["display"]?.string))
    default: return nil
    }
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

  fileprivate static func resultText(_ resource: JSON) -> String? {
    if let text = resource["valueString"]?.string { return text }
    if let quantity = resource["valueQuantity"], let value = quantity["value"]?.scalar {
      return [value, quantity["unit"]?.string].compactMap(\.self).joined(separator: " ")
    }
    return resource["valueCodeableConcept"]?["text"]?.string
  }
}
