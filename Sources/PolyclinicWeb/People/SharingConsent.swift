import PolyclinicCore
import PolyclinicVault

/// The permission to read the records of a module until a time, which the person gives to a doctor,
/// as FHIR's `Consent` describes it. For the access log, which is a part of the account, it is given
/// to an administrator.
///
/// It is a row alone: the reader has no copy of a key, and nothing is left of it after its end but
/// the entries of the access log.
package struct SharingConsent: Sendable {
  package let person: ID<Person>
  package let reader: ID<Person>
  /// The module whose records are shown.
  package let module: ModuleID
  /// The reason for which the reader opens them: consent for a doctor, administration for an
  /// administrator.
  package let reason: AccessReason
  package let startsAt: Instant
  package let endsAt: Instant

  /// The most permissions that one person gives at one time.
  package static let most = 50
  /// The longest time for which one is given, because what is forgotten should end by itself.
  package static let longest: Seconds = .days(366)

  package init(
    person: ID<Person>, reader: ID<Person>, module: ModuleID, reason: AccessReason,
    startsAt: Instant, endsAt: Instant
  ) {
    (self.person, self.reader, self.module) = (person, reader, module)
    (self.reason, self.startsAt, self.endsAt) = (reason, startsAt, endsAt)
  }
}

extension SharingConsent {
  package static let schema: [SQL] = [
    """
    CREATE TABLE consents (
      person \(.person),
      reader \(.person),
      module TEXT NOT NULL,
      reason TEXT NOT NULL,
      starts_at \(.integer) NOT NULL,
      ends_at \(.integer) NOT NULL,
      seal \(.bytes) NOT NULL,
      PRIMARY KEY (person, reader, module)
    ) \(.strict)
    """,
    "CREATE INDEX consents_reader ON consents (reader)",
    "CREATE INDEX consents_ends_at ON consents (ends_at)",
  ]

  private static let columns: SQL = """
    person, reader, module, reason, starts_at, ends_at, seal
    """

  /// Throws ``AlteredRow`` if something other than the portal has changed the row.
  private init(_ row: Row, _ vault: Vault) throws {
    guard let module = ModuleID(row.string(2)), let reason = AccessReason(rawValue: row.string(3))
    else { throw AlteredRow(person: row.id(0), table: "consents") }
    self.init(
      person: row.id(0), reader: row.id(1), module: module, reason: reason,
      startsAt: row.instant(4), endsAt: row.instant(5))
    guard vault.accountSeal.code(of: self).isSame(as: row.bytes(6)) else {
      throw AlteredRow(person: person, table: "consents")
    }
  }

  /// Stores it in place of an earlier one for the same module and reader.
  package func save(_ vault: Vault, on connection: Connection) throws {
    try connection.run(
      """
      INSERT INTO consents (person, reader, module, reason, starts_at, ends_at, seal)
      VALUES (\(person), \(reader), \(module.rawValue), \(reason.rawValue), \(startsAt),
        \(endsAt), \(vault.accountSeal.code(of: self)))
      ON CONFLICT (person, reader, module) DO UPDATE
        SET reason = excluded.reason, starts_at = excluded.starts_at,
          ends_at = excluded.ends_at, seal = excluded.seal
      """)
  }

  /// Removes it, so that the reader can open nothing from now on.
  package func withdraw(on connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM consents
      WHERE person = \(person) AND reader = \(reader) AND module = \(module.rawValue)
      """)
  }

  /// Removes those that have ended.
  package static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM consents WHERE ends_at <= \(now)")
  }

  /// Returns those that a person has given and that hold at the time of the work, the first to end
  /// first.
  package static func all(
    from person: ID<Person>, _ vault: Vault, in work: Work
  ) throws -> [SharingConsent] {
    try all("person = \(person)", vault, in: work)
  }

  /// Returns those that hold for a reader at the time of the work, the first to end first.
  package static func all(
    to reader: ID<Person>, _ vault: Vault, in work: Work
  ) throws -> [SharingConsent] {
    try all("reader = \(reader)", vault, in: work)
  }

  private static func all(
    _ condition: SQL, _ vault: Vault, in work: Work
  ) throws -> [SharingConsent] {
    try work.rows(
      """
      SELECT \(columns) FROM consents WHERE \(condition) AND ends_at > \(work.now)
      ORDER BY ends_at, person, reader, module
      """
    ) { try SharingConsent($0, vault) }
  }

  /// Returns those of one person that hold for a visitor with the role that each needs.
  static func all(
    from person: ID<Person>, to visitor: Visitor, _ vault: Vault, in work: Work
  ) throws -> [SharingConsent] {
    try all(from: person, vault, in: work).filter {
      $0.reader == visitor.person && visitor.roles.contains($0.reason.role)
    }
  }
}
