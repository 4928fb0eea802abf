import Logging
import PolyclinicCore

/// When each job runs next: one after another, the one that has waited longest first.
struct Schedule {
  private var entries: [Entry]
  private let log: Logger

  private struct Entry {
    let name: String
    let run: (Instant) throws -> Instant
    var next: Instant
    var backoff = Backoff(first: .seconds(60), limit: .seconds(3_600))
  }

  /// All are due at `start`. A job returns when it next wants to run.
  init(
    _ jobs: [(name: String, run: (Instant) throws -> Instant)], start: Instant, log: Logger
  ) {
    entries = jobs.map { Entry(name: $0.name, run: $0.run, next: start) }
    self.log = log
  }

  /// The longest sleep: the machine's clock may be set meanwhile, and jobs go by it.
  static let longestPause = Seconds.minutes(1)

  /// How long nothing is due; zero when something is.
  func pause(at now: Instant) -> Seconds {
    guard let next = entries.map(\.next).min() else { return Self.longestPause }
    return min(max(next - now, .seconds(0)), Self.longestPause)
  }

  /// Runs one job, if one is due. `clock` is read before and after it.
  mutating func runNext(by clock: () -> Instant) {
    let now = clock()
    guard let index = entries.indices.min(by: { entries[$0].next < entries[$1].next }),
      entries[index].next <= now
    else { return }
    do {
      let wanted = try entries[index].run(now)
      entries[index].backoff.reset()
      // One that wants to run all the time leaves the others their turn.
      entries[index].next = max(wanted, clock() + .seconds(1))
    } catch {
      let pause = entries[index].backoff.next().components.seconds
      entries[index].next = clock() + Seconds(pause)
      log.error(
        "job failed",
        metadata: [
          "job": "\(entries[index].name)", "error": "\(type(of: error))", "retry": "\(pause) s",
        ])
    }
  }
}
