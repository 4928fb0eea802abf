import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@Suite struct AdministrationPeopleTests {
  let portal: TestPortal
  let administrator: TestVisitor

  init() throws {
    portal = try TestPortal()
    administrator = try portal.administrator()
  }

  @Test func `a doctor who waits for approval is listed first`() throws {
    _ = try portal.register(login: "vera", ["name": "Vera", "role": "doctor"])
    _ = try portal.register(login: "boris", ["name": "Boris"])
    let page = administrator.get("/admin/people").body
    let vera = try #require(page.range(of: "Vera Petrova"))
    let boris = try #require(page.range(of: "Boris Petrova"))
    #expect(vera.lowerBound < boris.lowerBound)
  }

  @Test func `a search finds names by prefix, and logins and e-mail addresses in full`() throws {
    _ = try portal.register(login: "vera77", ["name": "Véra", "email": "v@example.org"])
    _ = try portal.register(login: "boris", ["name": "Boris"])
    for query in ["ver", "pet+VER", "vera77", "VERA77", "v%40example.org"] {
      let page = administrator.get("/admin/people?q=\(query)")
      #expect(page.hasRow("Véra Petrova"), "\(query)")
      #expect(!page.contains("Boris"), "\(query)")
    }
    #expect(!administrator.get("/admin/people?q=vera7").contains("Véra"))
    #expect(administrator.get("/admin/people?q=zzz").contains("0 people"))
  }

  @Test func `the list is filtered by role and state`() throws {
    _ = try portal.register(login: "vera", ["name": "Vera", "role": "doctor"])
    _ = try portal.doctor(["name": "Dora"])
    _ = try portal.register(login: "boris", ["name": "Boris"])
    let waiting = administrator.get("/admin/people?state=waiting")
    #expect(waiting.hasRow("Vera") && !waiting.hasRow("Boris") && !waiting.hasRow("Dora"))
    let doctors = administrator.get("/admin/people?role=doctor")
    #expect(doctors.hasRow("Dora") && !doctors.hasRow("Vera") && !doctors.hasRow("Boris"))
    #expect(administrator.get("/admin/people?role=doctor&q=bor").isEmptyList())
    #expect(administrator.get("/admin/people?role=owner&state=%27&order=x").hasRow("Boris"))
  }

  @Test func `the list is sorted by the newest or by name`() throws {
    for name in ["Clara", "Abel", "Boris"] { _ = try portal.register(["name": name]) }
    func names(_ query: String) -> [String] {
      administrator.get("/admin/people" + query).rows.compactMap {
        ["Abel", "Boris", "Clara"].first(where: $0.contains)
      }
    }
    #expect(names("") == ["Boris", "Abel", "Clara"])
    #expect(names("?order=name") == ["Abel", "Boris", "Clara"])
  }

  @Test func `a page number after the last shows the last page`() {
    let slice = Page.Pagination(page: 9, total: 120)
    #expect(slice.page == 3)
    #expect(slice.range == 100..<120)
    #expect(Page.Pagination(page: 2, total: 45, size: 20).range == 20..<40)
    #expect(Page.Pagination(page: 9, total: 45, size: 20).range == 40..<45)
    #expect(Page.Pagination(page: 1, total: 0).range == 0..<0)
  }

  @Test func `views are logged in one entry per hour with a count`() throws {
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

  @Test func `a search by unknown e-mail and a view of oneself are not logged`() throws {
    let anna = try portal.register(login: "anna")
    _ = administrator.get("/admin/people?q=nobody%40example.org")
    #expect(try counts(of: anna) == [])
    _ = administrator.get("/admin/people")
    #expect(try counts(of: administrator) == [])
  }

  @Test func `a person's access log names the administrator who viewed their page`() throws {
    let anna = try portal.register(login: "anna")
    _ = administrator.get(try portal.path(of: anna))
    #expect(anna.get("/account/access-log").hasRow("Anna Petrova"))
    #expect(try counts(of: anna) == [1])
  }

  private func counts(of visitor: TestVisitor) throws -> [Int] {
    let person = try portal.keys(of: visitor).person
    return try portal.database.read { connection in
      try connection.rows(
        "SELECT count FROM access_log WHERE person = \(person) ORDER BY at"
      ) { $0.int(0) }
    }
  }
}
