import PolyclinicCore
import PolyclinicStore
import Synchronization

/// The database of one portal of a test, on the engine of ``TestEngine/current``, with the tables of
/// some migrations and no further rows.
package final class TestDatabase: Sendable {
  package let stored: any StoredDatabase
  /// The address as a configuration file has it.
  package let url: String
  private let lent: Mutex<LentDatabases.Place?>

  /// Creates a file of SQLite at the path, or takes a database of PostgreSQL until ``close()``.
  ///
  /// Throws ``DatabaseError``, and ``MigrationError`` if a migration fails.
  package init(
    at path: String, _ migrations: [(module: String, migrations: [Migration])], at now: Instant,
    observer: (any DatabaseObserver)?
  ) throws {
    try TestEngine.requireKnown()
    switch TestEngine.current {
    case .sqlite:
      try SQLiteDatabase.create(path).close()
      stored = try SQLiteDatabase.open(path, observer: observer)
      url = "sqlite:\(path)"
      lent = Mutex(nil)
      try Migrator(stored, migrations).migrate(at: now)
    case .postgresql:
      let (database, place) = try LentDatabases.shared.get().lend(
        migrations, at: now, observer: observer)
      stored = database
      url = place.url
      lent = Mutex(place)
    }
  }

  deinit { close() }

  /// Closes the sessions of all threads. None of them may be in a call.
  package func close() {
    stored.close()
    let place = lent.withLock { place in
      defer { place = nil }
      return place
    }
    guard let place else { return }
    do { try LentDatabases.shared.get().giveBack(place) } catch {
      print("a database stays: \(error)")
    }
  }
}
