import PolyclinicCore

/// The jobs that fail, in rows of the database: a machine that takes over the jobs does not repeat
/// them before their time.
package struct JobFailures {
  package static let schema: [SQL] = [
    """
    CREATE TABLE job_failures (
      job TEXT NOT NULL PRIMARY KEY,
      failures \(.integer) NOT NULL,
      next_at \(.integer) NOT NULL
    ) \(.strict)
    """
  ]

  private let database: any Database

  package init(in database: any Database) { self.database = database }

  /// Returns the jobs, so that they continue after the failures of other machines, and store their
  /// own. Throws `DatabaseError`.
  package func continued(by tasks: [JobSchedule.Task]) throws -> [JobSchedule.Task] {
    let rows: [(String, (failures: Int, next: Instant))] = try database.read {
      try $0.rows("SELECT job, failures, next_at FROM job_failures ORDER BY job") {
        ($0.string(0), ($0.int(1), $0.instant(2)))
      }
    }
    let known = Dictionary(rows) { first, _ in first }
    return tasks.map { task in
      let earlier = known[task.name]
      var recorded = recorded(task, failures: earlier?.failures ?? 0)
      recorded.notBefore = earlier?.next
      return recorded
    }
  }

  private func recorded(_ task: JobSchedule.Task, failures: Int) -> JobSchedule.Task {
    var failures = failures
    return JobSchedule.Task(name: task.name, limit: task.limit) { now in
      let next: Instant
      do { next = try task.run(now) } catch {
        failures += 1
        let retry = now + JobSchedule.pause(after: failures)
        // If the database does not answer either, the job's own error says more.
        do { try store(task.name, failures, retry) } catch is DatabaseError { throw error }
        throw error
      }
      if failures > 0 {
        try database.write { try $0.run("DELETE FROM job_failures WHERE job = \(task.name)") }
        failures = 0
      }
      return next
    }
  }

  private func store(_ job: String, _ failures: Int, _ next: Instant) throws {
    try database.write {
      try $0.run(
        """
        INSERT INTO job_failures (job, failures, next_at) VALUES (\(job), \(failures), \(next))
        ON CONFLICT (job) DO UPDATE SET failures = excluded.failures, next_at = excluded.next_at
        """)
    }
  }
}
