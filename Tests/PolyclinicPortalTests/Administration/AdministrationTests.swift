import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicWeb

@Suite struct AdministrationTests {
  @Test(arguments: ["/admin", "/admin/people", "/admin/people/1", "/admin/modules", "/admin/audit"])
  func `only administrators open the administration pages`(path: String) throws {
    let portal = try TestPortal()
    let administrator = try portal.administrator()
    let patient = try portal.register()
    #expect(portal.visitor().get(path).location.hasPrefix("/login?next="))
    #expect(patient.get(path).status == 403)
    #expect(administrator.get(path).status == 200)
    #expect(administrator.send("PUT", path).status == 405)
  }

  @Test func `only administrators see the link to the administration`() throws {
    let portal = try TestPortal()
    let administrator = try portal.administrator()
    let patient = try portal.register()
    #expect(administrator.get("/").hasLink(to: "/admin"))
    #expect(!patient.get("/").hasLink(to: "/admin"))
  }

  @Test func `the page of an unknown person gets 404`() throws {
    let administrator = try TestPortal().administrator()
    #expect(administrator.get("/admin/people/4711").status == 404)
    #expect(administrator.get("/admin/people/x").status == 404)
    #expect(administrator.get("/admin/people/4711/suspend").status == 404)
  }

  @Test(arguments: Language.allCases)
  func `every administration page has all its phrases in each language`(language: Language) throws {
    let portal = try TestPortal()
    let administrator = try portal.administrator()
    administrator.headers["Accept-Language"] = language.code
    let doctor = try portal.register(["role": "doctor"])
    let person = try portal.path(of: doctor)
    try portal.speak(language, administrator)
    _ = administrator.press("\(person)/give", on: person, ["role": "receptionist"])
    let paths = [
      "/admin", "/admin/people", "/admin/people?q=anna", "/admin/people?q=nobody", person,
      "\(person)/suspend", "\(person)/give?role=administrator", "\(person)?done=given",
      "/admin/modules", "/admin/audit", "/",
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

  @Test func `the administration catalog has the same keys in every language`() {
    #expect(Catalog.administration.differences().isEmpty)
  }

  @Test func `every audit action and role has a phrase`() throws {
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
  /// Sets the account's language.
  func speak(_ language: Language, _ visitor: TestVisitor) throws {
    let answer = visitor.press("/language", on: "/", ["language": language.code])
    #expect(answer.status == 303)
  }
}
