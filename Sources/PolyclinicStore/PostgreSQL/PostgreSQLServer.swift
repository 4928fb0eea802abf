import Glibc
import PolyclinicCore
import PolyclinicSystem
import Synchronization

/// The server of a database as all threads of this process know it: the host on which they found
/// the primary, and the sessions that they have open.
final class PostgreSQLServer: Sendable {
  let observer: (any DatabaseObserver)?
  private let address: PostgreSQLAddress
  private let timeLeft: @Sendable () -> Int
  private let state = Mutex(State())

  private struct State {
    var isClosed = false
    var connections: [ObjectIdentifier: PostgreSQLConnection] = [:]
    /// The place of the primary in the list of hosts.
    var primary = 0
    /// True if a host has answered.
    var wasFound = false
    /// The time since which no host has answered; nil if the last one did.
    var failingSince: Int64?
    /// The columns whose numbers the server assigns, by table.
    var identities: [String: IdentityColumn] = [:]
  }

  /// The time in milliseconds for one host to answer, so that a dead one leaves time for the next.
  private static let hostTimeout: Int64 = 2_000
  /// The time in milliseconds within which a server that was restarted, or a promoted standby, is
  /// waited for. After it, and before any host has answered, calls fail at once.
  private static let restartTime: Int64 = 2_000

  init(
    _ address: PostgreSQLAddress, _ timeLeft: @escaping @Sendable () -> Int,
    _ observer: (any DatabaseObserver)?
  ) {
    self.address = address
    self.timeLeft = timeLeft
    self.observer = observer
  }

  /// The milliseconds that the calling thread may still take.
  var left: Int { timeLeft() }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Connects to the primary within the milliseconds. Throws ``DatabaseError`` of kind `missing`
  /// if there is none.
  func connect(within left: Int) throws -> PostgreSQLSession {
    let end = Uptime.milliseconds + Int64(min(left, 1 << 40))
    while true {
      do {
        let session = try connectOnce(until: end)
        state.withLock {
          $0.failingSince = nil
          $0.wasFound = true
        }
        return session
      } catch {
        let now = Uptime.milliseconds
        let (since, wasFound) = state.withLock { state in
          let since = state.failingSince ?? now
          state.failingSince = since
          return (since, state.wasFound)
        }
        guard wasFound, now - since < Self.restartTime, now < end, !isClosed else { throw error }
        poll(nil, 0, 50)
      }
    }
  }

  private func connectOnce(until end: Int64) throws -> PostgreSQLSession {
    let first = state.withLock { $0.primary }
    var failure: any Error = DatabaseError.late("no time was left to connect")
    for step in address.hosts.indices {
      let place = (first + step) % address.hosts.count
      let left = Int(min(end - Uptime.milliseconds, Self.hostTimeout))
      guard left > 0 else { break }
      do {
        let session = try PostgreSQLSession(
          to: address.hosts[place], of: address, within: left, observer: observer)
        state.withLock { $0.primary = place }
        return session
      } catch { failure = error }
    }
    // The kind is the same for each reason, because the caller can only wait for a host.
    let detail = (failure as? DatabaseError)?.detail ?? "\(failure)"
    throw DatabaseError.lost(detail)
  }

  /// Adds a thread's connection. Throws ``DatabaseError`` after ``close()``.
  func add(_ connection: PostgreSQLConnection) throws {
    try state.withLock { state in
      if state.isClosed { throw DatabaseError.misuse("the database was closed") }
      state.connections[ObjectIdentifier(connection)] = connection
    }
  }

  /// Removes a connection, and returns true if it was there. Only the caller that removed it may
  /// end its session, because a thread may end while ``close()`` runs.
  func remove(_ connection: PostgreSQLConnection) -> Bool {
    state.withLock { $0.connections.removeValue(forKey: ObjectIdentifier(connection)) != nil }
  }

  /// Ends all sessions, and prevents new ones. No thread may be in a transaction.
  func close() {
    let connections = state.withLock { state in
      state.isClosed = true
      defer { state.connections = [:] }
      return Array(state.connections.values)
    }
    for connection in connections { connection.end() }
  }

  /// Returns the identity column of a table, as found by `find` before.
  func identity(
    of table: String, orFind find: () throws -> IdentityColumn?
  ) rethrows -> IdentityColumn? {
    if let known = state.withLock({ $0.identities[table] }) { return known }
    let found = try find()
    state.withLock { $0.identities[table] = found }
    return found
  }
}
