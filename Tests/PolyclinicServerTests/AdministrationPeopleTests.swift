import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct AdministrationPeopleTests {
  let portal: TestPortal
  let administrator: TestVisitor

  init() throws {
    portal = try TestPortal()
    administrator = try portal.administrator()
  }

  @Test func `a doctor who waits stands first`() throws {
    _ = try portal.register(login: "vera", ["name": "Vera", "role": "doctor"])
    _ = try portal.register(login: "boris", ["name": "Boris"])
    let page = administrator.get("/admin/people").body
    let vera = try #require(page.range(of: "Vera Petrova"))
    let boris = try #require(page.range(of: "Boris Petrova"))
    #expect(vera.lowerBound < boris.lowerBound)
  }

  @Test func `a name is found by a beginning, login and e-mail whole`() throws {
    _ = try portal.register(login: "vera77", ["name": "Véra", "email": "v@example.org"])
    _ = try portal.register(login: "boris", ["name": "Boris"])
    for query in ["ver", "pet+VER", "vera77", "VERA77", "v%40example.org"] {
      let page = administrator.get("/admin/people?q=\(query)")
      #expect(page.contains("Véra Petrova"), "\(query)")
      #expect(!page.contains("Boris"), "\(query)")
    }
    #expect(!administrator.get("/admin/people?q=vera7").contains("Véra"))
    #expect(administrator.get("/admin/people?q=zzz").contains("0 people"))
  }

  @Test func `a page after the last is the last`() {
    let slice = Pagination(page: 9, total: 120)
    #expect(slice.page == 3)
    #expect(slice.range == 100..<120)
    #expect(Pagination(page: 1, total: 0).range == 0..<0)
  }

  @Test func `looking is recorded once an hour, with a count`() throws {
    let anna = try portal.register(login: "anna")
    _ = administrator.get("/admin/people")
    _ = administrator.get("/admin/people?q=an")
    _ = administrator.get(try portal.path(of: anna))
    portal.now = portal.now + .minutes(59)
    _ = administrator.get("/admin/people?q=nobody")
    #expect(try counts(of: anna) == [4])
    portal.now = portal.now + .minutes(2)
    _ = administrator.get("/admin/people")
    #expect(try counts(of: anna) == [4, 1])
  }

  @Test func `an e-mail opens nobody else, and a look at oneself is not recorded`() throws {
    let anna = try portal.register(login: "anna")
    _ = administrator.get("/admin/people?q=nobody%40example.org")
    #expect(try counts(of: anna) == [])
    _ = administrator.get("/admin/people")
    #expect(try counts(of: administrator) == [])
  }

  @Test func `whoever was looked at reads who looked`() throws {
    let anna = try portal.register(login: "anna")
    _ = administrator.get(try portal.path(of: anna))
    #expect(anna.get("/account/access-log").contains("Anna Petrova"))
    #expect(try counts(of: anna) == [1])
  }

  private func counts(of visitor: TestVisitor) throws -> [Int] {
    let person = try portal.keys(of: visitor).person
    return try portal.database.read { connection in
      try connection.rows(
        "SELECT count FROM access_log WHERE person = \(person) ORDER BY hour"
      ) { $0.int(0) }
    }
  }
}
