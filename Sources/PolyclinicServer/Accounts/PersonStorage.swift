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
  private let counts = Mutex<[ID<Person>: Count]>([:])

  /// A count a moment ago, and the running total that it found.
  private struct Count {
    let total: StorageUse?
    let wasRefused: Bool
    let at: Instant
  }

  /// The time after a count in which the same person is not counted again: everybody else who writes
  /// waits meanwhile, some tenths of a second for somebody whose storage is full.
  static let pause = Seconds.seconds(5)

  /// Reads from the schema where people's data stands.
  init(quota: StorageUse, on connection: Connection) throws {
    self.quota = quota
    tables = try PersonalTables(on: connection)
  }

  /// Returns the storage that the person's data takes: counted, or the running total where it was
  /// counted a moment ago.
  func use(
    of person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> StorageUse {
    if lastCount(of: person, at: now) != nil, let total = try total(of: person, on: connection) {
      return total
    }
    let use = try tables.use(of: person, on: connection)
    remember(
      Count(total: try total(of: person, on: connection), wasRefused: false, at: now), of: person)
    return use
  }

  /// Adds what the person's transaction has written; throws ``Refusal/conflict(_:)`` where the person
  /// would store more than the quota, unless it is no more than before: what is too much already can
  /// still be changed and deleted. Throws ``Refusal/tooMany(retryAfter:)`` where the person would have to
  /// be counted again so soon.
  func charge(
    _ written: StorageUse, to person: ID<Person>, at now: Instant, on connection: Connection
  ) throws {
    if written == StorageUse() { return }
    let before = try total(of: person, on: connection)
    if let total = before.map({ $0 + written }), total.fits(in: quota) {
      return try set(total, of: person, on: connection)
    }
    if let last = lastCount(of: person, at: now) {
      if last.wasRefused, last.total == before { throw Refusal.conflict(refusal) }
      throw Refusal.tooMany(retryAfter: last.at + Self.pause - now)
    }
    let counted = try tables.use(of: person, on: connection)
    let isTaken = counted.fits(in: quota) || before.map(counted.fits) == true
    // The first count of all holds up nobody for long.
    if before != nil {
      remember(Count(total: before, wasRefused: !isTaken, at: now), of: person)
    }
    guard isTaken else { throw Refusal.conflict(refusal) }
    try set(counted, of: person, on: connection)
  }

  private func lastCount(of person: ID<Person>, at now: Instant) -> Count? {
    counts.withLock { $0[person] }.flatMap { $0.at <= now && now < $0.at + Self.pause ? $0 : nil }
  }

  private func remember(_ count: Count, of person: ID<Person>) {
    counts.withLock {
      // Few people are counted at once; their number is bounded all the same.
      if $0.count > 1_000 { $0.removeAll() }
      $0[person] = count
    }
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
