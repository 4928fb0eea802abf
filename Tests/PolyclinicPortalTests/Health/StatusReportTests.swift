import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicServing
@testable import PolyclinicSystem

@Suite struct StatusReportTests {
  private let now = TestPortal.start

  /// Returns the status report of an installation with these files.
  private func report(
    backedUp backup: Instant? = nil, _ availability: UptimeHistory? = nil
  ) throws -> StatusReport {
    try withTemporaryDirectory { directory in
      let files = InstallationFiles.test(in: directory)
      if let availability { try files.uptime.write(availability) }
      if let backup {
        _ = try OpenFile("\(directory)/\(BackupName(backup))", O_WRONLY | O_CREAT)
      }
      _ = try OpenFile("\(directory)/db", O_WRONLY | O_CREAT)
      return StatusReport(files, at: now)
    }
  }

  private func there(for days: Int) -> UptimeHistory {
    var availability = UptimeHistory(since: now - .days(days))
    availability.begin(at: now - .days(days))
    availability.extend(to: now)
    return availability
  }

  @Test func `a backup is late when two backups were due since the last one`() throws {
    let times: [Seconds] = [.hours(1), .hours(48), .hours(49)]
    let late = try times.map { age in
      try report(backedUp: now - age).backup?.isLate(at: now)
    }
    #expect(late == [false, false, true])
  }

  @Test func `a portal without a backup is late as soon as two were due`() throws {
    #expect(try report().backup?.isLate(at: now) == false)
    #expect(try report(there(for: 1)).backup?.isLate(at: now) == false)
    #expect(try report(there(for: 3)).backup?.isLate(at: now) == true)
  }

  @Test func `the status text shows uptime, last backup, database size and modules`() throws {
    let text = try report(backedUp: now - .hours(50), there(for: 40))
      .text(modules: ["contacts", "notes"], at: now)
    let lines = text.split(separator: "\n")
    #expect(lines[0] == "Polyclinic is not running.")
    let young = try report(there(for: 2)).text(modules: [], at: now)
    #expect(young.contains("Available for 100.00 % of the 2 d 0 h since the first start; 99.50 %"))
    #expect(lines[1] == "Available for 100.00 % of the last 30 days; 99.50 % is promised")
    #expect(
      lines[2]
        == "Last good backup 2 d 2 h ago, WHICH IS LATE; one is due every 1 d 0 h")
    #expect(lines[3].hasPrefix("Database 0.0 kB, its log 0.0 kB; "))
    #expect(lines[4] == "Modules: contacts, notes")
    #expect(
      try report().text(modules: [], at: now).contains("No backup yet; one is due every 1 d 0 h"))
  }

  @Test func `the status says that the database does not answer, and all else that it knows`()
    throws
  {
    try withTemporaryDirectory { directory in
      let report = StatusReport(.test(in: directory), at: now) {
        throw DatabaseError(.missing, code: 0, detail: "no database at x")
      }
      let lines = report.text(modules: ["contacts"], at: now).split(separator: "\n")
      #expect(lines[2] == "No backup yet; one is due every 1 d 0 h")
      #expect(lines[3].hasPrefix("The database does not answer: no database at x; "))
      #expect(lines[4] == "Modules: contacts")
    }
  }

  @Test func `the status warns of what should be changed at the database's server`() throws {
    try withTemporaryDirectory { directory in
      let text = StatusReport(.test(in: directory), at: now) {
        StatusReport.Stored(warnings: [.standby, .clock])
      }.text(modules: [], at: now)
      #expect(text.contains("\nThe database's server waits for no synchronous standby."))
      #expect(text.contains("\nThe clock of the database's server differs"))
      #expect(!text.contains("sorts texts"))
    }
  }

  @Test(arguments: DatabaseWarning.allCases, Language.allCases)
  func `each warning of the database's server has words in every language`(
    warning: DatabaseWarning, language: Language
  ) throws {
    let words = try Phrasebook(.shared + .server).preceded(by: .administration)
    let text = words.string(Text("state.warning.\(warning.rawValue)"), in: language)
    #expect(text.count > 40 && !text.contains("⟦"))
  }

  @Test func `the availability of the first day is not judged`() throws {
    func isBelow(since: Seconds) throws -> Bool {
      var availability = UptimeHistory(since: now - since)
      availability.begin(at: now - .minutes(30))
      availability.extend(to: now)
      return try report(availability).isBelowTarget(at: now)
    }
    #expect(try !isBelow(since: .hours(23)))
    #expect(try isBelow(since: .hours(24)))
    #expect(try !report(there(for: 2)).isBelowTarget(at: now))
  }

  @Test func `a percentage is rounded down`() {
    #expect(Percentage(of: 0.999_999).description == "99.99 %")
    #expect(Percentage(of: 0.995).description == "99.50 %")
    #expect(Percentage(of: 1).description == "100.00 %")
    #expect(Percentage(of: 0).description == "0.00 %")
  }

  @Test func `sizes have two or three digits and a unit`() {
    let sizes: [UInt64] = [0, 1_500, 999_400, 1_000_000, 12_345_678, 71_000_000_000, 1 << 60]
    #expect(
      sizes.map { ByteCount($0).text }
        == ["0.0 kB", "1.5 kB", "999 kB", "1.0 MB", "12 MB", "71 GB", "1152922 TB"])
  }
}

@Suite struct StatePageTests {
  private let portal: TestPortal
  private let administrator: TestVisitor

  init() throws {
    portal = try TestPortal(NotesModule())
    administrator = try portal.administrator()
  }

  private func record(_ share: Int) throws {
    let start = portal.now - .hours(100)
    var availability = UptimeHistory(since: start)
    availability.begin(at: start)
    availability.extend(to: start + .hours(share))
    try UptimeFile(in: portal.directory).write(availability)
  }

  @Test(arguments: Language.allCases)
  func `the administration page shows uptime and workers in every language`(language: Language)
    throws
  {
    try portal.speak(language, administrator)
    let status = ProcessStatus(
      pid: getpid(), started: portal.now, listen: "unix:x", generation: 1, isStopping: false,
      isReloading: false, lastReload: nil, children: [],
      slots: [ProcessSlot(.jobs, 1, startsAt: .now), ProcessSlot(.worker, 7, startsAt: .now)])
    let directory = RunDirectory(portal.directory)
    let lock = try PidFile(directory.pidFile)
    defer { lock.release() }
    try status.write(to: directory.statusFile)
    try record(99)
    let page = administrator.get("/admin")
    #expect(page.status == 200 && !page.contains("⟦"))
    #expect(page.contains(language == .russian ? "99,00" : "99.00"))
    #expect(page.contains("badge danger"))
    let worker = [Language.english: "Worker", .russian: "Обработчик", .hebrew: "תהליך עבודה"]
    #expect(page.contains("<th scope=\"row\">\(worker[language] ?? "?") "))
  }

  @Test func `the administration page warns of a late backup`() throws {
    #expect(!administrator.get("/admin").contains("notice warning"))
    try record(100)
    #expect(
      administrator.get("/admin").hasNotice(
        .warning, "There is no backup yet, although two were due."))
  }

  @Test func `an unreadable uptime file is shown as not known, and other values remain`() throws {
    do {
      let file = try OpenFile(portal.directory + "/availability", O_WRONLY | O_CREAT)
      try file.write(Array("broken".utf8))
    }
    let page = administrator.get("/admin")
    #expect(
      page.status == 200 && page.fact("Availability") == "Not known"
        && page.contains("Free disk space"))
  }

  @Test func `the readiness page shows the age of the last backup`() throws {
    let name = BackupName(portal.now - .hours(3)).description
    let directory = portal.directory + "/backups"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    #expect(FileManager.default.createFile(atPath: "\(directory)/\(name)", contents: nil))
    let body = portal.visitor().get("/readyz").body
    #expect(body.contains("backup: in time, the last one 3 h 0 min ago\n"))
    portal.now = portal.now + .days(3)
    #expect(portal.visitor().get("/readyz").body.contains("backup: late, the last one 3 d 3 h ago"))
  }

  @Test func `readiness reports a late backup, and fails with 503 on a missing migration`() throws {
    try record(100)
    #expect(portal.visitor().get("/readyz").body.contains("backup: late\n"))
    try portal.database.write { connection in
      _ = try connection.run("DELETE FROM migrations WHERE module = 'notes'")
    }
    let answer = portal.visitor().get("/readyz")
    #expect(answer.status == 503 && answer.body == "not ready: schema\n")
  }
}
