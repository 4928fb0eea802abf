import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@Suite struct AccountTrashTests {
  private let module = BasketModule()

  @Test func `deleted items are listed and can be restored`() throws {
    let anna = try TestPortal(module).register()
    let page = anna.get("/account/deleted")
    #expect(page.contains("&lt;Old list&gt;") && page.hasSection("Basket"))
    let form = page.hidden(of: "/account/deleted/restore")
    let answer = anna.post("/account/deleted/restore", pairs: form)
    #expect(answer.status == 303 && answer.location == "/basket/7")
    #expect(module.done.events == ["restore 7"])
  }

  @Test func `permanent deletion asks for confirmation`() throws {
    let anna = try TestPortal(module).register()
    let path = "/account/deleted/purge"
    let question = anna.post(path, pairs: anna.get("/account/deleted").hidden(of: path))
    #expect(question.status == 200 && module.done.events.isEmpty)
    #expect(question.contains("&lt;Old list&gt;"))
    let other = anna.get("/account/deleted").hidden(of: path).filter { $0.0 != "item" }
    #expect(anna.post(path, pairs: other + [("item", "8")]).status == 404)
    let answer = anna.post(path, pairs: question.hidden(of: path) + [("confirm", "yes")])
    #expect(answer.status == 303 && answer.location == "/account/deleted")
    #expect(module.done.events == ["purge 7"])
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
    #expect(module.done.events == ["purge before \((portal.now - Trash.keptFor).seconds)"])
  }
}

/// A module whose trash always holds one item.
private struct BasketModule: Module {
  let id: ModuleID = "basket"
  let done = Seen()
  var title: Text { "title" }
  var catalog: Catalog {
    let words = Array("{\"title\": \"Basket\"}".utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }
  var personalData: PersonalData { .none }
  var trash: Trash? {
    Trash(
      list: { _ in [Trash.Item(id: 7, title: "<Old list>", deletedAt: TestPortal.start)] },
      restore: { item, _ in
        done.note("restore \(item)")
        return "\(Int(item))"
      },
      purge: { item, _ in done.note("purge \(item)") },
      purgeAll: { before, _ in done.note("purge before \(before.seconds)") })
  }
}
