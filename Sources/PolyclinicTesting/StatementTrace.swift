import PolyclinicCore
import PolyclinicStore
import PolyclinicWeb
import Synchronization

/// The statements of a portal's database, and its waits for a server, while a test asks for them.
final class StatementTrace: DatabaseObserver {
  private let waits: WriteWaits
  private let texts = Mutex<[String]?>(nil)
  private let roundTrips = Atomic(0)

  init(_ waits: WriteWaits) { self.waits = waits }

  func writerWaited(nanoseconds: UInt64) { waits.writerWaited(nanoseconds: nanoseconds) }

  func statementRuns(_ statement: SQL) {
    texts.withLock { $0?.append(statement.rendered(.sqlite).text) }
  }

  func waitsForServer() { roundTrips.add(1, ordering: .relaxed) }

  /// Runs `body` and returns how often the database waited for its server meanwhile.
  func roundTrips(_ body: () throws -> Void) rethrows -> Int {
    let before = roundTrips.load(ordering: .relaxed)
    try body()
    return roundTrips.load(ordering: .relaxed) - before
  }

  /// Runs `body` and returns the texts of its statements in their order.
  func statements(_ body: () throws -> Void) rethrows -> [String] {
    texts.withLock { $0 = [] }
    defer { texts.withLock { $0 = nil } }
    try body()
    return texts.withLock { $0 ?? [] }
  }
}
