import PolyclinicCore
import PolyclinicTesting
import Testing

@Suite struct PrivacyPageTests {
  @Test func `everyone reads what is kept, by whom it is seen and whom to ask`() throws {
    let page = try TestPortal(NotesModule()).visitor().get("/privacy")
    #expect(page.status == 200 && page.contains("privacy@clinic.example"))
    #expect(page.contains("<th scope=\"row\">Notes</th>"))
    #expect(page.contains("2026"))
  }

  @Test func `what a module that is off would keep is not said`() throws {
    let page = try TestPortal(NotesModule(), disabled: ["notes"]).visitor().get("/privacy")
    #expect(!page.contains("<th scope=\"row\">Notes</th>"))
  }

  @Test(arguments: Language.allCases)
  func `it is said in each language`(_ language: Language) throws {
    let page = try TestPortal().visitor(language: language).get("/privacy")
    #expect(page.status == 200 && !page.contains("⟦"))
  }
}
