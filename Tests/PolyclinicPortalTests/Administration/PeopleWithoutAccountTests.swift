import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicServer
@testable import PolyclinicWeb

/// People without an account, on the pages and in the commands that concern people.
@Suite struct PeopleWithoutAccountTests {
  private let portal: TestPortal
  private let chief: TestVisitor
  private let vera: Keys
  private let damage = [UInt8](repeating: 0, count: 40)

  init() throws {
    portal = try TestPortal()
    chief = try portal.administrator()
    vera = try portal.enter("Vera")
  }

  private var path: String { "/admin/people/\(vera.person)" }

  @Test(arguments: Language.allCases)
  func `administrators see the person in the list and on a detail page`(language: Language) throws {
    let chief = portal.visitor(language: language)
    _ = try chief.signIn(self.chief.login)
    for target in ["/admin/people", "/admin/people?q=ver", path] {
      let page = chief.get(target)
      #expect(page.status == 200 && page.contains("Vera") && !page.contains("⟦"))
    }
    #expect(self.chief.get("/admin/people?q=ver").hasBadge("No account"))
    #expect(self.chief.get(path).hasLink(to: "\(path)/erase"))
    #expect(!self.chief.get(path).contains("/suspend"))
    #expect(self.chief.get("/admin").hasLink(to: "/admin/people"))
  }

  @Test func `the list shows people waiting for a role first, then the newest`() throws {
    _ = try portal.register(["name": "Wanda", "role": "doctor"])
    let newcomer = try portal.enter("Zoe")
    let page = chief.get("/admin/people").body
    let places = ["Wanda", "Zoe", "Vera"].compactMap { page.range(of: $0)?.lowerBound }
    #expect(places.count == 3 && places == places.sorted())
    #expect(newcomer.person > vera.person)
  }

  @Test func `account actions on a person without an account answer 404`() throws {
    #expect(chief.get(path + "/suspend").status == 404)
    let form = chief.get("/account").hidden(of: "/logout")
    for action in ["approve", "decline", "give", "take", "reinstate", "link"] {
      let answer = chief.post("\(path)/\(action)", pairs: form + [("role", "doctor")])
      #expect(answer.status == 404, "\(action)")
    }
  }

  @Test func `an administrator's visit to the page is in the access log`() throws {
    _ = chief.get(path)
    let looks = try portal.read { try AccessLog.entries(by: vera, on: $0) }
    #expect(looks.filter { $0.count > 0 }.map(\.role) == ["administrator"])
  }

  @Test func `the check reports a damaged profile`() throws {
    #expect(try portal.problems() == [])
    try portal.write {
      try $0.run("UPDATE profiles SET sealed = \(damage) WHERE person = \(vera.person)")
    }
    #expect(try portal.problems().count == 1)
  }

  @Test func `the check reports a damaged name, and a rebuild repairs it`() throws {
    try portal.write {
      try $0.run("UPDATE profiles SET sealed_name = \(damage) WHERE person = \(vera.person)")
    }
    let problems = try portal.problems()
    #expect(problems.count == 1 && problems[0].contains("--rebuild makes it anew"))
    try portal.write { try Profile.nameIndex.rebuild($0.with(vera)) }
    #expect(try portal.problems() == [])
  }

  @Test func `a person is erased by number, and the erasure log records it`() throws {
    let commands = try portal.userCommands()
    let lines = try commands.erase(person: vera.person, by: portal.erasure())
    #expect(lines.first?.hasPrefix("Person \(vera.person) is erased.") == true)
    let rows = try portal.rowCounts()
    #expect(rows["people"] == 1 && rows["profiles"] == 1 && rows["erasures"] == 1)
    #expect(try ErasureLog(directory: portal.directory).ids().count == 1)
    #expect(
      throws: Command.Failure(
        "Nobody has the number \(vera.person). If that person was erased, the erasure is complete now."
      )
    ) {
      try commands.erase(person: vera.person, by: portal.erasure())
    }
    #expect(chief.get(path).status == 404)
    #expect(chief.get("/admin/audit").status == 200)
  }

  @Test func `the list of accounts omits people without an account`() throws {
    let lines = try portal.userCommands().list()
    #expect(lines.count == 2 && !lines.joined().contains("Vera"))
  }
}
