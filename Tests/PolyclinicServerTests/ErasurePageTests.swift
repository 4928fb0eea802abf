import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

/// Erasing people from the administrator's pages.
@Suite struct ErasurePageTests {
  private let portal: TestPortal
  private let chief: TestVisitor

  init() throws {
    portal = try TestPortal(KeeperModule())
    chief = try portal.administrator()
  }

  private func erase(_ page: String) -> TestPage {
    chief.press(page + "/erase", on: page + "/erase", evenIfAbsent: true)
  }

  private var loggedErasures: [[UInt8]] {
    get throws { try ErasureLog(directory: portal.directory + "/backups").ids() }
  }

  @Test func `a person is erased here, and for every backup`() throws {
    let vera = try portal.register(login: "vera")
    let page = try portal.path(of: vera)
    let question = chief.get(page + "/erase")
    #expect(question.contains("Anna Petrova (vera): profile, account and all records"))
    #expect(question.contains("The portal has made no backup yet"))
    let answer = erase(page)
    #expect(answer.location == "/admin/people?done=erased")
    #expect(chief.get(answer.location).contains("The person is erased."))
    #expect(chief.get(page).status == 404 && chief.get(page + "/erase").status == 404)
    #expect(try portal.visitor().signIn("vera").status == 422)
    let kept = try portal.database.read { connection in
      try connection.rows("SELECT erasure_id FROM erasures") { $0.bytes(0) }
    }
    #expect(try kept.count == 1 && loggedErasures == kept)
    #expect(chief.get("/admin/audit").contains("Everything erased"))
  }

  @Test func `somebody without an account is erased as well`() throws {
    let vera = try portal.enter("Vera")
    #expect(erase("/admin/people/\(vera.person)").status == 303)
    #expect(try portal.rowCounts()["people"] == 1)
  }

  @Test func `No leads back, with nothing erased`() throws {
    let page = try portal.path(of: try portal.register(login: "vera"))
    let answer = chief.press(page + "/erase", on: page + "/erase", ["cancel": "yes"])
    #expect(answer.location == page && chief.get(page).status == 200)
  }

  @Test func `a module says what has to be done first, in its own words`() throws {
    let doctor = try portal.doctor()
    let page = try portal.path(of: doctor)
    #expect(chief.get(page + "/erase").contains("Doris has the key. Take it back first."))
    let answer = erase(page)
    #expect(answer.status == 409 && answer.contains("Doris has the key. Take it back first."))
    #expect(answer.contains("Nothing about Anna Petrova (\(doctor.login)) was erased."))
    #expect(doctor.get("/account").status == 200)
    #expect(try loggedErasures == [])
  }

  @Test func `a module that is off is asked as well`() throws {
    let portal = try TestPortal(KeeperModule(), disabled: ["keeper"])
    let chief = try portal.administrator()
    let page = try portal.path(of: try portal.doctor())
    let answer = chief.press(page + "/erase", on: page + "/erase", evenIfAbsent: true)
    #expect(answer.status == 409 && answer.contains("Take it back first."))
  }

  @Test func `the last administrator stays, and says so in the same shape`() throws {
    let page = try portal.path(of: chief)
    #expect(!chief.get(page + "/erase").contains("Erase everything</button>"))
    let answer = erase(page)
    #expect(answer.status == 409)
    #expect(answer.contains("Make somebody else administrator first."))
    _ = try portal.administrator()
    #expect(erase(page).location == "/")
    #expect(chief.get("/account").status == 303)
  }

  @Test func `the command says the same, and ends as failed`() throws {
    let doris = try portal.doctor()
    let commands = try portal.userCommands()
    let log = ErasureLog(directory: portal.directory)
    #expect(throws: CommandFailure("Doris has the key. Take it back first.")) {
      try commands.erase(doris.login, log: log) {}
    }
    #expect(try portal.visitor().signIn(doris.login).status == 303)
  }

  @Test func `where the list of erasures cannot be written, nothing is erased`() throws {
    let page = try portal.path(of: try portal.register(login: "vera"))
    // A file where the directory is to be.
    try Data().write(to: URL(filePath: portal.directory + "/backups"))
    let answer = erase(page)
    #expect(answer.status == 503 && answer.contains("Nothing was erased"))
    #expect(answer.contains("polyclinic user erase --person"))
    #expect(try portal.visitor().signIn("vera").status == 303)
  }

  @Test(arguments: Language.allCases)
  func `it is said in each language`(_ language: Language) throws {
    let visitor = portal.visitor(language: language)
    _ = try visitor.signIn(chief.login)
    for page in [try portal.path(of: chief), "/admin/people/\(try portal.enter("Vera").person)"] {
      #expect(!visitor.get(page).contains("⟦") && !visitor.get(page + "/erase").contains("⟦"))
    }
    #expect(!visitor.get("/admin/people?done=erased").contains("⟦"))
  }
}
