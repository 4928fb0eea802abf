import PolyclinicCore
import PolyclinicStore
import PolyclinicWeb
import Synchronization

/// The statements of a portal's database while a test asks for them.
final class StatementTrace: DatabaseObserver {
  private let waits: WriteWaits
  private let texts = Mutex<[String]?>(nil)

  init(_ waits: WriteWaits) { self.waits = waits }

  func writerWaited(nanoseconds: UInt64) { waits.writerWaited(nanoseconds: nanoseconds) }

  func statementRuns(_ statement: SQL) {
    texts.withLock { $0?.append(statement.rendered(.sqlite).text) }
  }

  /// Runs `body` and returns the texts of its statements in their order.
  func statements(_ body: () throws -> Void) rethrows -> [String] {
    texts.withLock { $0 = [] }
    defer { texts.withLock { $0 = nil } }
    try body()
    return texts.withLock { $0 ?? [] }
  }
}
