import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicServer
@testable import PolyclinicWeb

@Suite struct ModuleCommandTests {
  @Test func `modules are listed with their state and title`() throws {
    let lines = try commands(Diary(), isEnabled: false).list()
    #expect(lines == ["MODULE  STATE  TITLE", "diary   off    Diary"])
  }

  @Test(arguments: [
    (ModuleSwitching.reloading, "It takes effect in a moment."),
    (.written, "It takes effect when the portal is started."),
    (.unwritable(text: "write: diary"), "write: diary"),
  ])
  func `enabling and disabling a module report the outcome of the switch`(
    outcome: ModuleSwitching, line: String
  ) throws {
    let commands = try commands(Diary(), isEnabled: false)
    #expect(try commands.enable("diary", by: FixedSwitch(outcome: outcome)).last == line)
    #expect(try commands.disable("diary", by: FixedSwitch(outcome: outcome)).last == line)
  }

  @Test func `a switch that has taken effect is reported without further advice`() throws {
    let commands = try commands(Diary(), isEnabled: false)
    let reloaded = FixedSwitch(outcome: .reloaded)
    #expect(try commands.enable("diary", by: reloaded) == ["diary is switched on."])
    #expect(
      try commands.disable("diary", by: reloaded) == ["diary is switched off. Its data stays."])
  }

  @Test func `an unknown module is refused with a suggestion`() throws {
    let commands = try commands(Diary(), isEnabled: true)
    #expect(
      throws: Command.Failure(
        "There is no module \"dairy\". Did you mean \"diary\"? Known: diary")
    ) { try commands.enable("dairy", by: FixedSwitch(outcome: .reloading)) }
    #expect(throws: Command.Failure.self) {
      try commands.disable("account", by: FixedSwitch(outcome: .reloading))
    }
  }

  @Test func `the doctor command reports passed checks, problems and failed checks`() throws {
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
    let keyStore = KeyStore(vault)
    let assets = try Assets(directory: TestPortal.www)
    let people = AccountDirectory(
      vault: vault, keyStore: keyStore, zone: .utc)
    let diagnosis = try commands(Diary(checks: checks), isEnabled: true).diagnose { member in
      Portal(
        database: portal.database, settings: member.settings,
        clinic: Portal.Organization(name: "", languages: [.english], zone: .utc),
        origin: Portal.Origin(host: "clinic.example", port: 443), keys: vault.portalKeys,
        keyHolder: keyStore,
        secretAddresses: SecretAddressBook(vault: vault, module: member.module.id), people: people,
        noticeBoard: ModuleNoticeBoard(
          module: member.module.id, kinds: [], words: words, language: .english, vault: vault,
          sends: [], guardianAccess: .records),
        phrasebook: words, assets: assets, clock: { portal.now })
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
    let builder = InstallationBuilder(
      plugins: [module], isEnabled: { _ in isEnabled }, settings: { _ in Portal.Settings([]) },
      site: ServerContext.Site(
        origin: Portal.Origin(host: "clinic.example", port: 443),
        clinic: Portal.Organization(name: "", languages: [.english], zone: .utc)),
      files: .none, moduleSwitch: FixedSwitch(outcome: .reloading))
    return ModuleCommands(installation: try builder.installation())
  }
}
