import PolyclinicCore
import PolyclinicStore
import Synchronization

/// Keeps each person within the storage that one person may take, so that nobody fills the disk.
///
/// A running total stands in the person's own row and grows with whatever the person's transactions
/// write. It only ever overestimates, because nothing is subtracted for what is replaced or deleted. When
/// it passes the quota, the person's rows are counted, and the exact total takes its place.
final class PersonStorage: Sendable {
  static let migration = Migration(
    "0014-storage",
    // NULL until the person's rows were counted for the first time.
    "ALTER TABLE people ADD COLUMN stored_bytes \(.integer)",
    "ALTER TABLE people ADD COLUMN stored_records \(.integer)")

  /// The most that one person may store.
  let quota: StorageUse
  private let tables: PersonalTables
  /// Everybody else who writes waits while somebody is counted, a tenth of a second for somebody whose
  /// storage is full.
  private let counts = Mutex(RateLimit<ID<Person>>(mostCounts, per: countingSpan))

  /// Enough for somebody who is nearly full and deletes one record after another.
  static let mostCounts = 10
  static let countingSpan = Seconds.seconds(20)

  /// Reads from the schema where people's data stands.
  init(quota: StorageUse, on connection: Connection) throws {
    self.quota = quota
    tables = try PersonalTables(on: connection)
  }

  /// Returns the storage that the person's data takes: counted, or the running total where it was
  /// counted too often of late.
  func use(
    of person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> StorageUse {
    if let total = try total(of: person, on: connection), delay(of: person, at: now) != nil {
      return total
    }
    return try tables.use(of: person, on: connection)
  }

  /// Adds what the person's transaction has written; throws ``Refusal/conflict(_:)`` where the person
  /// would store more than the quota, unless it is no more than before: what is too much already can
  /// still be changed and deleted. Throws ``Refusal/tooMany(retryAfter:)`` where the person would have to
  /// be counted too often.
  func charge(
    _ written: StorageUse, to person: ID<Person>, at now: Instant, on connection: Connection
  ) throws {
    if written == StorageUse() { return }
    let before = try total(of: person, on: connection)
    if let total = before.map({ $0 + written }), total.fits(in: quota) {
      return try set(total, of: person, on: connection)
    }
    if let delay = delay(of: person, at: now) { throw Refusal.tooMany(retryAfter: delay) }
    let counted = try tables.use(of: person, on: connection)
    guard counted.fits(in: quota) || before.map(counted.fits) == true else {
      throw Refusal.conflict(refusal)
    }
    try set(counted, of: person, on: connection)
  }

  private func delay(of person: ID<Person>, at now: Instant) -> Seconds? {
    counts.withLock { $0.take(person, at: now) }
  }

  private var refusal: Text {
    Text(
      "storage.full",
      ["limit": String(max(1, quota.bytes >> 20)), "records": String(quota.records)])
  }

  private func total(of person: ID<Person>, on connection: Connection) throws -> StorageUse? {
    try connection.row(
      """
      SELECT stored_bytes, stored_records FROM people
      WHERE id_person = \(person) AND stored_bytes IS NOT NULL
      """
    ) { StorageUse(bytes: $0.int(0), records: $0.int(1)) }
  }

  private func set(
    _ total: StorageUse, of person: ID<Person>, on connection: Connection
  ) throws {
    try connection.run(
      """
      UPDATE people SET stored_bytes = \(total.bytes), stored_records = \(total.records)
      WHERE id_person = \(person)
      """)
  }
}
