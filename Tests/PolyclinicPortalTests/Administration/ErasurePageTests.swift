import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicServer

/// The administrator's pages for erasing people.
@Suite struct ErasurePageTests {
  private let portal: TestPortal
  private let chief: TestVisitor

  init() throws {
    portal = try TestPortal(KeeperModule())
    chief = try portal.administrator()
  }

  private func erase(_ page: String) -> TestPage {
    chief.press(page + "/erase", on: page + "/erase", ["confirm": "1"], evenIfAbsent: true)
  }

  private var loggedErasures: [[UInt8]] {
    get throws { try ErasureLog(directory: portal.directory + "/backups").ids() }
  }

  @Test func `erasing a person deletes their account and logs the erasure for backups`() throws {
    let vera = try portal.register(login: "vera")
    let page = try portal.path(of: vera)
    let question = chief.get(page + "/erase")
    #expect(question.contains("Anna Petrova (vera): profile, account and all records"))
    #expect(question.contains("The portal has made no backup yet"))
    let answer = erase(page)
    #expect(answer.location == "/admin/people?done=erased")
    #expect(chief.get(answer.location).hasNotice(.success, "The person is deleted."))
    #expect(chief.get(page).status == 404 && chief.get(page + "/erase").status == 404)
    #expect(try portal.visitor().signIn("vera").status == 422)
    let kept = try portal.database.read { connection in
      try connection.rows("SELECT erasure_id FROM erasures") { $0.bytes(0) }
    }
    #expect(try kept.count == 1 && loggedErasures == kept)
    #expect(chief.get("/admin/audit").hasRow("Everything deleted"))
  }

  @Test func `a person without an account can be erased`() throws {
    let vera = try portal.enter("Vera")
    #expect(erase("/admin/people/\(vera.person)").status == 303)
    #expect(try portal.rowCounts()["people"] == 1)
  }

  @Test func `an erasure without the tick is refused with 422, and deletes nothing`() throws {
    let page = try portal.path(of: try portal.register(login: "vera"))
    let answer = chief.press(page + "/erase", on: page + "/erase")
    #expect(answer.status == 422 && answer.hasNotice(.warning, "Tick the box"))
    #expect(chief.get(page).status == 200)
  }

  @Test func `the No button leads back to the person and erases nothing`() throws {
    let page = try portal.path(of: try portal.register(login: "vera"))
    let answer = chief.press(page + "/erase", on: page + "/erase", ["cancel": "yes"])
    #expect(answer.location == page && chief.get(page).status == 200)
  }

  @Test func `a module's obstacle is shown and refuses the erasure with 409`() throws {
    let doctor = try portal.doctor()
    let page = try portal.path(of: doctor)
    #expect(
      chief.get(page + "/erase").hasNotice(.warning, "Doris has the key. Take it back first."))
    let answer = erase(page)
    #expect(
      answer.status == 409 && answer.hasNotice(.warning, "Doris has the key. Take it back first."))
    #expect(answer.contains("Nothing about Anna Petrova (\(doctor.login)) was deleted."))
    #expect(doctor.get("/account").status == 200)
    #expect(try loggedErasures == [])
  }

  @Test func `a module that is off can refuse an erasure with 409`() throws {
    let portal = try TestPortal(KeeperModule(), disabled: ["keeper"])
    let chief = try portal.administrator()
    let page = try portal.path(of: try portal.doctor())
    let answer = chief.press(page + "/erase", on: page + "/erase", evenIfAbsent: true)
    #expect(answer.status == 409 && answer.hasNotice(.warning, "Take it back first."))
  }

  @Test func `administrators erase themselves only on the page that asks for the password`() throws
  {
    let page = try portal.path(of: chief)
    _ = try portal.administrator()
    #expect(!chief.get(page).hasLink(to: page + "/erase"))
    #expect(chief.get(page).hasLink(to: "/account/delete"))
    #expect(!chief.get(page + "/erase").contains("Delete everything</button>"))
    let answer = erase(page)
    #expect(answer.status == 409 && answer.hasNotice(.warning, "This is your own account."))
    #expect(answer.hasLink(to: "/account/delete"))
    #expect(try chief.get("/account").status == 200 && loggedErasures == [])
  }

  @Test func `an administrator whose session has ended meanwhile erases nobody`() throws {
    let page = try portal.path(of: try portal.register(login: "vera"))
    let sent = chief.get(page + "/erase").hidden(of: page + "/erase") + [("confirm", "1")]
    // The session ends after it was looked up, when its last use is recorded.
    try portal.run("DELETE FROM sessions", afterEach: "UPDATE ON sessions")
    portal.now = portal.now + .minutes(30)
    #expect(chief.post(page + "/erase", pairs: sent).status == 401)
    #expect(try portal.visitor().signIn("vera").status == 303)
    #expect(try loggedErasures == [])
  }

  @Test func `the erase command fails with the obstacle that the module names`() throws {
    let doris = try portal.doctor()
    let commands = try portal.userCommands()
    #expect(throws: Command.Failure("Doris has the key. Take it back first.")) {
      try commands.erase(doris.login, by: portal.erasure())
    }
    #expect(try portal.visitor().signIn(doris.login).status == 303)
  }

  @Test func `an erasure fails with 503 when the erasure log cannot be written`() throws {
    let page = try portal.path(of: try portal.register(login: "vera"))
    // A file in place of the backup directory.
    try Data().write(to: URL(filePath: portal.directory + "/backups"))
    let answer = erase(page)
    #expect(answer.status == 503 && answer.hasNotice(.warning, "Nothing was deleted"))
    #expect(answer.contains("polyclinic user erase --person"))
    #expect(try portal.visitor().signIn("vera").status == 303)
  }

  @Test(arguments: Language.allCases)
  func `the erasure pages are translated into every language`(_ language: Language) throws {
    let visitor = portal.visitor(language: language)
    _ = try visitor.signIn(chief.login)
    for page in [try portal.path(of: chief), "/admin/people/\(try portal.enter("Vera").person)"] {
      #expect(!visitor.get(page).contains("⟦") && !visitor.get(page + "/erase").contains("⟦"))
    }
    #expect(!visitor.get("/admin/people?done=erased").contains("⟦"))
  }
}
