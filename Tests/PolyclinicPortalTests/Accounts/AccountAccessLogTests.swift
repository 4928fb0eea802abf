import PolyclinicCore
import PolyclinicTesting
import Testing

@Suite struct AccountAccessLogTests {
  @Test func `the access log shows each viewer once, with name and role`() throws {
    let portal = try TestPortal()
    let chief = try portal.register(login: "chief", ["name": "Olga", "surname": "Chief"])
    try portal.grant(.administrator, to: "chief")
    let anna = try portal.register(login: "anna")
    #expect(!anna.get("/account/access-log").contains("Olga Chief"))
    let person = try portal.keys(of: anna).person
    for _ in 1...3 { #expect(chief.get("/admin/people/\(person)").status == 200) }
    let page = anna.get("/account/access-log")
    #expect(page.hasRow("Olga Chief") && page.hasBadge("Administrator"))
    #expect(page.body.split(separator: "Olga Chief").count == 2)
    #expect(!page.contains("⟦"))
  }

  @Test func `the access log leaves out a person's views of their own data`() throws {
    let anna = try TestPortal().register()
    #expect(anna.get("/account").status == 200)
    #expect(!anna.get("/account/access-log").contains("Petrova</strong>"))
  }
}
