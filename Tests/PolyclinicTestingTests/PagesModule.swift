import PolyclinicCore
import PolyclinicTesting

/// A test module with a page, whose content the test chooses, a button that notifies its visitor,
/// and a form.
struct PagesModule: Module {
  let id: ModuleID = "pages"
  var content: HTML = ""
  var problem: String?
  var cards: [Card] = []
  var title: Text { "title" }
  var catalog: Catalog {
    let words = Array(
      #"""
      {"title": "Pages", "privacy.pages": "Pages", "kind.call": "Calls", "call": "Call us",
        "field.kilograms": "Weight", "doubt.weight": "Is that right?"}
      """#.utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }
  var personalData: PersonalData { .none }
  var noticeKinds: [Notice.Kind] { [.call] }
  var settings: [Setting] { [Setting("colour", .text(limit: 10), default: "red")] }
  var checks: [HealthCheck] { [HealthCheck("disk") { _ in problem }] }
  var routes: [Route] {
    [
      .get("") { context in
        .page(
          "title",
          """
          \(content)<form method="post" action="/pages/call">\(context.hiddenFields())</form>
          """)
      },
      .get("time") { context in
        .page("title", "<p>\(context.formats.dateTime(context.now))</p>")
      },
      .get("colour") { context in
        .page("title", "<p>\(try context.portal.settings.text("colour"))</p>")
      },
      .post("call", call),
      .get("fails") { _ in throw Failure(reason: "no such column: sealde") },
      .get("wordless") { context in .page("title", "<p>\(context.text("page.hello"))</p>") },
      NewWeight.route,
    ]
  }

  private func call(_ context: Context) throws -> Response {
    try context.write {
      let notice = Notice(.call, "call", leadingTo: "")
      try context.portal.notify(try context.keys.person, notice, in: $0)
    }
    return .redirect(to: "")
  }
}

private struct NewWeight: RoutedForm {
  static let address: Address<Void> = "/pages/weight"
  static let title: Text = "title"
  static let form = Form(
    Draft(), .integer(\.kilograms, "kilograms", in: 1...500, required: true)
  ).doubting("kilograms") { $0.kilograms ?? 0 > 300 ? "doubt.weight" : nil }
  static let cancel: Path = "/pages"

  struct Draft: Sendable { var kilograms: Int? }

  init(_ context: Context) {}

  func save(_ draft: Draft, in context: Context) -> Redirect { Redirect(to: Self.cancel) }
}

/// An error of a page or a card.
struct Failure: Error { let reason: String }

extension Notice.Kind {
  fileprivate static let call = Notice.Kind("call", "kind.call")
}
