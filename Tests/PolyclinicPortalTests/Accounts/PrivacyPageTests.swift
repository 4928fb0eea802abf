import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct PrivacyPageTests {
  @Test func `a signed-out visitor sees the contact, each module's data and the date`() throws {
    let page = try TestPortal(NotesModule()).visitor().get("/privacy")
    #expect(page.status == 200 && page.contains("privacy@clinic.example"))
    #expect(page.contains("<th scope=\"row\">Notes</th>"))
    #expect(page.contains("2026"))
  }

  @Test func `each module's data is in a part of its own that opens`() throws {
    let page = try TestPortal(NotesModule()).visitor().get("/privacy")
    let parts = page.main.all("details")
    #expect(parts.count > 1 && parts.allSatisfy { $0.all("table").count == 1 })
    #expect(parts.last?.text.contains("Notes") == true)
  }

  @Test func `each column of the portal's own tables is sealed or declared`() throws {
    #expect(try TestPortal().untoldColumns() == [])
  }

  @Test func `a disabled module is listed as switched off, with the data that it keeps`() throws {
    let page = try TestPortal(NotesModule(), disabled: ["notes"]).visitor().get("/privacy")
    #expect(
      page.contains("<th scope=\"row\">Notes <span class=\"badge off\">switched off</span></th>"))
    #expect(page.contains("Switched off at the moment: "))
    #expect(try !TestPortal(NotesModule()).visitor().get("/privacy").contains("Switched off"))
  }

  @Test func `the page lists the order of the home page's cards and the cookies`() throws {
    let page = try TestPortal().visitor().get("/privacy")
    #expect(page.contains("order of the cards on the home page"))
    #expect(page.contains("What your browser keeps") && page.contains("larger text"))
  }

  @Test func `the page says what a database server keeps of deleted data`() throws {
    let portal = try TestPortal()
    let isServer = portal.database.dialect == .postgresql
    let page = portal.visitor().get("/privacy")
    #expect(page.contains("in the server’s files, its log and its standby copies") == isServer)
  }

  @Test(arguments: Language.allCases)
  func `the page is translated into each language`(_ language: Language) throws {
    let page = try TestPortal().visitor(language: language).get("/privacy")
    #expect(page.status == 200 && !page.contains("⟦"))
  }

  @Test func `a user who agreed to an earlier version is asked to agree again`() throws {
    let portal = try TestPortal(NotesModule())
    let anna = try portal.register()
    #expect(!anna.get("/").contains("/privacy\">Read and agree"))
    #expect(anna.get("/privacy").contains("You agreed to this version on 4 May 2026."))
    try portal.database.write { try $0.run("UPDATE accounts SET consent_version = 1") }
    #expect(anna.get("/").contains("/privacy\">Read and agree"))
    let page = anna.get("/privacy")
    #expect(page.hasNotice(.plain, "You agreed to version 1 on 4 May 2026. New since then: "))
    portal.now = portal.now + .minutes(30)
    #expect(anna.press("/privacy/agree", on: "/privacy").location == "/privacy")
    #expect(anna.get("/privacy").contains("You agreed to this version on 4 May 2026."))
    #expect(!anna.get("/").contains("/privacy\">Read and agree"))
    let old = page.hidden(of: "/privacy/agree").map { ($0.0, $0.0 == "version" ? "1" : $0.1) }
    try portal.database.write { try $0.run("UPDATE accounts SET consent_version = 1") }
    #expect(anna.post("/privacy/agree", pairs: old).status == 303)
    #expect(anna.get("/privacy").hasNotice(.plain, "You agreed to version 1"))
  }

  @Test func `a user added on the command line is asked for consent`() throws {
    let portal = try TestPortal()
    let commands = try portal.userCommands()
    _ = try commands.add("vera", role: .patient, password: .given(TestVisitor.password))
    let vera = portal.visitor()
    _ = try vera.signIn("vera")
    #expect(vera.get("/").hasSection("Your data"))
    #expect(vera.get("/privacy").hasNotice(.plain, "You have not agreed to this page yet"))
    #expect(vera.press("/privacy/agree", on: "/privacy").status == 303)
    #expect(!vera.get("/").hasSection("Your data"))
  }

  @Test(arguments: Language.allCases)
  func `the request for consent is translated into each language`(_ language: Language) throws {
    let portal = try TestPortal()
    let anna = try portal.register(language: language)
    for version in 0...1 {
      try portal.database.write { try $0.run("UPDATE accounts SET consent_version = \(version)") }
      #expect(!anna.get("/").contains("⟦") && !anna.get("/privacy").contains("⟦"))
    }
  }
}
