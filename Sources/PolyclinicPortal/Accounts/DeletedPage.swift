import PolyclinicCore
import PolyclinicWeb

/// The page "Recently deleted": records of all modules that can still be restored. A guardian sees
/// those of the modules that guardians use.
struct DeletedPage: RoutedPage {
  static let address: Address<Void> = "/account/deleted"
  static let linkTitle: Text? = "deleted.title"
  static let restoring: Address<Void> = "/account/deleted/restore"
  static let purging: Address<Void> = "/account/deleted/purge"

  private typealias Deleted = (kind: String, item: Trash.Item)

  /// The records of each module, latest first; nil if they cannot be read.
  private let lists: [(member: InstalledModule, items: [Deleted]?)]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    lists = context.server.installation.members.compactMap { member in
      guard let trash = member.module.trash, member.module.allows(.get, context.visitor) else {
        return nil
      }
      let items = member.value(of: "deleted records") {
        try trash.kinds.flatMap { kind in
          try kind.list(context).map { (kind: kind.kind, item: $0) }
        }.sorted { $0.item.deletedAt > $1.item.deletedAt }
      }
      return (member, items)
    }
  }

  /// Links to what was deleted of the people whose records the visitor reads, on the visitor's own
  /// page.
  private var others: HTML? {
    guard context.visitor?.inCare == nil else { return nil }
    let people = context.peopleInCare.map(\.inCare).filter { person in
      if case .guardian(let scope) = person.rights { scope >= .read } else { false }
    }
    let rows = people.map { person in
      HTML.row(
        to: Path(checked: person.prefix + Self.path.description), "<bdi>\(person.name)</bdi>",
        lead: context.avatar(of: person.person, named: person.name))
    }
    return rows.isEmpty ? nil : "<h2>\(context.text("deleted.others"))</h2>\(rows: rows)"
  }

  var page: Page {
    let lists = lists.compactMap(list)
    let empty: HTML? = lists.isEmpty ? context.emptyState(.bin, hint: "deleted.empty") : nil
    return Page(
      "deleted.title",
      "<p class=\"lead\">\(context.text("deleted.lead"))</p>\(lists)\(empty)\(others)",
      back: context.wayToAccount)
  }

  private func list(_ member: InstalledModule, _ items: [Deleted]?) -> HTML? {
    let title = member.phrasebook.string(member.module.title, in: context.language)
    guard let items else {
      return "<h2>\(title)</h2><p class=\"muted\">\(context.text("error.not-available"))</p>"
    }
    guard !items.isEmpty else { return nil }
    if !member.isEnabled {
      let first = items.map(\.item.deletedAt).min() ?? context.now
      let until = context.formats.date(context.formats.day(of: first + Trash.keptFor))
      let text = context.text(Text("deleted.off", ["until": until], count: items.count))
      return "<h2>\(title)</h2><p class=\"muted\">\(text)</p>"
    }
    return "<h2>\(title)</h2>\(rows: items, { row($0, $1, member) })"
  }

  private func row(_ kind: String, _ item: Trash.Item, _ member: InstalledModule) -> HTML {
    let name = Self.name(of: item, member, context)
    let deleted = context.formats.date(context.formats.day(of: item.deletedAt))
    let until = context.formats.date(context.formats.day(of: item.deletedAt + Trash.keptFor))
    let fields: KeyValuePairs<StaticString, String> = [
      "module": member.module.id.rawValue, "kind": kind, "item": String(item.id),
    ]
    let restore = context.button(
      "deleted.restore", posts: Self.restoring.path, with: fields, style: [.secondary, .small],
      of: name)
    let purge = context.button(
      "deleted.purge", posts: Self.purging.path, with: fields, style: [.plain, .danger, .small],
      of: name)
    let canChange = member.module.allows(.post, context.visitor)
    return .row(
      "<bdi>\(name)</bdi>",
      detail: "\(context.text("deleted.when", ["deleted": deleted, "until": until]))",
      actions: canChange ? restore : nil, canChange ? purge : nil)
  }

  private static func name(
    of item: Trash.Item, _ member: InstalledModule, _ context: Context
  ) -> String {
    item.words.map { member.phrasebook.string($0, in: context.language) } ?? item.title
  }

  static func restore(_ context: Context) throws -> Response {
    let (member, trash, item) = try target(context)
    let restored = trash.restored.spoken(by: member.module.id)
    return try context.redirecting {
      let path = try trash.restore(item, $0).resolved(in: member.module.id)
      return Redirect(to: path).saying(restored)
    }
  }

  /// Deletes a record for good, after a confirmation, because this cannot be undone.
  static func purge(_ context: Context) throws -> Response {
    let (member, trash, item) = try target(context)
    if context.request.fields["confirm"] != "yes" { return try ask(member, trash, item, context) }
    return try context.redirecting {
      try trash.purge(item, $0)
      return Redirect(to: path).changing(Text("log.purged").spoken(by: member.module.id))
    }
  }

  /// Shows the confirmation. Throws ``Refusal/notFound`` if the record no longer exists.
  private static func ask(
    _ member: InstalledModule, _ trash: Trash, _ number: Int64, _ context: Context
  ) throws -> Response {
    let item = try trash.list(context).first { $0.id == number }
    guard let item else { throw Refusal.notFound }
    let name = name(of: item, member, context)
    return .page(
      Page(
        "deleted.purge.title",
        """
        <form class="question" method="post" action="\(purging.path)">\
        <p>\(context.text("deleted.purge.question", ["name": name]))</p>\
        \(context.hiddenFields(naming: number, kind: trash.kind, of: member.module.id))\
        \(actions:
          context.submit("deleted.purge", name: "confirm", style: .danger),
          context.button("form.no", to: path, style: .secondary))</form>
        """))
  }

  /// Returns the record that the form names. Throws ``Refusal/notFound`` if there is none, or if the
  /// visitor is a guardian without the right to change that module's records.
  private static func target(_ context: Context) throws -> (InstalledModule, Trash, Int64) {
    let fields = context.request.fields
    guard
      let member = context.server.installation.enabled.first(where: {
        $0.module.id.rawValue == fields["module"] && $0.module.allows(.post, context.visitor)
      }), let trash = member.module.trash?.kinds.first(where: { $0.kind == fields["kind"] }),
      let item = ID<Trash.Item>(fields["item"])
    else { throw Refusal.notFound }
    return (member, trash, item.rawValue)
  }
}

extension Module {
  /// True if the visitor may read or change the module's records; always for the visitor's own. A
  /// module that guardians use for bookings keeps records too.
  func allows(_ method: Request.Method, _ visitor: Visitor?) -> Bool {
    guard let inCare = visitor?.inCare else { return true }
    if case .nothing = guardianAccess { return false }
    return GuardianAccess.records.allows(method, to: inCare, of: id)
  }
}

extension Context {
  /// The page above one of the account's: for the pages of a person in care, the list of people.
  var wayToAccount: Path { visitor?.inCare == nil ? AccountPage.path : GuardianList.path }
}
