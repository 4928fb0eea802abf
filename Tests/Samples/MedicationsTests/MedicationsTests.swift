import Medications
import PolyclinicCore
import PolyclinicTesting
import Testing

@Suite struct MedicationsTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(MedicationsModule())
    anna = try portal.register()
  }

  @Test func `the module keeps the contract of all modules`() throws {
    let contract = ModuleContract(MedicationsModule()) { anna in
      let fields = ["name": "Ramipril", "time": "morning", "until": "2026-05-05"]
      _ = try anna.submit("/medications/new", fields)
      _ = try anna.submit(
        "/medications/1/dose", ["amount": "2", "taken_at": "2026-05-04T08:00"])
    }
    let broken = contract.broken()
    #expect(broken == [])
  }

  @Test func `a medicine is on the dashboard until its last day`() throws {
    let fields = ["name": "Amoxicillin", "dose": "500 mg", "time": "noon", "until": "2026-05-05"]
    #expect(try anna.submit("/medications/new", fields).location == "/medications")
    #expect(anna.get("/").contains("<bdi>500 mg</bdi>, at noon"))
    portal.now = portal.now + .days(2)
    _ = try anna.signIn(anna.login)
    #expect(!anna.get("/").contains("Amoxicillin"))
    #expect(anna.get("/medications").hasRow("Amoxicillin"))
  }

  @Test func `another person's medicine is not found`() throws {
    _ = try anna.submit("/medications/new", ["name": "Ramipril", "time": "morning"])
    let boris = try portal.register()
    #expect(anna.get("/medications/1").status == 200)
    #expect(boris.get("/medications/1").status == 404)
    #expect(boris.get("/medications/1/delete").status == 404)
  }

  @Test func `a deleted medicine can be restored`() throws {
    _ = try anna.submit("/medications/new", ["name": "Ramipril", "time": "morning"])
    #expect(try anna.submit("/medications/1/delete", [:]).location == "/medications?deleted=1")
    #expect(anna.get("/medications").isEmptyList())
    let restored = anna.press("/account/deleted/restore", on: "/medications?deleted=1")
    #expect(restored.location == "/medications/1")
    #expect(anna.get("/medications").hasRow("Ramipril"))
  }

  @Test func `a person is reminded once that a medicine ends`() throws {
    let fields = ["name": "Ramipril", "time": "morning", "until": "2026-05-06"]
    _ = try anna.submit("/medications/new", fields)
    try portal.runJobs()
    try portal.runJobs()
    #expect(portal.notices(of: anna).count == 1)
  }

  @Test func `doses are drawn, and medicines are a table`() throws {
    _ = try anna.submit("/medications/new", ["name": "Ramipril", "time": "morning"])
    let dose = ["amount": "2", "taken_at": "2026-05-04T08:00"]
    #expect(try anna.submit("/medications/1/dose", dose).location == "/medications/1")
    #expect(anna.get("/medications/1").contains("<figure class=\"chart\">"))
    #expect(anna.get("/medications/export.csv").contains("Ramipril,,morning,"))
    #expect(try portal.run("medications", ["count"]).text == "1")
  }

  @Test func `another module reads the medicines through the capability`() throws {
    let portal = try TestPortal(all: [MedicationsModule(), AskingModule()])
    let anna = try portal.register()
    _ = try anna.submit("/medications/new", ["name": "Ramipril", "time": "morning"])
    #expect(anna.get("/asking").contains("Ramipril"))
    let alone = try TestPortal(AskingModule()).register()
    #expect(alone.get("/asking").status == 200)
  }

  @Test func `no name of a medicine is readable in the database's files`() throws {
    _ = try anna.submit("/medications/new", ["name": "Ramipril", "time": "night"])
    #expect(!String(decoding: try portal.storedBytes(), as: UTF8.self).contains("Ramipril"))
  }
}

/// A module that shows what the module of medicines knows.
struct AskingModule: Module {
  let id: ModuleID = "asking"
  var title: Text { "title" }
  var personalData: PersonalData { .none }
  var catalog: Catalog {
    let words = Array(#"{"title": "Asking"}"#.utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }
  var routes: [Route] { [.get("", show)] }

  private func show(_ context: Context) throws -> Response {
    let medication = context.portal.find((any CurrentMedication).self)
    let names = try medication?.names(on: context.today, in: context) ?? []
    return .page("title", "<p>\(names.joined(separator: ", "))</p>")
  }
}
