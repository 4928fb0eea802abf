import PolyclinicCore
import PolyclinicServing
import PolyclinicWeb

/// The response to `/metrics`. It covers the whole installation, and any process can give it.
struct MetricsPage {
  let instruments: Instruments
  let files: InstallationFiles
  let now: Instant
  var out = Exposition()

  private var counters: Counters { instruments.counters }

  mutating func text() -> String {
    let names = Array(counters.names.enumerated())
    addRequests(names)
    addEvents(names)
    addWriteWaits(names)
    addJobs(names)
    let report = StatusReport(files, at: now)
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
    out.add(
      Double(counters.sum(CounterShard.Timing.sum, of: row)) / 1e9, labels, suffix: "_sum")
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
