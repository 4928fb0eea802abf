import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal

/// The machines on the administrator's overview.
@Suite struct MachineListTests {
  private let portal: TestPortal
  private let administrator: TestVisitor

  init() throws {
    portal = try TestPortal()
    administrator = try portal.administrator()
  }

  /// Reports a machine; without a time, now by the database's clock.
  private func report(_ name: String, version: String = "1.0.0", at now: Instant? = nil) throws {
    let setup = Machine.Setup(version: version, configuration: "0123456789abcdef", keyRing: "fedc")
    _ = try portal.database.write {
      try Machine.report(name, setup, by: 1, at: now, on: $0)
    }
  }

  @Test(arguments: [0, 1])
  func `a portal of one machine lists none`(count: Int) throws {
    if count == 1 { try report("north") }
    let page = administrator.get("/admin")
    #expect(page.status == 200 && !page.contains("Machines"))
    #expect(!page.contains("north"))
  }

  @Test func `machines are listed with what they run and when they were seen`() throws {
    try report("north")
    try report("south")
    let page = administrator.get("/admin")
    #expect(page.hasRow("north") && page.hasRow("south") && page.hasRow("1.0.0"))
    #expect(page.contains("01234567") && !page.contains("0123456789abcdef"))
    #expect(!page.contains("has not been seen"))
  }

  @Test func `a machine that is gone, and one with another release, are problems`() throws {
    try report("north", at: Instant(1_000_000_000))
    try report("south", version: "0.9.0", at: try portal.machineTime - .seconds(9))
    try report("south", version: "0.9.0")
    try report("west")
    let page = administrator.get("/admin")
    #expect(page.hasRow("Gone") && page.hasRow("Other release"))
    #expect(page.hasNotice(.warning, "The machine north has not been seen since"))
    #expect(page.hasNotice(.warning, "The machine south runs with another setup"))
    #expect(!page.contains("The machine west"))
    #expect(administrator.get("/").hasNotice(.warning, "The machine north"))
  }

  @Test func `the backup of another machine counts`() throws {
    try report("north")
    #expect(administrator.get("/admin").fact("Last good backup") == "None yet")
    let backup = Machine.Backup(time: portal.now - .hours(1), duration: .seconds(2), size: 3)
    _ = try portal.database.write { try Machine.record(backup, of: "north", on: $0) }
    #expect(administrator.get("/admin").fact("Last good backup") != "None yet")
    #expect(administrator.get("/account/delete").status == 200)
  }
}

extension TestPortal {
  /// The time by the database's clock.
  fileprivate var machineTime: Instant {
    get throws {
      let time = try database.read { try $0.integer("SELECT \(.databaseTime())") }
      return Instant(Int64(try #require(time)))
    }
  }
}
