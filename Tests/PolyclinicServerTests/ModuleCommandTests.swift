import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct ModuleCommandTests {
  @Test func `modules are listed with their state`() throws {
    let lines = try commands(Diary(), isEnabled: false).list()
    #expect(lines == ["MODULE  STATE  TITLE", "diary   off    Diary"])
  }

  @Test(arguments: [
    (ModuleSwitching.reloading, "It takes effect in a moment."),
    (.written, "It takes effect when the portal is started."),
    (.unwritable(text: "write: diary"), "write: diary"),
  ])
  func `switching says what came of it`(outcome: ModuleSwitching, line: String) throws {
    let commands = try commands(Diary(), isEnabled: false)
    #expect(try commands.enable("diary", by: FixedSwitch(outcome: outcome)).last == line)
    #expect(try commands.disable("diary", by: FixedSwitch(outcome: outcome)).last == line)
  }

  @Test func `a switch that has taken effect says no more than that`() throws {
    let commands = try commands(Diary(), isEnabled: false)
    let reloaded = FixedSwitch(outcome: .reloaded)
    #expect(try commands.enable("diary", by: reloaded) == ["diary is switched on."])
    #expect(
      try commands.disable("diary", by: reloaded) == ["diary is switched off. Its data stays."])
  }

  @Test func `an unknown module is named with what was meant`() throws {
    let commands = try commands(Diary(), isEnabled: true)
    #expect(
      throws: CommandFailure(
        "There is no module \"dairy\". Did you mean \"diary\"? Known: diary")
    ) { try commands.enable("dairy", by: FixedSwitch(outcome: .reloading)) }
    #expect(throws: CommandFailure.self) {
      try commands.disable("account", by: FixedSwitch(outcome: .reloading))
    }
  }

  @Test func `the doctor tells who is well, who is not, and whose check failed`() throws {
    struct Secret: Error { let text = "a name" }
    let checks = [
      HealthCheck("well") { _ in nil },
      HealthCheck("ill") { _ in "the feed is three days old" },
      HealthCheck("broken") { _ in throw Secret() },
      HealthCheck("aged", { _ in nil }, details: { _ in "fetched an hour ago" }),
    ]
    let portal = try TestPortal()
    let words = try Phrasebook(.shared)
    let vault = try portal.vault
    let holder = KeyCabinet(vault)
    let people = AccountDirectory(
      vault: vault, cabinet: holder, clock: { portal.now }, zone: .utc)
    let diagnosis = try commands(Diary(checks: checks), isEnabled: true).diagnose { member in
      Portal(
        database: portal.database, settings: member.settings,
        clinic: Organization(name: "", languages: [.english], zone: .utc, contact: ""),
        origin: Origin(host: "clinic.example", port: 443), keys: vault.portalKeys,
        keyHolder: holder,
        secretAddresses: SecretAddressBook(vault: vault, module: member.module.id), people: people,
        noticeBoard: ModuleNoticeBoard(
          module: member.module.id, kinds: [], words: words, language: .english, vault: vault,
          sendsMail: false),
        phrasebook: words, clock: { portal.now })
    }
    #expect(!diagnosis.isHealthy)
    let diary = diagnosis.lines.filter { $0.hasPrefix("diary") }
    #expect(diary.count == 4)
    #expect(diary[0].hasSuffix("well"))
    #expect(diary[1].hasSuffix("the feed is three days old"))
    #expect(diary[2].hasSuffix("the check itself failed: Secret"))
    #expect(diary[3].hasSuffix("well: fetched an hour ago"))
  }

  private func commands(_ module: any Module, isEnabled: Bool) throws -> ModuleCommands {
    let assembly = Assembly(
      plugins: [module], isEnabled: { _ in isEnabled }, settings: { _ in Settings([]) },
      site: Front.Site(
        origin: Origin(host: "clinic.example", port: 443),
        clinic: Organization(name: "", languages: [.english], zone: .utc, contact: "")),
      moduleSwitch: FixedSwitch(outcome: .reloading))
    return ModuleCommands(installation: try assembly.installation())
  }
}

/// Answers the same, whatever it is asked to switch.
struct FixedSwitch: ModuleSwitch {
  let outcome: ModuleSwitching

  func set(_ module: ModuleID, enabled: Bool) -> ModuleSwitching { outcome }
}
