import PolyclinicCore
import PolyclinicStore
import Synchronization

/// The databases of the shared server, each lent to one test after another.
///
/// A database is emptied by a function of its own that deletes all rows, which takes a few
/// milliseconds. One that a test has changed otherwise, or has made large, is dropped.
final class LentDatabases: Sendable {
  static let shared = Result { LentDatabases(on: try PostgreSQLTestServer.shared.get()) }

  /// A database and the text of the migrations that have made its tables.
  struct Place: Sendable {
    fileprivate let name: String
    fileprivate let schema: String
    let url: String
  }

  /// The most databases that wait for a test. Each takes some 15 MB of the disk.
  private static let mostWaiting = 24

  private let server: PostgreSQLTestServer
  private let count = Atomic(0)
  /// The databases that no test has, the one that was given back last at the end.
  private let waiting = Mutex<[Place]>([])

  private init(on server: PostgreSQLTestServer) { self.server = server }

  /// Returns a database with the tables of the migrations, as they leave them.
  func lend(
    _ migrations: [(module: String, migrations: [Migration])], at now: Instant,
    observer: (any DatabaseObserver)?
  ) throws -> (PostgreSQLDatabase, Place) {
    let schema = Self.text(of: migrations)
    while let place = take(schema) {
      let database = try open(place, observer: observer)
      if try TestFunctions.empty(database) { return (database, place) }
      database.close()
      try server.drop(place.name)
    }
    let name = "lent_\(count.add(1, ordering: .relaxed).newValue)"
    let place = Place(name: name, schema: schema, url: server.url(of: name))
    let address = try server.newDatabase(named: place.name)
    do {
      let new = try PostgreSQLDatabase.create(address, timeLeft: Self.limit)
      defer { new.close() }
      try Migrator(new, migrations).migrate(at: now)
      try TestFunctions.create(in: new)
    } catch {
      try server.drop(place.name)
      throw error
    }
    return (try open(place, observer: observer), place)
  }

  /// Takes back a database, whose sessions are closed.
  func giveBack(_ place: Place) throws {
    let superfluous = waiting.withLock { waiting in
      waiting.append(place)
      return waiting.count > Self.mostWaiting ? waiting.removeFirst() : nil
    }
    if let superfluous { try server.drop(superfluous.name) }
  }

  private func take(_ schema: String) -> Place? {
    waiting.withLock { waiting in
      waiting.lastIndex { $0.schema == schema }.map { waiting.remove(at: $0) }
    }
  }

  private func open(
    _ place: Place, observer: (any DatabaseObserver)?
  ) throws -> PostgreSQLDatabase {
    try PostgreSQLDatabase.open(
      server.address(of: place.name), timeLeft: Self.limit, observer: observer)
  }

  /// A minute for each call, because no test depends on the machine's speed.
  @Sendable private static func limit() -> Int { 60_000 }

  private static func text(of migrations: [(module: String, migrations: [Migration])]) -> String {
    migrations.map { module, migrations in
      migrations.map { migration in
        "\(module) \(migration.name)\n"
          + migration.statements.map { $0.rendered(.postgresql).text }.joined(separator: "\n")
      }.joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
