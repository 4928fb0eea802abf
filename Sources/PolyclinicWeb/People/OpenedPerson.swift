import PolyclinicCore
import PolyclinicVault

/// A person whose pages the visitor may open now, as a guardian or as a reader, with the keys. They
/// come from the person's own row: nobody else has a copy of any.
package struct OpenedPerson: Sendable {
  package let keys: Keys
  package let inCare: PersonInCare
  /// True for a child whose age leaves the visitor fewer rights.
  let isLimitedByAge: Bool
  /// The things that the person's access log says the visitor has viewed in the present hour, one
  /// on a line.
  private let viewed: String

  /// True if the person's access log says that the visitor has viewed the thing in this hour.
  func isLogged(_ viewed: Text) -> Bool {
    let column = AccessLog.column(of: viewed).utf8
    return self.viewed.utf8.split(separator: UInt8(ascii: "\n")).contains {
      $0.elementsEqual(column)
    }
  }

  /// The columns of a person's keys and name, and of the things that `viewer` has viewed in this
  /// hour.
  private static func columns(viewer: SQL, at now: Instant) -> SQL {
    """
    wrapped_key, erasure_id, sealed_name,
      (SELECT \(sqlite: "group_concat(viewed, char(10))", postgresql: "string_agg(viewed, chr(10))")
        FROM access_log WHERE access_log.person = id_person AND author = \(viewer)
          AND at = \(AccessLog.hour(of: now)) AND count > 0)
    """
  }

  private init(
    _ row: Row, from column: Int, _ person: ID<Person>, _ rights: PersonInCare.Rights,
    isLimitedByAge: Bool, by keyCache: KeyCache
  ) throws {
    let known = try keyCache.known(
      person, wrapped: row.bytes(column), erasureID: row.bytes(column + 1))
    keys = known.keys
    inCare = PersonInCare(
      person: person, name: try known.name(row.sealed(column + 2)), rights: rights)
    self.isLimitedByAge = isLimitedByAge
    viewed = row.isNull(column + 3) ? "" : row.string(column + 3)
  }

  /// Returns the people for whom a guardian may act at the time of the work, in the order in which
  /// it began.
  static func all(
    of guardian: ID<Person>, by keyCache: KeyCache, in work: Work
  ) throws -> [OpenedPerson] {
    try work.rows(
      """
      SELECT \(Guardianship.columns), \(columns(viewer: "guardian", at: work.now))
      FROM guardianships JOIN people ON id_person = guardianships.person
        JOIN profiles ON profiles.person = guardianships.person
      WHERE guardian = \(guardian) AND guardianships.state = 'active'
      ORDER BY starts_at, guardianships.person
      """
    ) { row -> OpenedPerson? in
      let guardianship = try Guardianship(row, keyCache.vault)
      return try guardianship.scope(at: work.now).map {
        try OpenedPerson(
          row, from: Guardianship.columnCount, guardianship.person, .guardian($0),
          isLimitedByAge: guardianship.isLimitedByAge(at: work.now), by: keyCache)
      }
    }.compactMap(\.self)
  }

  /// Returns a person who shows the visitor the records of modules; nil if the person shows none.
  static func find(
    _ person: ID<Person>, shownTo visitor: Visitor, by keyCache: KeyCache, in work: Work
  ) throws -> OpenedPerson? {
    let consents = try SharingConsent.all(from: person, to: visitor, keyCache.vault, in: work)
    if consents.isEmpty { return nil }
    let reasons = Dictionary(
      consents.map { ($0.module, $0.reason) }, uniquingKeysWith: { one, _ in one })
    return try work.row(
      """
      SELECT \(columns(viewer: "\(visitor.person)", at: work.now))
      FROM people JOIN profiles ON profiles.person = id_person WHERE id_person = \(person)
      """
    ) {
      try OpenedPerson(
        $0, from: 0, person, .reader(reasons), isLimitedByAge: false, by: keyCache)
    }
  }

  /// Returns the storage use of the person in the transaction of a change; nil if it was not counted
  /// yet. Nobody ends the guardianship until the end of the transaction.
  ///
  /// Throws ``Refusal/notFound`` if it has ended since the request arrived, or allows less, and for
  /// a reader, who changes nothing.
  func confirm(
    of guardian: ID<Person>, _ vault: Vault, in work: Work
  ) throws -> Connection.StorageUse? {
    guard case .guardian(let opened) = inCare.rights else { throw Refusal.notFound }
    let found = try work.row(
      """
      SELECT \(Guardianship.columns), stored_bytes, stored_records
      FROM guardianships JOIN people ON id_person = guardianships.person
      WHERE guardianships.person = \(keys.person) AND guardian = \(guardian)
      \(sqlite: "", postgresql: "FOR SHARE OF guardianships")
      """
    ) { row -> (GuardianScope?, Connection.StorageUse?) in
      let next = Guardianship.columnCount
      let stored =
        row.isNull(next)
        ? nil : Connection.StorageUse(bytes: row.int(next), records: row.int(next + 1))
      return (try Guardianship(row, vault).scope(at: work.now), stored)
    }
    guard let (scope, stored) = found, let scope, scope >= opened else { throw Refusal.notFound }
    return stored
  }
}
