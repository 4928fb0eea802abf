import PolyclinicCore

/// The SMART Health Cards that an issuer has revoked (spec.smarthealth.cards, "Revocation").
struct RevocationList: Sendable, Equatable {
  /// The key that signed the cards.
  let key: KeyID
  /// The version counter of the list.
  let counter: Int64
  let entries: [String]
}

extension RevocationList {
  /// Reads `/.well-known/crl/{kid}.json`. Returns nil for anything else.
  init?(_ json: JSON) {
    guard let key = json["kid"]?.string, json["method"]?.string ?? "rid" == "rid",
      let counter = json["ctr"]?.scalar.flatMap(Int64.init), case .array(let list)? = json["rids"]
    else { return nil }
    let entries = list.compactMap(\.string)
    guard entries.count == list.count, entries.allSatisfy(Self.isEntry) else { return nil }
    self.init(key: KeyID(key), counter: counter, entries: entries)
  }

  /// True for Base64url of at most 24 characters, optionally followed by a point and a time.
  private static func isEntry(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let number = parts.first, (1...24).contains(number.utf8.count) else { return false }
    return parts.count == 1 || (parts.count == 2 && Int64(parts[1]) != nil)
  }

  /// Returns true if the list revokes the card. An entry with a time applies only to cards signed
  /// before it.
  func revokes(_ number: String, signedAt: Instant?) -> Bool {
    entries.contains { entry in
      let parts = entry.split(separator: ".")
      guard let first = parts.first, first.isIdentical(to: number) else { return false }
      guard parts.count == 2, let time = Int64(parts[1]) else { return true }
      return signedAt.map { $0 < Instant(time) } ?? true
    }
  }
}

/// The stored lists.
extension RevocationList {
  static let schema: [SQL] = [
    """
    CREATE TABLE vaccination_qr_revocations (
      kid TEXT NOT NULL PRIMARY KEY, counter \(.integer) NOT NULL, entries TEXT NOT NULL
    ) \(.strict)
    """
  ]

  /// Stores the list, replacing the earlier one. Returns false if the stored one is newer.
  func store(in work: Work) throws -> Bool {
    let stored = try Self.find([key], in: work).first
    if let stored, stored.counter > counter { return false }
    try work.run("DELETE FROM vaccination_qr_revocations WHERE kid = \(key.text)")
    try work.run(
      """
      INSERT INTO vaccination_qr_revocations (kid, counter, entries)
      VALUES (\(key.text), \(counter), \(entries.joined(separator: "\n")))
      """)
    return true
  }

  /// Returns the stored revocation lists for the cards of these keys.
  static func find(_ keys: [KeyID], in work: Work) throws -> [RevocationList] {
    if keys.isEmpty { return [] }
    return try work.rows(
      """
      SELECT kid, counter, entries FROM vaccination_qr_revocations
      WHERE kid IN \(list: keys.map(\.text)) ORDER BY kid
      """
    ) { row in
      RevocationList(
        key: KeyID(row.string(0)), counter: Int64(row.int(1)),
        entries: row.string(2).split(separator: "\n").map(String.init))
    }
  }
}
