import PolyclinicCore
import PolyclinicTesting
import Testing

@Suite struct AccountAccessLogTests {
  @Test func `who looked at somebody's data is read by that person, with name, role and reason`()
    throws
  {
    let portal = try TestPortal()
    let chief = try portal.register(login: "chief", ["name": "Olga", "surname": "Chief"])
    try portal.grant(.administrator, to: "chief")
    let anna = try portal.register(login: "anna")
    #expect(!anna.get("/account/access-log").contains("Olga Chief"))
    let person = try portal.keys(of: anna).person
    for _ in 1...3 { #expect(chief.get("/admin/people/\(person)").status == 200) }
    let page = anna.get("/account/access-log")
    #expect(page.contains("Olga Chief") && page.contains("Administrator"))
    #expect(page.body.split(separator: "Olga Chief").count == 2)
    #expect(!page.contains("⟦"))
  }

  @Test func `a person's own look is not in it`() throws {
    let anna = try TestPortal().register()
    #expect(anna.get("/account").status == 200)
    #expect(!anna.get("/account/access-log").contains("Petrova</strong>"))
  }
}
