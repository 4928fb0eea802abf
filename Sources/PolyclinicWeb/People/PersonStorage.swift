import PolyclinicCore
import PolyclinicStore
import PolyclinicVault
import Synchronization

/// Enforces the storage quota of each person, so that nobody can fill the disk.
///
/// A running total in the person's row grows with each transaction. It only ever overestimates,
/// because replaced and deleted rows are not subtracted. When it passes the quota, the person's
/// rows are counted and the exact total replaces it.
package final class PersonStorage: Sendable {
  /// The most that one person may store, unless the configuration says otherwise: 50 MB.
  package static let defaultQuota = Connection.StorageUse(bytes: 50 << 20, records: 200_000)
  package let quota: Connection.StorageUse
  private let tables: PersonalTables
  /// Limits how often rows are counted, because a count blocks all other writers. A count takes a
  /// tenth of a second for a person at the quota.
  private let counts = Mutex(RateLimit<ID<Person>>(mostCounts, per: countingSpan))

  /// Enough for a person near the quota who deletes one record after another.
  static let mostCounts = 10
  static let countingSpan = Seconds.seconds(20)

  /// Finds among the database's tables those that hold personal data.
  package init(quota: Connection.StorageUse, _ tables: [StoredTable]) {
    self.quota = quota
    self.tables = PersonalTables(among: tables)
  }

  /// Returns the storage that the person's data takes: an exact count, or the running total if it
  /// was counted too often recently.
  package func use(
    of person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> Connection.StorageUse {
    if wait(for: person, at: now) != nil, let total = try total(of: person, on: connection) {
      return total
    }
    return try tables.use(of: person, on: connection)
  }

  /// Adds the bytes and rows that a transaction wrote to the person's total, which it has read
  /// before.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the person would exceed the quota, unless the total has not
  /// grown: a person over the quota can still change and delete records. Throws
  /// ``Refusal/tooMany(retryAfter:)`` if an exact count is needed and `wait` returns a time: that of
  /// ``wait(for:at:)``, which the request asks for once.
  func charge(
    _ written: Connection.StorageUse, to person: ID<Person>, using used: Connection.StorageUse?,
    in work: Work, wait: () -> Seconds?
  ) throws {
    if written == Connection.StorageUse() { return }
    if let used, (used + written).fits(in: quota) {
      return try add(written, to: person, on: work)
    }
    if let wait = wait() { throw Refusal.tooMany(retryAfter: wait) }
    let counted = try tables.use(of: person, on: work)
    guard counted.fits(in: quota) || used.map({ counted.fits(in: $0) }) == true else {
      throw Refusal.conflict(refusal)
    }
    try set(counted, of: person, on: work)
  }

  /// Counts an exact count. Returns the time that the person must wait for it; nil if it may be made
  /// now.
  func wait(for person: ID<Person>, at now: Instant) -> Seconds? {
    counts.withLock { $0.take(person, at: now) }
  }

  private var refusal: Text {
    Text(
      "storage.full",
      ["limit": String(max(1, quota.bytes >> 20)), "records": String(quota.records)])
  }

  private func total(
    of person: ID<Person>, on connection: Connection
  ) throws -> Connection.StorageUse? {
    try connection.row(
      """
      SELECT stored_bytes, stored_records FROM people
      WHERE id_person = \(person) AND stored_bytes IS NOT NULL
      """
    ) { Connection.StorageUse(bytes: $0.int(0), records: $0.int(1)) }
  }

  private func add(
    _ written: Connection.StorageUse, to person: ID<Person>, on connection: Connection
  ) throws {
    try connection.run(
      """
      UPDATE people SET stored_bytes = stored_bytes + \(written.bytes),
        stored_records = stored_records + \(written.records)
      WHERE id_person = \(person)
      """)
  }

  private func set(
    _ total: Connection.StorageUse, of person: ID<Person>, on connection: Connection
  ) throws {
    try connection.run(
      """
      UPDATE people SET stored_bytes = \(total.bytes), stored_records = \(total.records)
      WHERE id_person = \(person)
      """)
  }
}
