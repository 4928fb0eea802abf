import Glibc
import Logging
import PolyclinicCore

/// The process that runs the portal's jobs.
struct JobsProcess {
  var log: Logger
  /// Opens what the jobs need, and returns them.
  var prepare: () throws -> [Schedule.Task]
  /// Where it is counted how they go.
  var counters: Counters

  /// Runs jobs until SIGTERM or SIGINT, which wait for the end of a job that runs, and returns the
  /// exit status. Call it from the main thread, before any other thread exists.
  func run() -> Int32 {
    Supervised.run(log: log) { lifeline, ending in
      // The next supervisor starts jobs of its own; transactions that are cut off roll back.
      try lifeline?.whenSupervisorEnds { _exit(1) }
      let watch = JobWatch()
      var schedule = Schedule(
        try prepare(), counters, watch: watch, start: .current, log: log)
      lifeline?.reportReady()
      try Watchdog.start(lifeline, log: log) { now in
        watch.overdue(at: now).map { ["what": "job \($0.job)", "limit": "\($0.limit.count) s"] }
      }
      while ending.wait(atMost: .seconds(schedule.pause(at: .current).count)) == nil {
        schedule.runNext { .current }
      }
    }
  }
}
