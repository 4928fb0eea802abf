import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

/// The links to the modules: tabs, and the bar of a phone with its menu.
@Suite struct NavigationTests {
  private static let menu = "<details"

  @Test func `visitors who are not signed in see the links that are open to everyone`() throws {
    let page = try TestPortal(RoomsModule(count: 3)).visitor().get("/login")
    #expect(page.hasLink(to: "/rooms/1"))
    #expect(!page.hasLink(to: "/rooms/2"))
  }

  @Test func `a bar with one page to go to is left out`() throws {
    #expect(try !TestPortal().visitor().get("/login").contains("<nav class=\"modules"))
  }

  @Test(arguments: [
    (2, "", 0, 0), (4, "<details class=\"large-text\">", 3, 3), (5, "<details>", 4, 2),
  ])
  func `a phone shows five entries, or three with large text, the last of them a menu if need be`(
    _ count: Int, _ menu: String, _ inMenu: Int, _ onlyWithLargeText: Int
  ) throws {
    let bar = try navigation(of: "/rooms/1", among: count)
    #expect(menu.isEmpty ? !bar.contains(Self.menu) : bar.contains(menu))
    // Home and the rooms, and in the menu those that have no place in a bar.
    #expect(bar.split(separator: "<a ").count - 1 == 1 + count + inMenu)
    #expect(
      bar.split(separator: "<li class=\"large-text\"").count - 1 == onlyWithLargeText)
  }

  @Test(arguments: [("/rooms/1", false), ("/rooms/4", true)])
  func `the menu is marked while it contains the current page`(_ path: String, _ isMarked: Bool)
    throws
  {
    #expect(
      try navigation(of: path, among: 5).contains("\(Self.menu) class=\"current\"") == isMarked)
  }

  @Test func `the languages of the account menu belong to the form that knows the page`() throws {
    let page = try TestPortal().register().get("/account")
    #expect(page.contains("<form class=\"languages\" id=\"site-language\""))
    #expect(page.contains("form=\"site-language\""))
  }

  /// Returns the navigation of a signed-in person on a page.
  private func navigation(of path: String, among count: Int) throws -> Substring {
    let body = try TestPortal(RoomsModule(count: count)).register().get(path).body
    let start = try #require(body.firstRange(of: "<nav class=\"modules")?.lowerBound)
    let end = try #require(body[start...].firstRange(of: "</nav>")?.lowerBound)
    return body[start..<end]
  }
}

/// A module with several links, of which odd ones are open to everyone.
private struct RoomsModule: Module {
  let id: ModuleID = "rooms"
  let count: Int
  var title: Text { "title" }
  var catalog: Catalog { .titled("Rooms") }
  var personalData: PersonalData { .none }
  var links: [Link] {
    (1...count).map { number in
      Link(title, to: "\(number)", access: number.isMultiple(of: 2) ? .signedIn : .everyone)
    }
  }
  var routes: [Route] { [.get("{id}", access: .everyone) { _ in .page("title", "") }] }
}
