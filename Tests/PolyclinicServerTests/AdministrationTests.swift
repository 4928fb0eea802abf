import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct AdministrationTests {
  @Test(arguments: ["/admin", "/admin/people", "/admin/people/1", "/admin/modules", "/admin/audit"])
  func `pages of administrators are for administrators alone`(path: String) throws {
    let portal = try TestPortal()
    let administrator = try portal.administrator()
    let patient = try portal.register()
    #expect(portal.visitor().get(path).location.hasPrefix("/login?next="))
    #expect(patient.get(path).status == 403)
    #expect(administrator.get(path).status == 200)
    #expect(administrator.send("PUT", path).status == 405)
  }

  @Test func `only administrators are shown the way`() throws {
    let portal = try TestPortal()
    let administrator = try portal.administrator()
    let patient = try portal.register()
    #expect(administrator.get("/").contains("href=\"/admin\""))
    #expect(!patient.get("/").contains("href=\"/admin\""))
  }

  @Test func `a person who is not there is not found`() throws {
    let administrator = try TestPortal().administrator()
    #expect(administrator.get("/admin/people/4711").status == 404)
    #expect(administrator.get("/admin/people/x").status == 404)
    #expect(administrator.get("/admin/people/4711/suspend").status == 404)
  }

  @Test(arguments: Language.allCases)
  func `every sentence is there`(language: Language) throws {
    let portal = try TestPortal()
    let administrator = try portal.administrator()
    administrator.headers["Accept-Language"] = language.code
    let doctor = try portal.register(["role": "doctor"])
    let person = try portal.path(of: doctor)
    try portal.speak(language, administrator)
    _ = administrator.press("\(person)/give", on: person, ["role": "receptionist"])
    let paths = [
      "/admin", "/admin/people", "/admin/people?q=anna", "/admin/people?q=nobody", person,
      "\(person)/suspend", "\(person)?done=given", "/admin/modules", "/admin/audit",
    ]
    for path in paths {
      let page = administrator.get(path)
      #expect(page.status == 200)
      #expect(page.contains("lang=\"\(language.code)\""))
      #expect(!page.contains("⟦"), "\(path)")
    }
    let link = administrator.press("\(person)/link", on: person)
    #expect(!link.contains("⟦"))
  }

  @Test func `the languages of the administration say the same`() {
    #expect(Catalog.administration.differences().isEmpty)
  }

  @Test func `every action and role has its words`() throws {
    let words = try Phrasebook(.shared + .server).preceded(by: .administration)
    let keys =
      AuditEntry.Action.allCases.map { "audit.action.\($0.rawValue)" }
      + Role.allCases.filter { $0 != .patient }.flatMap {
        ["role.\($0.rawValue).about", "person.waits.\($0.rawValue)"]
      }
      + ["approved", "declined", "given", "taken", "suspended", "reinstated"].map {
        "person.done.\($0)"
      }
    for key in keys { #expect(words.contains(key, in: .english), "\(key)") }
  }
}

extension TestPortal {
  /// The page of a person for administrators.
  func path(of visitor: TestVisitor) throws -> String {
    "/admin/people/\(try keys(of: visitor).person)"
  }

  /// Has the account speak a language.
  func speak(_ language: Language, _ visitor: TestVisitor) throws {
    let answer = visitor.press("/language", on: "/", ["language": language.code])
    #expect(answer.status == 303)
  }
}
