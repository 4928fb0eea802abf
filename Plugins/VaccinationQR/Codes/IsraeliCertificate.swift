import Foundation
import PolyclinicCore

/// Israel's first format (github.com/MohGovIL/Ramzor, README, "Minimal Dataset"): a signature in
/// Base64, `#`, and the signed JSON.
struct IsraeliCertificate: DecodedCertificate, Equatable {
  /// The members of the JSON, in their order.
  var members: [JSON.Member]
  var signed: SignedContent

  let revocationNumber: String? = nil

  /// A vaccination, from a member `d1`, `d2` and so on.
  struct Dose: Sendable, Equatable {
    var date: String?
    var maker: String?
    var vaccine: String?
    var lot: String?
    /// The CVX code.
    var code: String?
    var place: String?
    var localPlace: String?
    /// The ISO 3166 code of three letters.
    var country: String?
  }
}

extension IsraeliCertificate {
  /// True if the text is Base64 of a signature's length, `#`, and the beginning of an object.
  static func matches(_ payload: [UInt8]) -> Bool {
    guard let mark = payload.firstIndex(of: UInt8(ascii: "#")), (80...700).contains(mark),
      mark + 1 < payload.count, payload[mark + 1] == UInt8(ascii: "{")
    else { return false }
    return payload[..<mark].allSatisfy {
      $0.isASCIILetterOrDigit || "+/=".utf8.contains($0)
    }
  }

  /// Decodes a payload for which ``matches(_:)`` is true. Throws ``CodeFault``.
  init(reading payload: [UInt8]) throws(CodeFault) {
    let parts = payload.split(separator: UInt8(ascii: "#"), maxSplits: 1)
    guard parts.count == 2, let signature = Data(base64Encoded: Data(parts[0])) else {
      throw .content
    }
    let content = Array(parts[1])
    guard let json = try? JSON(reading: content), case .object(let members) = json else {
      throw .json
    }
    guard json["id"]?.string != nil, json["g"] != nil || json["gl"] != nil else { throw .content }
    self.members = members
    signed = SignedContent(
      algorithm: .israeli, key: .anyOf(country: "IL"), content: content,
      signature: Array(signature))
  }

  private func text(_ name: String) -> String? { JSON.object(members)[name]?.scalar }

  /// Reads a day. Some days are followed by a time.
  private func day(_ name: String) -> CalendarDate? {
    text(name).flatMap { CalendarDate(String($0.prefix(10))) }
  }

  var validity: Validity {
    Validity(from: day("a").map(Validity.Moment.day), until: day("e").map(Validity.Moment.day))
  }

  var doses: [Dose] {
    members.compactMap { member in
      guard Self.isDose(member.name), case .object = member.value else { return nil }
      let dose = member.value
      return Dose(
        date: dose["d"]?.scalar, maker: dose["vv"]?.scalar, vaccine: dose["vt"]?.scalar,
        lot: dose["vb"]?.scalar, code: dose["vc"]?.scalar, place: dose["o"]?.scalar,
        localPlace: dose["ol"]?.scalar, country: dose["c"]?.scalar)
    }
  }

  private static func isDose(_ name: String) -> Bool {
    name.hasPrefix("d") && name.utf8.count == 2 && name.utf8.last?.isASCIIDigit == true
  }

  /// The members that ``sections`` shows with a label. It shows other members with their names.
  private static let documented: Set<String> = [
    "id", "et", "c", "ct", "cn", "fn", "g", "f", "gl", "fl", "idl", "idp", "b", "e", "a", "ps",
  ]

  var sections: [StatementSection] {
    let person = StatementSection(
      "person",
      [
        .text("family-name", text("f")), .text("given-name", text("g")),
        .text("local-family-name", text("fl")), .text("local-given-name", text("gl")),
        .date("birth-date", text("b")), .text("identity-number", text("idl")),
        .text("passport-number", text("idp")),
      ])
    let others = members.filter { !Self.documented.contains($0.name) && !Self.isDose($0.name) }
    let certificate = StatementSection(
      "certificate",
      [
        .coded("certificate-type", text("ct"), ValueSets.israeliTypes), .text("status", text("ps")),
        .text("issuer", text("c")), .text("identifier", text("id")),
      ]
        + others.map { member in
          member.value.scalar.map { Statement("other", .text($0), undocumented: member.name) }
        })
    return [person] + zip(Int64(1)..., doses).map { $1.section(number: $0) } + [certificate]
  }

  func fhir(id: String) -> [JSON] {
    zip(Int64(1)..., doses).map { number, dose in
      let code = FHIR.coding("http://hl7.org/fhir/sid/cvx", dose.code, in: ValueSets.cvx)
      return FHIR.object([
        ("resourceType", "Immunization"), ("id", .string("\(id)-\(number)")),
        ("status", "completed"),
        ("vaccineCode", FHIR.concept([code].compactMap(\.self), text: dose.vaccine)),
        FHIR.occurrence(dose.date), ("primarySource", false),
        ("manufacturer", FHIR.display(dose.maker)), ("lotNumber", dose.lot.map(JSON.string)),
        FHIR.performer(dose.place),
        ("protocolApplied", .array([["doseNumberPositiveInt": .integer(number)]])),
      ])
    }
  }
}

extension IsraeliCertificate.Dose {
  fileprivate func section(number: Int64) -> StatementSection {
    StatementSection(
      "vaccination",
      [
        Statement("dose", .dose(number, of: nil)),
        .coded("vaccine-code", code, ValueSets.cvx),
        .text("vaccine", vaccine), .text("maker", maker), .text("lot", lot),
        .date("vaccinated-on", date), .text("place", place), .text("local-place", localPlace),
        .text("country", country),
      ])
  }
}
