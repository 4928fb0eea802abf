import PolyclinicCore

/// The stored keys and revocation lists. They are in the database, so that all servers and backups
/// have them.
enum TrustTables {
  static let schema: [SQL] = [
    """
    CREATE TABLE vaccination_qr_keys (
      kid TEXT NOT NULL, public_key \(.bytes) NOT NULL, format TEXT NOT NULL,
      subject TEXT, issuer TEXT, country TEXT, not_before \(.integer), not_after \(.integer),
      PRIMARY KEY (kid, public_key)
    ) \(.strict)
    """,
    "CREATE INDEX vaccination_qr_keys_countries ON vaccination_qr_keys (country)",
    """
    CREATE TABLE vaccination_qr_revocations (
      kid TEXT NOT NULL PRIMARY KEY, counter \(.integer) NOT NULL, entries TEXT NOT NULL
    ) \(.strict)
    """,
  ]

  /// The reasons for which the tables contain no personal data, for `PersonalData`.
  static let impersonal = [
    "vaccination_qr_keys": "public keys of issuers",
    "vaccination_qr_revocations": "public lists of revoked cards",
  ]

  /// Stores a key, replacing the same one from an earlier file. Returns true for a new key.
  static func add(_ key: TrustedKey, in work: Work) throws -> Bool {
    let owner = key.certificate
    let replaced = try work.run(
      """
      DELETE FROM vaccination_qr_keys
      WHERE kid = \(key.id?.text ?? "") AND public_key = \(key.publicKey)
      """)
    try work.run(
      """
      INSERT INTO vaccination_qr_keys (
        kid, public_key, format, subject, issuer, country, not_before, not_after)
      VALUES (
        \(key.id?.text ?? ""), \(key.publicKey), \(key.format.rawValue), \(owner?.subject),
        \(owner?.issuer), \(owner?.country), \(owner?.notBefore), \(owner?.notAfter))
      """)
    return replaced == 0
  }

  /// Stores a list, replacing the earlier one. Returns false if the stored one is newer.
  static func add(_ list: RevocationList, in work: Work) throws -> Bool {
    let stored = try revocations(of: [list.key], in: work).first
    if let stored, stored.counter > list.counter { return false }
    try work.run("DELETE FROM vaccination_qr_revocations WHERE kid = \(list.key.text)")
    try work.run(
      """
      INSERT INTO vaccination_qr_revocations (kid, counter, entries)
      VALUES (\(list.key.text), \(list.counter), \(list.entries.joined(separator: "\n")))
      """)
    return true
  }

  /// Returns the keys that may have made one of the signatures: those with the id or country that
  /// a code names, and those without an id.
  static func candidates(for signed: [SignedContent], in work: Work) throws -> [TrustedKey] {
    var (ids, countries): ([String], [String]) = ([""], [])
    for content in signed {
      switch content.key {
      case .id(let id): ids.append(id.text)
      case .anyOf(let country): countries.append(country)
      case .unnamed: break
      }
    }
    return try work.rows(
      """
      SELECT kid, public_key, format, subject, issuer, country, not_before, not_after
      FROM vaccination_qr_keys WHERE kid IN \(list: ids) OR country IN \(list: countries)
      ORDER BY kid DESC, public_key
      """, read)
  }

  private static func read(_ row: Row) -> TrustedKey {
    let id = row.string(0)
    var key = TrustedKey(
      id: id.isEmpty ? nil : KeyID(id), publicKey: row.bytes(1), certificate: nil,
      format: TrustedKey.Format(rawValue: row.string(2)) ?? .publicKey)
    if let subject = row.optional(3, Row.string), let notBefore = row.optional(6, Row.instant),
      let notAfter = row.optional(7, Row.instant)
    {
      key.certificate = TrustedKey.Owner(
        subject: subject, issuer: row.string(4), country: row.optional(5, Row.string),
        notBefore: notBefore, notAfter: notAfter)
    }
    return key
  }

  /// Returns the stored revocation lists for the cards of these keys.
  static func revocations(of keys: [KeyID], in work: Work) throws -> [RevocationList] {
    if keys.isEmpty { return [] }
    return try work.rows(
      """
      SELECT kid, counter, entries FROM vaccination_qr_revocations
      WHERE kid IN \(list: keys.map(\.text))
      """
    ) { row in
      RevocationList(
        key: KeyID(row.string(0)), counter: Int64(row.int(1)),
        entries: row.string(2).split(separator: "\n").map(String.init))
    }
  }
}
