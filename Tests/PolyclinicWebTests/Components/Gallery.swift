import PolyclinicCore
import PolyclinicTesting
import Testing

/// A test module whose page shows components.
struct Gallery: Module {
  /// Returns the components to show.
  let content: @Sendable (Context) -> HTML

  var id: ModuleID { "gallery" }
  var title: Text { "title" }
  var personalData: PersonalData { .none }

  var catalog: Catalog {
    let words = Array(#"{"title": "Gallery", "a": "A & B", "b": "C", "c": "D {name}"}"#.utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }

  var routes: [Route] {
    [
      .get("", access: .everyone) { context in
        .page(Page("title", "<article>\(content(context))</article>"))
      }
    ]
  }

  /// Returns the markup of the components on a page.
  static func markup(_ content: @escaping @Sendable (Context) -> HTML) throws -> String {
    let page = try TestPortal(Gallery(content: content)).visitor().get("/gallery")
    let start = try #require(page.body.range(of: "<article>")).upperBound
    let end = try #require(page.body.range(of: "</article>")).lowerBound
    return String(page.body[start..<end])
  }
}
