import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@Suite struct AccountTrashTests {
  private let module = BasketModule()

  /// The changes that the module has stored.
  private func done(_ portal: TestPortal) throws -> [String] {
    try portal.read { try $0.rows("SELECT event FROM basket_done") { $0.string(0) } }
  }

  @Test func `deleted items are listed and can be restored`() throws {
    let portal = try TestPortal(module)
    let anna = try portal.register()
    let page = anna.get("/account/deleted")
    #expect(page.contains("&lt;Old list&gt;") && page.hasSection("Basket"))
    let form = page.hidden(of: "/account/deleted/restore")
    let answer = anna.post("/account/deleted/restore", pairs: form)
    #expect(answer.status == 303 && answer.location == "/basket/7")
    #expect(try done(portal) == ["restore 7"])
  }

  @Test func `permanent deletion asks for confirmation`() throws {
    let portal = try TestPortal(module)
    let anna = try portal.register()
    let path = "/account/deleted/purge"
    let question = anna.post(path, pairs: anna.get("/account/deleted").hidden(of: path))
    let before = try done(portal)
    #expect(question.status == 200 && before.isEmpty)
    #expect(question.contains("&lt;Old list&gt;"))
    let other = anna.get("/account/deleted").hidden(of: path).filter { $0.0 != "item" }
    #expect(anna.post(path, pairs: other + [("item", "8")]).status == 404)
    let answer = anna.post(path, pairs: question.hidden(of: path) + [("confirm", "yes")])
    #expect(answer.status == 303 && answer.location == "/account/deleted")
    #expect(try done(portal) == ["purge 7"])
  }

  @Test(arguments: [("module", "nothing"), ("item", "x"), ("item", "-1"), ("module", "account")])
  func `restoring from an unknown module or item fails with 404`(_ field: String, _ value: String)
    throws
  {
    let anna = try TestPortal(module).register()
    let form = anna.get("/account/deleted").hidden(of: "/account/deleted/restore")
      .filter { $0.0 != field }
    #expect(anna.post("/account/deleted/restore", pairs: form + [(field, value)]).status == 404)
  }

  @Test func `a disabled module's trash is counted, not listed, and still purged`() throws {
    let portal = try TestPortal(module, disabled: ["basket"])
    let page = try portal.register().get("/account/deleted")
    #expect(!page.contains("Old list") && page.contains("1 record is kept here until"))
    #expect(!page.contains("Nothing was deleted"))
    try portal.runJobs()
    #expect(try done(portal) == ["purge before \((portal.now - Trash.keptFor).seconds)"])
  }
}

/// A module whose trash always holds one item.
private struct BasketModule: Module {
  let id: ModuleID = "basket"
  var title: Text { "title" }
  var catalog: Catalog {
    let words = Array("{\"title\": \"Basket\"}".utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }
  var personalData: PersonalData { .none }
  var migrations: [Migration] {
    [Migration("0001-basket", "CREATE TABLE basket_done (event TEXT NOT NULL) \(.strict)")]
  }
  var trash: Trash? {
    Trash(
      list: { _ in [Trash.Item(id: 7, title: "<Old list>", deletedAt: TestPortal.start)] },
      restore: { item, context in
        try store("restore \(item)", in: context)
        return "\(Int(item))"
      },
      purge: { try store("purge \($0)", in: $1) },
      purgeAll: { try store("purge before \($0.seconds)", in: $1) })
  }

  private func store(_ event: String, in work: Work) throws {
    try work.run("INSERT INTO basket_done (event) VALUES (\(event))")
  }
}
