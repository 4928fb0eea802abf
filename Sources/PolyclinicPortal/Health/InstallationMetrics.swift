import Glibc
import PolyclinicCore
import PolyclinicServing

/// Metrics that are read on request instead of counted: processes, threads, database.
extension MetricsPage {
  mutating func addProcesses(_ status: ProcessStatus?) {
    out.begin("processes", .gauge, "Processes by role and state.")
    for role in [ProcessRole.worker, .jobs] {
      for state in [ProcessStatus.State.starting, .ready, .leaving, .pausing] {
        let count = status?.processes.count { $0.role == role && $0.state == state } ?? 0
        out.add(UInt64(count), [("role", role.rawValue), ("state", state.rawValue)])
      }
    }
    out.begin("process_restarts_total", .counter, "Processes that ended unasked, by place.")
    var places: Set<String> = []
    for entry in status?.processes ?? [] {
      let place = entry.role == .worker ? "worker \(entry.number)" : entry.role.rawValue
      // During a reload a slot has two processes.
      if places.insert(place).inserted {
        out.add(UInt64(entry.restarts), [("process", place)])
      }
    }
    out.begin("started_timestamp_seconds", .gauge, "When the supervisor was started.")
    add((status?.started).map { Instant($0) }, [])
  }

  mutating func addThreads(_ status: ProcessStatus?) {
    let workers = status?.processes.filter { $0.role == .worker }.compactMap(\.pid) ?? []
    let shards = instruments.counters.shards.dropFirst().filter { shard in
      workers.contains { UInt64($0) == shard[.owner] }
    }
    out.begin("threads", .gauge, "Threads that answer requests, in all workers.")
    out.add(shards.reduce(0) { $0 + $1[.threads] })
    out.begin("threads_busy", .gauge, "How many of them were at a request, asked twice a second.")
    out.add(shards.reduce(0) { $0 + $1[.busy] })
    out.begin("connections_waiting", .gauge, "Connections that wait at the socket for a thread.")
    let queue = WaitingConnections(at: STDIN_FILENO)
    if let queue { out.add(UInt64(queue.count)) }
    out.begin("connections_limit", .gauge, "How many can wait before one is refused at once.")
    if let queue { out.add(UInt64(queue.limit)) }
  }

  mutating func addDatabase(_ report: StatusReport) {
    out.begin("database_bytes", .gauge, "Size of the database's files.")
    if let size = report.database { out.add(size, [("file", "main")]) }
    if let size = report.log { out.add(size, [("file", "log")]) }
    out.begin("disk_free_bytes", .gauge, "Room on the disk of the database.")
    if let free = report.free { out.add(free) }
  }

  mutating func addPromises(_ report: StatusReport) {
    out.begin(
      "availability_ratio", .gauge, "The part of the last 30 days in which the portal was there.")
    if let share = report.availability { out.add(share) }
    out.begin("availability_promised_ratio", .gauge, "What is promised of it.")
    out.add(UptimeHistory.promised)
    out.begin("backup_timestamp_seconds", .gauge, "When the last good backup was begun.")
    add(report.backup?.newest, [])
    out.begin("backup_age_seconds", .gauge, "How long ago that was.")
    if let newest = report.backup?.newest { out.add(Double((now - newest).count)) }
    out.begin("backup_interval_seconds", .gauge, "How often a backup is to be made.")
    if let backup = report.backup { out.add(Double(backup.every.count)) }
  }
}
