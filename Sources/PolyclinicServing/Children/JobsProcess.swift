import Glibc
import Logging
import PolyclinicCore
import PolyclinicSystem

/// The process that runs the portal's background jobs.
package struct JobsProcess {
  /// The jobs of a process.
  package struct Jobs {
    /// The right to run ``shared``; nil if no other machine has the database.
    let lease: JobLease?
    /// The jobs that every machine runs for itself.
    let own: [JobSchedule.Task]
    /// Returns the jobs that one machine runs for all. Called when the lease is held.
    let shared: () throws -> [JobSchedule.Task]

    package init(
      lease: JobLease?, own: [JobSchedule.Task], shared: @escaping () throws -> [JobSchedule.Task]
    ) {
      self.lease = lease
      self.own = own
      self.shared = shared
    }
  }

  package var log: Logger
  /// Opens the resources that the jobs need, and returns the jobs.
  package var prepare: () throws -> Jobs
  /// The shared counters of runs and failures.
  package var counters: Counters

  package init(log: Logger, prepare: @escaping () throws -> Jobs, counters: Counters) {
    self.log = log
    self.prepare = prepare
    self.counters = counters
  }

  /// Runs jobs until SIGTERM or SIGINT and returns the exit status. A running job is finished
  /// first. Call it from the main thread, before any other thread exists.
  package func run() -> Int32 {
    SupervisedProcess(log: log).run { lifeline, stopSignals in
      // The next supervisor starts its own jobs. The database rolls back interrupted transactions.
      try lifeline?.whenSupervisorEnds { _exit(1) }
      let watch = JobWatch()
      let jobs = try prepare()
      lifeline?.reportReady()
      try Watchdog(lifeline: lifeline, log: log) { [lease = jobs.lease] now in
        if lease?.isLost(at: now) == true {
          return ["what": "renewal of the jobs' lease", "limit": "\(JobLease.span.count) s"]
        }
        return watch.overdue(at: now).map {
          ["what": "job \($0.job)", "limit": "\($0.limit.count) s"]
        }
      }.start()
      try run(jobs, watch, until: stopSignals)
    }
  }

  /// Runs the machine's own jobs, and those of all machines from the time at which it has the lease.
  private func run(_ jobs: Jobs, _ watch: JobWatch, until stopSignals: SignalSet) throws {
    var isWaiting = jobs.lease != nil
    func schedule() throws -> JobSchedule {
      JobSchedule(
        try jobs.own + (isWaiting ? [] : jobs.shared()), counters, watch: watch, start: .current,
        log: log)
    }
    var current = try schedule()
    func pause() -> Duration {
      let pause = current.pause(at: .current)
      return .seconds(isWaiting ? min(pause.count, 1) : pause.count)
    }
    while stopSignals.wait(atMost: pause()) == nil {
      if isWaiting, jobs.lease?.isHeld == true {
        log.info("this machine runs the jobs")
        isWaiting = false
        current = try schedule()
      }
      current.runNext { .current }
    }
    do { try jobs.lease?.end() } catch let error as DatabaseError {
      log.warning("others wait until the lease expires", metadata: ["reason": "\(error.detail)"])
    }
  }
}
