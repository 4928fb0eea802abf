import Glibc
import PolyclinicCore
import PolyclinicServing
import PolyclinicWeb

/// The response to `/metrics`. It covers the whole installation, and any process can give it.
struct MetricsPage {
  let instruments: Instruments
  let files: InstallationFiles
  let now: Instant
  /// Asks the database.
  let stored: () throws -> StatusReport.Stored
  var out = Exposition()

  private var counters: Counters { instruments.counters }

  mutating func text() -> String {
    let names = Array(counters.names.enumerated())
    addRequests(names)
    addEvents(names)
    addWriteWaits(names)
    addJobs(names)
    let report = StatusReport(files, at: now, stored: stored)
    addProcesses(report.processes)
    addThreads(report.processes)
    addDatabase(report)
    addPromises(report)
    return out.text
  }

  typealias Names = [(offset: Int, element: String)]

  /// One series: the row of the counter, with the route and the method from its name.
  private struct Requests {
    let row: Int
    let labels: Exposition.Labels

    init?(_ row: Int, _ name: String) {
      guard let (method, pattern) = RequestMetrics.request(ofRow: name) else { return nil }
      self.row = row
      labels = [("route", pattern), ("method", method)]
    }
  }

  private mutating func addRequests(_ names: Names) {
    let rows = names.compactMap { Requests($0.offset, $0.element) }
    out.begin("requests_total", .counter, "Answers by declared route, method and class of status.")
    for row in rows {
      for column in 0..<CounterShard.Timing.classes {
        let count = counters.sum(column, of: row.row)
        if count > 0 { out.add(count, row.labels + [("status", "\(column + 2)xx")]) }
      }
    }
    out.begin(
      "request_duration_seconds", .histogram, "From a whole request to its answer, in the portal.")
    for row in rows { addHistogram(of: row.row, row.labels) }
  }

  private mutating func addWriteWaits(_ names: Names) {
    guard let row = names.first(where: { $0.element == WriteWaits.name })?.offset else { return }
    out.begin("database_write_wait_seconds", .histogram, "Time that writers waited for their turn.")
    addHistogram(of: row, [])
    out.begin(
      "database_write_repeats_total", .counter,
      "Runs of a write after a conflict with another writer.")
    for (run, column) in [
      ("second", WriteWaits.repeats.second), ("later", WriteWaits.repeats.later),
    ] {
      out.add(counters.sum(column, of: row), [("run", run)])
    }
  }

  /// Adds a histogram, unless it has no samples yet.
  private mutating func addHistogram(of row: Int, _ labels: Exposition.Labels) {
    let buckets = (0...CounterShard.Timing.bounds.count).map {
      counters.sum(CounterShard.Timing.buckets + $0, of: row)
    }
    let count = buckets.reduce(0, +)
    if count == 0 { return }
    var sum: UInt64 = 0
    for (index, bucket) in buckets.enumerated() {
      sum += bucket
      let isLast = index == CounterShard.Timing.bounds.count
      let bound = isLast ? "+Inf" : "\(Double(CounterShard.Timing.bounds[index]) / 1e9)"
      out.add(sum, labels + [("le", bound)], suffix: "_bucket")
    }
    out.add(Double(counters.sum(CounterShard.Timing.sum, of: row)) / 1e9, labels, suffix: "_sum")
    out.add(count, labels, suffix: "_count")
  }

  private mutating func addEvents(_ names: Names) {
    let counts = Dictionary(
      uniqueKeysWithValues: names.compactMap { row, name in
        RequestMetrics.Event(rawValue: name).map { ($0, counters.sum(0, of: row)) }
      })
    for family in RequestMetrics.Event.families {
      out.begin(family.name, .counter, family.help)
      for event in family.events {
        let words = event.rawValue.split(separator: " ", maxSplits: 1)
        out.add(counts[event] ?? 0, [(family.label, String(words[words.count - 1]))])
      }
    }
  }

  private mutating func addJobs(_ names: Names) {
    let jobs = names.filter { $0.element.hasPrefix(JobRecord.prefix) }.map { _, name in
      let job = String(name.dropFirst(JobRecord.prefix.count))
      return (labels: [("job", job)], record: JobRecord(counters, job))
    }
    out.begin("job_runs_total", .counter, "Runs of each job.")
    for job in jobs { out.add(job.record.runs, job.labels) }
    out.begin("job_failures_total", .counter, "Runs that failed, hung or died.")
    for job in jobs { out.add(job.record.failures, job.labels) }
    out.begin("job_began_timestamp_seconds", .gauge, "The start of the last run.")
    for job in jobs { add(job.record.lastBegin, job.labels) }
    out.begin("job_succeeded_timestamp_seconds", .gauge, "The end of the last successful run.")
    for job in jobs { add(job.record.lastSuccess, job.labels) }
    out.begin("job_duration_seconds", .gauge, "The duration of the last run.")
    for job in jobs { out.add(job.record.seconds, job.labels) }
  }

  /// Adds a time; omits the sample if the event has never happened.
  mutating func add(_ moment: Instant?, _ labels: Exposition.Labels) {
    if let moment { out.add(Double(moment.seconds), labels) }
  }
}

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
    out.gauge(
      "started_timestamp_seconds", "When the supervisor was started.",
      (status?.started).map { Double($0) })
  }

  mutating func addThreads(_ status: ProcessStatus?) {
    let workers = status?.processes.filter { $0.role == .worker }.compactMap(\.pid) ?? []
    let shards = instruments.counters.shards.dropFirst().filter { shard in
      workers.contains { UInt64($0) == shard[.owner] }
    }
    out.gauge(
      "threads", "Threads that answer requests, in all workers.",
      shards.reduce(0) { $0 + $1[.threads] })
    out.gauge(
      "threads_busy", "How many of them were at a request, asked twice a second.",
      shards.reduce(0) { $0 + $1[.busy] })
    let queue = WaitingConnections(at: STDIN_FILENO)
    out.gauge(
      "connections_waiting", "Connections that wait at the socket for a thread.", queue?.count)
    out.gauge(
      "connections_limit", "How many can wait before one is refused at once.", queue?.limit)
  }

  mutating func addDatabase(_ report: StatusReport) {
    out.begin("database_bytes", .gauge, "Size of the database's files.")
    if let size = report.database { out.add(size, [("file", "main")]) }
    if let size = report.log { out.add(size, [("file", "log")]) }
    out.gauge("disk_free_bytes", "Room on the disk of the database.", report.free)
    guard !report.warnings.isEmpty else { return }
    out.begin("database_warning", .gauge, "1 for what should be changed at the database's server.")
    for warning in report.warnings { out.add(1, [("warning", warning.rawValue)]) }
  }

  mutating func addPromises(_ report: StatusReport) {
    out.gauge(
      "availability_ratio", "The part of the last 30 days in which the portal was there.",
      report.availability)
    out.gauge("availability_promised_ratio", "What is promised of it.", UptimeHistory.promised)
    let newest = report.backup?.newest
    out.gauge(
      "backup_timestamp_seconds", "When the last good backup was begun.",
      newest.map { Double($0.seconds) })
    out.gauge(
      "backup_age_seconds", "How long ago that was.", newest.map { Double((now - $0).count) })
    out.gauge(
      "backup_interval_seconds", "How often a backup is to be made.",
      report.backup.map { Double($0.every.count) })
  }
}

/// The writer of Prometheus' text format 0.0.4.
struct Exposition {
  static let contentType: StaticString = "text/plain; version=0.0.4; charset=utf-8"

  enum Kind: String {
    case counter, gauge, histogram
  }

  typealias Labels = [(name: String, value: String)]

  private(set) var text = ""
  private var name = ""

  /// Begins a metric family. All samples up to the next call belong to it.
  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    self.name = "polyclinic_\(name)"
    text += "# HELP \(self.name) \(help)\n# TYPE \(self.name) \(kind.rawValue)\n"
  }

  /// Writes a family of one gauge without labels; it has no sample if there is no value.
  mutating func gauge(_ name: String, _ help: String, _ value: (some Numeric)?) {
    begin(name, .gauge, help)
    if let value { add(value) }
  }

  mutating func add(_ value: some Numeric, _ labels: Labels = [], suffix: String = "") {
    let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    text += "\(name)\(suffix)\(pairs.isEmpty ? "" : "{\(pairs)}") \(value)\n"
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for character in value.unicodeScalars {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}
