import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

/// Somebody whom a desk has entered, on every page and in every command that knows people.
@Suite struct PeopleWithoutAccountTests {
  private let portal: TestPortal
  private let chief: TestVisitor
  private let vera: Keys

  init() throws {
    portal = try TestPortal()
    chief = try portal.administrator()
    vera = try portal.enter("Vera")
  }

  private var path: String { "/admin/people/\(vera.person)" }

  @Test(arguments: Language.allCases)
  func `administrators see them in the list and on a page of their own`(language: Language) throws {
    let chief = portal.visitor(language: language)
    _ = try chief.signIn(self.chief.login)
    for target in ["/admin/people", "/admin/people?q=ver", path] {
      let page = chief.get(target)
      #expect(page.status == 200 && page.contains("Vera") && !page.contains("⟦"))
    }
    #expect(self.chief.get("/admin/people?q=ver").contains("No account"))
    #expect(self.chief.get(path).contains("href=\"\(path)/erase\""))
    #expect(!self.chief.get(path).contains("/suspend"))
    #expect(self.chief.get("/admin").contains("All 2 people"))
  }

  @Test func `who waits for a role stands before them`() throws {
    _ = try portal.register(["name": "Wanda", "role": "doctor"])
    let newcomer = try portal.enter("Zoe")
    let page = chief.get("/admin/people").body
    let places = ["Wanda", "Zoe", "Vera"].compactMap { page.range(of: $0)?.lowerBound }
    #expect(places.count == 3 && places == places.sorted())
    #expect(newcomer.person > vera.person)
  }

  @Test func `there is nothing to be done to an account that is not there`() throws {
    #expect(chief.get(path + "/suspend").status == 404)
    let form = chief.get("/account").hidden(of: "/logout")
    for action in ["approve", "decline", "give", "take", "reinstate", "link"] {
      let answer = chief.post("\(path)/\(action)", pairs: form + [("role", "doctor")])
      #expect(answer.status == 404, "\(action)")
    }
  }

  @Test func `who looked at them is recorded all the same`() throws {
    _ = chief.get(path)
    let looks = try portal.database.read { try AccessLog.entries(by: vera, on: $0) }
    #expect(looks.map(\.role) == ["administrator"])
  }

  @Test func `check opens what is kept of them`() throws {
    #expect(try portal.problems() == [])
    try portal.database.write {
      try $0.run("UPDATE profiles SET sealed = zeroblob(40) WHERE person = \(vera.person)")
    }
    #expect(try portal.problems().count == 1)
  }

  @Test func `a name that does not open is found, and made anew from the profile`() throws {
    try portal.database.write {
      try $0.run("UPDATE profiles SET sealed_name = zeroblob(40) WHERE person = \(vera.person)")
    }
    let problems = try portal.problems()
    #expect(problems.count == 1 && problems[0].contains("--rebuild makes it anew"))
    try portal.database.write { try Profile.derivedName.rebuild(vera, $0) }
    #expect(try portal.problems() == [])
  }

  @Test func `they are erased by number, and the erasure is kept for backups`() throws {
    let commands = try portal.userCommands()
    let log = ErasureLog(directory: portal.directory)
    let lines = try commands.erase(person: vera.person, log: log, checkpoint: {})
    #expect(lines.first?.hasPrefix("Person \(vera.person) is erased.") == true)
    let rows = try portal.rowCounts()
    #expect(rows["people"] == 1 && rows["profiles"] == 1 && rows["erasures"] == 1)
    #expect(try log.ids().count == 1)
    #expect(throws: CommandFailure("Nobody has the number \(vera.person).")) {
      try commands.erase(person: vera.person, log: log, checkpoint: {})
    }
    #expect(chief.get(path).status == 404)
    #expect(chief.get("/admin/audit").status == 200)
  }

  @Test func `the list of accounts leaves them out`() throws {
    let lines = try portal.userCommands().list()
    #expect(lines.count == 2 && !lines.joined().contains("Vera"))
  }
}
