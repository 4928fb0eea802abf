import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicTesting
@testable import PolyclinicWeb

/// The parts that the frame adds to every page.
@Suite struct FrameTests {
  @Test func `the link back names the place that it leads to`() throws {
    let anna = try TestPortal(MazeModule()).register()
    let back = "<span class=\"hidden-text\">Back: </span>"
    #expect(anna.get("/maze/room").body.contains("\(back)Garden</a>"))
    #expect(anna.get("/maze/cellar").body.contains("\(back)Garden</a>"))
    #expect(anna.get("/maze/stairs").body.contains("\(back)Garden 2</a>"))
    #expect(anna.get("/account/sessions").body.contains("\(back)Your profile</a>"))
  }

  @Test func `a link back to a page without a known title says Back`() throws {
    let anna = try TestPortal(MazeModule()).register()
    #expect(anna.get("/maze/attic").body.contains(">Back</a>"))
    #expect(anna.get("/maze/named").body.contains(">Title of its own</a>"))
  }

  @Test func `a visitor makes all text larger, in this browser only`() throws {
    let portal = try TestPortal(MazeModule())
    let visitor = portal.visitor()
    #expect(visitor.get("/login").contains(">125%</button>"))
    let fields = visitor.get("/login").hidden(of: "/language")
    func choose(_ size: String) -> TestPage {
      let rest = fields.filter { $0.0 != "size" }
      return visitor.post("/text-size", pairs: rest + [("size", size)])
    }
    for size in ["large", "largest"] {
      #expect(choose(size).location == "/login")
      let page = visitor.get("/login")
      #expect(page.contains("class=\"\(size)\">"))
      #expect(page.contains("value=\"\(size)\" aria-current=\"true\">"))
    }
    #expect(!portal.visitor().get("/login").contains("class=\"largest\">"))
    #expect(choose("huge").status == 400)
    #expect(choose("usual").status == 303)
    #expect(!visitor.get("/login").contains("class=\"largest\">"))
  }

  @Test func `the header and the account menu offer the sizes of text`() throws {
    let anna = try TestPortal(MazeModule()).register()
    let page = anna.get("/maze/garden")
    for menu in ["text-size", "account"] {
      let details = page.document.first { $0.name == "details" && $0.hasClass(menu) }
      let sizes = details?.all { $0.attributes["name"] == "size" } ?? []
      #expect(sizes.map(\.text) == ["100%", "125%", "150%"])
    }
  }
}

private struct MazeModule: Module {
  let id: ModuleID = "maze"
  var title: Text { "title" }
  var catalog: Catalog {
    .titled(
      "Maze",
      "\"garden\": \"Garden\", \"own\": \"Title of its own\", \"plot\": \"Garden 2\"")
  }
  var personalData: PersonalData { .none }
  var links: [Link] { [Link("garden", to: "garden")] }
  var routes: [Route] {
    [
      .get("garden") { _ in .page("title", "") },
      .get("room") { _ in .page(Page("title", "", back: "garden")) },
      .get("cellar") { _ in .page(Page("title", "", back: "garden?page=2")) },
      .get("plots/{id}") { _ in .page("title", "") }.titled("plot"),
      .get("stairs") { _ in .page(Page("title", "", back: "plots/2?page=2")) },
      .get("attic") { _ in .page(Page("title", "", back: "room")) },
      .get("named") { _ in
        var page = Page("title", "", back: "garden")
        page.backLabel = "own"
        return .page(page)
      },
    ]
  }
}
