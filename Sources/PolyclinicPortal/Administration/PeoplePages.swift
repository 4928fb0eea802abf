import PolyclinicCore
import PolyclinicVault

/// The list of all people and the page of one person.
enum PeoplePages {
  static func list(_ context: Context, _ vault: Vault) throws -> Response {
    let query = context.request.query
    let filter = PeopleFilter(query)
    let found = try context.database.write { connection in
      try PeopleList.find(filter, page: query.page, vault, context, on: connection)
    }
    let erased: HTML? =
      query["done"] == "erased" ? notice("people.erased", context) : nil
    return .page(
      Page(
        "people.title", "\(erased)\(PeopleViews.list(found, filter, context))", back: "",
        scripts: ["search.js"], width: .wide))
  }

  static func show(_ context: Context) throws -> Response {
    let entry = try context.database.write { connection in
      try PeopleList.entry(of: context.id(), context, on: connection)
    }
    let done = Done(rawValue: context.request.query["done"])
    return .page(
      Page(
        Text("person.title", ["name": entry.profile.displayName]),
        "\(done.map { notice(Text("person.done.\($0.rawValue)"), context) })\(PersonViews.person(entry, context))",
        back: "people"))
  }

  /// The change that was just made, for the page's message.
  enum Done: String {
    case approved
    case declined
    case given
    case taken
    case suspended
    case reinstated
  }

  private static func notice(_ text: Text, _ context: Context) -> HTML {
    context.notice(.outcome, text)
  }
}
