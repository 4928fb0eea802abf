import PolyclinicCore
import PolyclinicTesting

/// A test module with a page, whose content the test chooses, and a button that notifies its visitor.
struct PagesModule: Module {
  let id: ModuleID = "pages"
  var content: HTML = ""
  var problem: String?
  var title: Text { "title" }
  var catalog: Catalog {
    let words = Array(
      #"{"title": "Pages", "privacy.pages": "Pages", "kind.call": "Calls", "call": "Call us"}"#.utf8
    )
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
    ]
  }

  private func call(_ context: Context) throws -> Response {
    try context.database.write {
      let notice = Notice(.call, "call", leadingTo: "")
      try context.portal.notify(try context.keys.person, notice, on: $0)
    }
    return .redirect(to: "")
  }
}

extension Notice.Kind {
  fileprivate static let call = Notice.Kind("call", "kind.call")
}
