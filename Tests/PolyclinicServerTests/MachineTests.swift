import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Synchronization
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicServer
@testable import PolyclinicServing

/// Machines that share the database of one portal.
@Suite struct MachineTests {
  private let portal: TestPortal
  private let start = TestPortal.start

  init() throws { portal = try TestPortal() }

  /// Counts the reloads that a machine has asked for.
  private final class Reloads: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock(\.self) }
    func add() { number.withLock { $0 += 1 } }
  }

  private func setup(_ version: String = "1", keyRing: String = "k") -> Machine.Setup {
    Machine.Setup(version: version, configuration: "c", keyRing: keyRing)
  }

  private func duties(
    of name: String, _ setup: Machine.Setup? = nil, _ reloads: Reloads = Reloads()
  ) -> MachineDuties {
    let setup = setup ?? self.setup()
    return MachineDuties(
      database: portal.database, lease: JobLease(of: name, in: portal.database), name: name,
      setup: { setup }, erasures: ErasureLog(directory: portal.directory + "/" + name), revision: 0,
      reload: reloads.add, log: .silent)
  }

  private func machines(at now: Instant) throws -> [Machine] {
    try portal.database.read { try Machine.all(at: now, on: $0) }
  }

  @Test func `machines report, and one that is silent for half a minute is gone`() throws {
    var (a, b) = (duties(of: "a"), duties(of: "b"))
    try a.perform(at: start, uptime: 0)
    try b.perform(at: start + .seconds(10), uptime: 0)
    let all = try machines(at: start + .seconds(31))
    #expect(all.map(\.name) == ["a", "b"])
    #expect(all.live.map(\.name) == ["b"])
    #expect(all[0].seen == start)
    try a.perform(at: start + .days(31), uptime: 5_000)
    _ = try portal.database.write { try Machine.forgetGone(at: start + .days(31), on: $0) }
    #expect(try machines(at: start + .days(31)).map(\.name) == ["a"])
  }

  @Test
  func `a machine lags behind the one that changed last, and a machine that is gone does not`()
    throws
  {
    var (a, b, c) = (duties(of: "a"), duties(of: "b"), duties(of: "c"))
    try a.perform(at: start, uptime: 0)
    try b.perform(at: start, uptime: 0)
    try c.perform(at: start - .minutes(9), uptime: 0)
    var upgraded = duties(of: "b", setup("2", keyRing: "new"))
    try upgraded.perform(at: start + .seconds(5), uptime: 0)
    try a.perform(at: start + .seconds(6), uptime: 6_000)
    let all = try machines(at: start + .seconds(7))
    #expect(all.map(all.differences) == [[.version, .keyRing], [], []])
    #expect(all.lacking(keyRing: "new") == ["a"])
    #expect(all[0].changed == start)
  }

  @Test func `two machines of one name are noticed`() throws {
    let own = try portal.database.write { connection in
      _ = try Machine.report("a", setup(), by: 1, at: start, on: connection)
      return try Machine.report("a", setup(), by: 1, at: start, on: connection)
    }
    let other = try portal.database.write { connection in
      _ = try Machine.report("a", setup(), by: 2, at: start, on: connection)
      return try Machine.report("a", setup(), by: 1, at: start, on: connection)
    }
    #expect(own && !other)
  }

  @Test func `each machine reloads once after a module is switched`() throws {
    let (ofA, ofB) = (Reloads(), Reloads())
    var (a, b) = (duties(of: "a", nil, ofA), duties(of: "b", nil, ofB))
    try a.perform(at: start, uptime: 0)
    #expect(ofA.count == 0)
    func set(_ enabled: Bool) throws -> ModuleSwitching {
      try DatabaseSwitch.set("contacts", enabled: enabled, in: portal.database)
    }
    _ = try set(false)
    for second in [5, 10] {
      try a.perform(at: start + .seconds(second), uptime: 0)
      try b.perform(at: start + .seconds(second), uptime: 0)
    }
    #expect(ofA.count == 1 && ofB.count == 1)
    _ = try set(false)
    try a.perform(at: start + .seconds(15), uptime: 0)
    #expect(ofA.count == 1)
    try a.perform(uptime: 0)
    #expect(try set(true) == .reloading)
    try a.perform(uptime: 0)
    #expect(ofA.count == 2)
    let switches = try portal.database.read { try ModuleSwitches(on: $0) }
    #expect(switches["contacts"] == true && switches["diary"] == nil)
  }

  @Test func `each machine logs the erasures of all, at the start and every minute`() throws {
    let logs = ["a", "b"].map { ErasureLog(directory: portal.directory + "/" + $0) }
    func ids() throws -> [Int] { try logs.map { try $0.ids().count } }
    try portal.erase(portal.register())
    var (a, b) = (duties(of: "a"), duties(of: "b"))
    try a.perform(at: start, uptime: 0)
    #expect(try ids() == [1, 0])
    try portal.erase(portal.register())
    try b.perform(at: start, uptime: 0)
    try a.perform(at: start + .seconds(5), uptime: 59_999)
    #expect(try ids() == [1, 2])
    try a.perform(at: start + .seconds(10), uptime: 60_000)
    #expect(try ids() == [2, 2])
  }

  @Test func `a backup of one machine is known to all, and none makes another one too early`()
    throws
  {
    var (a, b) = (duties(of: "a"), duties(of: "b"))
    try a.perform(at: start, uptime: 0)
    try b.perform(at: start, uptime: 0)
    func job(_ machine: String) throws -> BackupJob {
      let directory = portal.directory + "/backups-of-" + machine
      return BackupJob(
        backup: Backup(database: portal.database, vault: try portal.vault), machine: machine,
        directory: BackupDirectory(directory),
        settings: .init(directory: directory, every: .hours(24), keep: 3), log: .silent)
    }
    #expect(try job("a").run(at: start) == start + .hours(24))
    #expect(try job("b").run(at: start + .hours(1)) == start + .hours(24))
    let backups = try machines(at: start).map(\.backup)
    #expect(backups[0]?.time == start && backups[1] == nil)
    #expect(backups[0].map { $0.size > 0 } == true)
    let report = StatusReport(.test(in: portal.directory + "/b"), at: start + .hours(1)) {
      StatusReport.Stored(machines: try machines(at: start))
    }
    #expect(report.backup?.newest == start)
    #expect(try job("b").run(at: start + .hours(24)) == start + .hours(48))
    #expect(
      InstallationFiles.test(in: portal.directory).forgetting(
        at: start, machines: try machines(at: start)) == .unknown)
  }

  @Test func `the status lists machines only if there are several`() throws {
    var (a, b) = (duties(of: "a"), duties(of: "b", setup("2")))
    try a.perform(at: start, uptime: 0)
    func text() throws -> String {
      let machines = try machines(at: start + .seconds(5))
      return StatusReport(.none, at: start + .seconds(5)) { .init(machines: machines) }
        .text(modules: [], at: start + .seconds(5))
    }
    #expect(try !text().contains("MACHINE"))
    try b.perform(at: start + .seconds(5), uptime: 0)
    let lines = try text().split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("a ") && $0.hasSuffix("LAGS in release") })
    #expect(lines.contains { $0.hasPrefix("b ") && $0.hasSuffix("up to date") })
  }
}
