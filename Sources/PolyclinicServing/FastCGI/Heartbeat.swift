import Glibc
import Synchronization

/// The start time of a thread's current request, readable from another thread.
package final class Heartbeat: Sendable {
  private let busySince = Atomic<Int64>(idle)

  private static let idle: Int64 = -1

  /// Notes the start of a request. Times are ``Uptime`` in milliseconds.
  func begin(at now: Int64) {
    busySince.store(now, ordering: .relaxed)
  }

  func end() {
    busySince.store(Self.idle, ordering: .relaxed)
  }

  package var isBusy: Bool { busySince.load(ordering: .relaxed) != Self.idle }

  /// True if the thread's current request has lasted longer than the limit.
  func isOverdue(at now: Int64, limit: Duration) -> Bool {
    let since = busySince.load(ordering: .relaxed)
    return since != Self.idle && .milliseconds(now - since) > limit
  }
}
