import Logging
import PolyclinicCore

/// When each job runs next: one after another, the one that has waited longest first.
struct Schedule {
  private var entries: [Entry]
  private let watch: JobWatch
  private let log: Logger
  /// What the clock said last.
  private var last: Instant

  /// A job of some module.
  struct Task {
    let name: String
    var limit = Seconds.minutes(10)
    /// Returns when it next wants to run.
    let run: (Instant) throws -> Instant
  }

  private struct Entry {
    let task: Task
    let record: JobRecord
    var next: Instant

    /// After a failure it waits a minute, then two, and so on up to an hour.
    var pause: Seconds {
      .minutes(record.streak > 6 ? 60 : 1 << max(record.streak - 1, 0))
    }
  }

  /// All are due at `start`, but for those that failed before, or whose run never ended.
  init(_ tasks: [Task], _ counters: Counters, watch: JobWatch, start: Instant, log: Logger) {
    self.watch = watch
    self.log = log
    last = start
    entries = tasks.map {
      Entry(task: $0, record: JobRecord(counters, $0.name), next: start)
    }
    for index in entries.indices { resume(&entries[index], at: start) }
  }

  /// Goes on where an earlier process was: a job that took it along must not do so again at once.
  private func resume(_ entry: inout Entry, at now: Instant) {
    if entry.record.began != nil {
      entry.record.fail(at: now)
      report("job did not end", entry)
    }
    if entry.record.streak > 0 { entry.next = now + entry.pause }
  }

  private func report(_ message: Logger.Message, _ entry: Entry, _ details: Logger.Metadata = [:]) {
    let about: Logger.Metadata = [
      "job": "\(entry.task.name)", "retry": "\(entry.pause.count) s",
    ]
    log.error(message, metadata: about.merging(details) { $1 })
  }

  /// The longest sleep: the machine's clock may be set meanwhile, and jobs go by it.
  static let longestPause = Seconds.minutes(1)

  /// How long nothing is due; zero when something is.
  func pause(at now: Instant) -> Seconds {
    guard let next = entries.map(\.next).min() else { return Self.longestPause }
    return min(max(next - now, .seconds(0)), Self.longestPause)
  }

  /// Where the clock was set back, the jobs do not wait until it says again what it said.
  private mutating func follow(_ now: Instant) {
    if now < last {
      let span = last - now
      log.info("the clock was set back", metadata: ["by": "\(span.count) s"])
      for index in entries.indices { entries[index].next = entries[index].next - span }
    }
    last = now
  }

  /// Runs one job, if one is due. `clock` is read before and after it.
  mutating func runNext(by clock: () -> Instant) {
    let now = clock()
    follow(now)
    guard let index = entries.indices.min(by: { entries[$0].next < entries[$1].next }),
      entries[index].next <= now
    else { return }
    let entry = entries[index]
    watch.begin(entry.task.name, limit: entry.task.limit, at: Uptime.milliseconds)
    defer { watch.end() }
    entry.record.begin(at: now)
    do {
      let wanted = try entry.task.run(now)
      entry.record.succeed(at: clock())
      // One that wants to run all the time leaves the others their turn.
      entries[index].next = max(wanted, clock() + .seconds(1))
    } catch {
      entry.record.fail(at: clock())
      entries[index].next = clock() + entry.pause
      let reason = (error as? JobFailure)?.description ?? "\(type(of: error))"
      report("job failed", entry, ["error": "\(reason)"])
    }
  }
}
