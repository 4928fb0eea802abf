import Logging
import PolyclinicCore
import PolyclinicSystem

/// The jobs with the time of their next run. It runs one job at a time, the most overdue one first.
package struct JobSchedule {
  private var entries: [Entry]
  private let watch: JobWatch
  private let log: Logger
  /// The latest time that the clock has shown.
  private var last: Instant

  /// A background job of a module.
  package struct Task {
    package let name: String
    package var limit = Seconds.minutes(10)
    /// The time before which the job must not run, because it failed; nil without one.
    package var notBefore: Instant?
    /// Runs the job and returns the time of its next run.
    package let run: (Instant) throws -> Instant

    package init(
      name: String, limit: Seconds = Seconds.minutes(10), run: @escaping (Instant) throws -> Instant
    ) {
      self.name = name
      self.limit = limit
      self.run = run
    }
  }

  private struct Entry {
    let task: Task
    let record: JobRecord
    var next: Instant

    var pause: Seconds { JobSchedule.pause(after: record.streak) }
  }

  /// Returns the back-off after this many failures: one minute, then two, and so on up to an hour.
  static func pause(after failures: Int) -> Seconds {
    .minutes(failures > 6 ? 60 : 1 << max(failures - 1, 0))
  }

  /// Makes all jobs due at `start`, except those whose last run failed or never ended.
  package init(_ tasks: [Task], _ counters: Counters, watch: JobWatch, start: Instant, log: Logger)
  {
    self.watch = watch
    self.log = log
    last = start
    entries = tasks.map {
      Entry(task: $0, record: JobRecord(counters, $0.name), next: max(start, $0.notBefore ?? start))
    }
    for index in entries.indices { resume(&entries[index], at: start) }
  }

  /// Continues from the record of an earlier process. A job that ended that process must not run
  /// again at once.
  private func resume(_ entry: inout Entry, at now: Instant) {
    if entry.record.began != nil {
      entry.record.fail(at: now)
      report("job did not end", entry)
    }
    if entry.record.streak > 0 { entry.next = max(entry.next, now + entry.pause) }
  }

  private func report(_ message: Logger.Message, _ entry: Entry, _ details: Logger.Metadata = [:]) {
    let about: Logger.Metadata = [
      "job": "\(entry.task.name)", "retry": "\(entry.pause.count) s",
    ]
    log.error(message, metadata: about.merging(details) { $1 })
  }

  /// The longest sleep, because the machine's clock may be set meanwhile and jobs follow that
  /// clock.
  static let longestPause = Seconds.minutes(1)

  /// Returns the time until the next job is due; zero if one is due now.
  package func pause(at now: Instant) -> Seconds {
    guard let next = entries.map(\.next).min() else { return Self.longestPause }
    return min(max(next - now, .seconds(0)), Self.longestPause)
  }

  /// Moves the jobs back if the clock was set back, so that they do not wait for the old time.
  private mutating func follow(_ now: Instant) {
    if now < last {
      let span = last - now
      log.info("the clock was set back", metadata: ["by": "\(span.count) s"])
      for index in entries.indices { entries[index].next = entries[index].next - span }
    }
    last = now
  }

  /// Runs one job, if one is due. Reads `clock` before and after it.
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
      // Leaves a second for the other jobs, even if this job asks to run constantly.
      entries[index].next = max(wanted, clock() + .seconds(1))
    } catch {
      entry.record.fail(at: clock())
      entries[index].next = clock() + entry.pause
      let reason = (error as? Job.Failure)?.description ?? "\(type(of: error))"
      report("job failed", entry, ["error": "\(reason)"])
    }
  }
}
