import Glibc
import PolyclinicCore
import Synchronization

/// Tests if the database can be written and caches the result in this process. The endpoint is
/// public, and each test write costs the disk as much as saving a form.
package final class Readiness: Sendable {
  /// The name of this machine, under which it writes its own row. One row of all machines would be
  /// a conflict every few seconds.
  private let machine: String

  package init(machine: String = Readiness.hostName) { self.machine = machine }

  /// The name of the machine; empty if it has none.
  package static let hostName: String = {
    var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  package static let migration = Migration(
    "0001-readiness",
    """
    CREATE TABLE readiness (
      machine TEXT NOT NULL PRIMARY KEY,
      checked_at \(.integer) NOT NULL
    ) \(.strict)
    """)

  /// Returns the migrations that this program needs and the database lacks. A restored backup may
  /// be older.
  package static func missing(
    _ modules: [(module: String, migrations: [Migration])], on connection: Connection
  ) throws -> [String] {
    let applied = Set(
      try connection.rows("SELECT module, name FROM migrations") {
        "\($0.string(0)) \($0.string(1))"
      })
    let needed = modules.flatMap { module, migrations in
      migrations.map { "\(module) \($0.name)" }
    }
    return needed.filter { !applied.contains($0) }
  }

  private static let interval = Seconds.seconds(5)

  private struct State {
    var attempted: Instant?
    var failure: DatabaseError?
  }

  private let state = Mutex(State())

  /// Returns the error of the last write test; nil if it succeeded. Tests again if the last test is
  /// five seconds old. Callers in between get the cached result.
  package func failure(of database: any Database, at now: Instant) throws -> DatabaseError? {
    let isDue = state.withLock { state in
      // A clock that was set back must not keep a cached result for hours.
      if let last = state.attempted, last <= now, now - last < Self.interval { return false }
      state.attempted = now
      return true
    }
    if isDue {
      let failure = try attempt(database, at: now)
      state.withLock { $0.failure = failure }
    }
    return state.withLock { $0.failure }
  }

  /// Writes a row, because only a write detects a full or read-only disk.
  private func attempt(_ database: any Database, at now: Instant) throws -> DatabaseError? {
    do {
      try database.writeIndependently { connection in
        try connection.run(
          """
          INSERT INTO readiness (machine, checked_at) VALUES (\(machine), \(now))
          ON CONFLICT (machine) DO UPDATE SET checked_at = excluded.checked_at
          """)
      }
      return nil
    } catch let error as DatabaseError {
      return error
    }
  }
}
