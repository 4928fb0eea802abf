import Glibc
import Logging
import PolyclinicCore

/// The process that runs the portal's background jobs.
package struct JobsProcess {
  package var log: Logger
  /// Opens the resources that the jobs need, and returns the jobs.
  package var prepare: () throws -> [JobSchedule.Task]
  /// The shared counters of runs and failures.
  package var counters: Counters

  package init(log: Logger, prepare: @escaping () throws -> [JobSchedule.Task], counters: Counters)
  {
    self.log = log
    self.prepare = prepare
    self.counters = counters
  }

  /// Runs jobs until SIGTERM or SIGINT and returns the exit status. A running job is finished
  /// first. Call it from the main thread, before any other thread exists.
  package func run() -> Int32 {
    SupervisedProcess(log: log).run { lifeline, stopSignals in
      // The next supervisor starts its own jobs. SQLite rolls back interrupted transactions.
      try lifeline?.whenSupervisorEnds { _exit(1) }
      let watch = JobWatch()
      var schedule = JobSchedule(
        try prepare(), counters, watch: watch, start: .current, log: log)
      lifeline?.reportReady()
      try Watchdog(lifeline: lifeline, log: log) { now in
        watch.overdue(at: now).map { ["what": "job \($0.job)", "limit": "\($0.limit.count) s"] }
      }.start()
      while stopSignals.wait(atMost: .seconds(schedule.pause(at: .current).count)) == nil {
        schedule.runNext { .current }
      }
    }
  }
}
