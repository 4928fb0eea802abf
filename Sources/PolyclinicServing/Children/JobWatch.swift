import PolyclinicCore
import Synchronization

/// The running job and its time limit, readable from another thread.
package final class JobWatch: Sendable {
  /// A running job. Times are ``Uptime`` in milliseconds.
  private struct Run {
    let job: String
    let limit: Seconds
    let until: Int64
  }

  private let run = Mutex<Run?>(nil)

  func begin(_ job: String, limit: Seconds, at now: Int64) {
    run.withLock { $0 = Run(job: job, limit: limit, until: now + limit.count * 1_000) }
  }

  func end() {
    run.withLock { $0 = nil }
  }

  /// Returns the running job and its limit if it has exceeded the limit.
  func overdue(at now: Int64) -> (job: String, limit: Seconds)? {
    run.withLock { run in
      guard let run, now > run.until else { return nil }
      return (run.job, run.limit)
    }
  }
}
