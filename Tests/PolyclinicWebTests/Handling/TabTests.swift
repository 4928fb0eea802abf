import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@Suite struct TabTests {
  /// Returns the addresses that the navigation marks as current on a page.
  private func current(_ path: String) throws -> [String] {
    let portal = try TestPortal(ShelvesModule())
    let page = try portal.register().get(path)
    #expect(page.status == 200)
    return page.body.matches(of: /<li class="current"><a href="([^"]*)" aria-current="page">/)
      .map { String($0.output.1) }
  }

  @Test(arguments: [
    ("/shelves", "/shelves"), ("/shelves/7", "/shelves"),
    ("/shelves/order/lists", "/shelves/order/lists"),
    ("/shelves/order/boxes", "/shelves/order/lists"),
    ("/shelves/orders", "/shelves"),
  ])
  func `the navigation marks the entry of the page's area as current`(page: String, entry: String)
    throws
  {
    #expect(try current(page) == [entry])
  }
}

private struct ShelvesModule: Module {
  let id: ModuleID = "shelves"
  var title: Text { "title" }
  var catalog: Catalog { .titled("Shelves") }
  var personalData: PersonalData { .none }
  var links: [Link] { [Link(title, to: ""), Link(title, to: "order/lists", area: "order")] }
  var routes: [Route] {
    ["", "{id}", "order/lists", "order/boxes", "orders"].map { pattern in
      .get(pattern) { _ in .page("title", "") }
    }
  }
}
