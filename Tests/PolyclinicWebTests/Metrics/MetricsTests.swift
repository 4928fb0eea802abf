import Logging
import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicServing
@testable import PolyclinicWeb

@Suite struct MetricsTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(NotesModule())
    anna = try portal.register(login: "anna")
  }

  private var metrics: String { portal.visitor().get("/metrics").body }

  /// Returns the value of the sample with this name and these labels.
  private func value(_ sample: String) -> Double? {
    let line = metrics.split(separator: "\n").first { $0.hasPrefix(sample + " ") }
    return line?.split(separator: " ").last.flatMap { Double($0) }
  }

  @Test func `requests are counted by declared route, method and status class`() throws {
    for path in ["/notes/1", "/notes/77"] { #expect(anna.get(path).status == 404) }
    #expect(anna.send("HEAD", "/notes").status == 200)
    #expect(anna.get("/notes/waits").status == 429)
    #expect(anna.get("/notes/fails").status == 500)
    #expect(
      value(#"polyclinic_requests_total{route="/notes/{id}",method="GET",status="4xx"}"#) == 2)
    #expect(value(#"polyclinic_requests_total{route="/notes",method="GET",status="2xx"}"#) == 1)
    #expect(
      value(#"polyclinic_requests_total{route="/notes/waits",method="GET",status="4xx"}"#) == 1)
    #expect(
      value(#"polyclinic_requests_total{route="/notes/fails",method="GET",status="5xx"}"#) == 1)
    #expect(
      value(#"polyclinic_requests_total{route="/register",method="POST",status="3xx"}"#) == 1)
  }

  @Test func `requests without a route are counted together, without their paths`() {
    for path in ["/secret-of-anna", "/notes/1/secret", "/notes?q=secret", "//secret"] {
      _ = anna.get(path)
    }
    _ = anna.send("BREW", "/secret-pot")
    _ = anna.send("DELETE", "/notes")
    #expect(value(#"polyclinic_requests_total{route="",method="GET",status="4xx"}"#) == 3)
    #expect(value(#"polyclinic_requests_total{route="",method="other",status="4xx"}"#) == 1)
    #expect(value(#"polyclinic_requests_total{route="",method="DELETE",status="4xx"}"#) == 1)
    #expect(!metrics.contains("secret"))
  }

  @Test func `sign-ins are counted by outcome`() throws {
    let guesser = portal.visitor()
    var statuses: [Int] = []
    for guess in 1...8 {
      let fields = ["login": "anna", "password": "wrong guess \(guess)"]
      statuses.append(try guesser.submit("/login", fields).status)
    }
    let throttled = statuses.count { $0 == 429 }
    #expect(throttled > 0)
    #expect(value(#"polyclinic_sign_ins_total{outcome="wrong"}"#) == Double(8 - throttled))
    #expect(value(#"polyclinic_sign_ins_total{outcome="throttled"}"#) == Double(throttled))
  }

  @Test func `database writes, failures and sizes are reported`() throws {
    let before = try #require(value("polyclinic_database_write_wait_seconds_count"))
    try portal.database.write { _ in }
    #expect(value("polyclinic_database_write_wait_seconds_count") == before + 1)
    #expect(value(#"polyclinic_database_write_repeats_total{run="second"}"#) == 0)
    try portal.loseWriteAccess()
    #expect(try anna.submit("/notes/new", ["topic": "x", "secret": "y"]).status == 503)
    try portal.regainWriteAccess()
    #expect(value(#"polyclinic_database_failures_total{kind="read-only"}"#) == 1)
    if portal.database.dialect == .sqlite {
      #expect(value(#"polyclinic_database_bytes{file="log"}"#) ?? 0 > 100_000)
    }
    #expect(value("polyclinic_disk_free_bytes") ?? 0 > 0)
  }

  @Test func `each metric family and sample appears once, samples under their family`() throws {
    for _ in 1...3 { _ = anna.get("/notes") }
    var families: [String: String] = [:]
    var family = ""
    var samples: Set<Substring> = []
    let text = metrics
    #expect(text.hasSuffix("\n") && !text.contains("\n\n"))
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 3)
      if line.hasPrefix("# TYPE ") {
        #expect(String(words[2]) == family && families[family] == nil)
        families[family] = String(words[3])
      } else if line.hasPrefix("# HELP ") {
        family = String(words[2])
      } else {
        let end = try #require(line.lastIndex(of: " "))
        #expect(samples.insert(line[..<end]).inserted, "\(line)")
        #expect(Double(line[line.index(after: end)...]) != nil)
        let name = String(line.prefix { $0 != "{" && $0 != " " })
        let endings = families[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        #expect(endings.contains { name == family + $0 }, "\(line)")
        if families[family] == "counter" { #expect(name.hasSuffix("_total")) }
      }
    }
    #expect(families.count > 20)
  }

  @Test func `the buckets of a histogram are cumulative and end at its count`() throws {
    for _ in 1...5 { _ = anna.get("/notes") }
    let name = "polyclinic_request_duration_seconds"
    let labels = #"route="/notes",method="GET""#
    let buckets = metrics.split(separator: "\n")
      .filter { $0.hasPrefix("\(name)_bucket{\(labels),") }
      .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(buckets.count == CounterShard.Timing.bounds.count + 1)
    #expect(buckets == buckets.sorted() && buckets.last == 5)
    #expect(value("\(name)_count{\(labels)}") == 5)
    #expect(value("\(name)_sum{\(labels)}") ?? 0 > 0)
    #expect(value(#"\#(name)_bucket{\#(labels),le="+Inf"}"#) == 5)
  }

  @Test func `a label value is escaped`() {
    var out = Exposition()
    out.begin("x", .gauge, "Help.")
    out.add(UInt64(1), [("a", "one \"two\"\n\\three")])
    #expect(
      out.text
        == "# HELP polyclinic_x Help.\n# TYPE polyclinic_x gauge\n"
        + #"polyclinic_x{a="one \"two\"\n\\three"} 1"# + "\n")
  }

  @Test func `jobs report their runs, failures and last success`() throws {
    let counters = try Counters()
    let silent = Logger(label: "jobs") { _ in SwiftLogNoOpLogHandler() }
    let tasks = [
      JobSchedule.Task(name: "a/well") { $0 + .hours(1) },
      JobSchedule.Task(name: "a/badly") { _ in throw Refusal.notFound },
    ]
    let now = Instant(1_000)
    var schedule = JobSchedule(tasks, counters, watch: JobWatch(), start: now, log: silent)
    for _ in tasks { schedule.runNext { now } }
    try withTemporaryDirectory { directory in
      let files = InstallationFiles.test(in: "\(directory)/none")
      var page = MetricsPage(
        instruments: Instruments(counters, counters.claimShard()), files: files, now: now,
        stored: { StatusReport.Stored(warnings: [.clock]) })
      let lines = Set(page.text().split(separator: "\n"))
      for line in [
        #"polyclinic_job_runs_total{job="a/well"} 1"#,
        #"polyclinic_job_runs_total{job="a/badly"} 1"#,
        #"polyclinic_job_failures_total{job="a/well"} 0"#,
        #"polyclinic_job_failures_total{job="a/badly"} 1"#,
        #"polyclinic_job_succeeded_timestamp_seconds{job="a/well"} 1000.0"#,
        #"polyclinic_database_warning{warning="clock"} 1"#,
      ] {
        #expect(lines.contains(Substring(line)))
      }
      #expect(!lines.contains { $0.contains(#"succeeded_timestamp_seconds{job="a/badly""#) })
    }
  }
}
