import PolyclinicCore
import PolyclinicWeb

/// The page "Recently deleted": records of all modules that can still be restored.
enum DeletedPage {
  static func show(_ context: Context, _ installation: Installation) throws -> Response {
    let lists: [HTML] = installation.members.compactMap { member in
      guard let trash = member.module.trash else { return nil }
      let title = member.phrasebook.string(member.module.title, in: context.language)
      let found = member.value(of: "deleted records") {
        try trash.kinds.flatMap { kind in
          try kind.list(context).map { (kind: kind.kind, item: $0) }
        }.sorted { $0.item.deletedAt > $1.item.deletedAt }
      }
      guard let items = found else {
        return "<h2>\(title)</h2><p class=\"muted\">\(context.text("error.not-available"))</p>"
      }
      guard !items.isEmpty else { return nil }
      if !member.isEnabled {
        let first = items.map(\.item.deletedAt).min() ?? context.now
        let until = context.formats.date(context.formats.day(of: first + Trash.keptFor))
        let text = context.text(Text("deleted.off", ["until": until], count: items.count))
        return "<h2>\(title)</h2><p class=\"muted\">\(text)</p>"
      }
      return """
        <h2>\(title)</h2>\(rows: items, { row($0, $1, member, context) })
        """
    }
    let empty: HTML? =
      lists.isEmpty
      ? context.emptyState(.bin, hint: "deleted.empty")
      : nil
    return .page(
      Page(
        "deleted.title",
        "<p class=\"lead\">\(context.text("deleted.lead"))</p>\(lists)\(empty)", back: "/account"))
  }

  private static func row(
    _ kind: String, _ item: Trash.Item, _ member: InstalledModule, _ context: Context
  ) -> HTML {
    let name = name(of: item, member, context)
    let deleted = context.formats.date(context.formats.day(of: item.deletedAt))
    let until = context.formats.date(context.formats.day(of: item.deletedAt + Trash.keptFor))
    let fields: KeyValuePairs<StaticString, String> = [
      "module": member.module.id.rawValue, "kind": kind, "item": String(item.id),
    ]
    return .row(
      "<bdi>\(name)</bdi>",
      detail: "\(context.text("deleted.when", ["deleted": deleted, "until": until]))",
      actions: context.button(
        "deleted.restore", posts: "/account/deleted/restore", with: fields,
        style: [.secondary, .small], of: name),
      context.button(
        "deleted.purge", posts: "/account/deleted/purge", with: fields,
        style: [.plain, .danger, .small], of: name))
  }

  private static func name(
    of item: Trash.Item, _ member: InstalledModule, _ context: Context
  ) -> String {
    item.words.map { member.phrasebook.string($0, in: context.language) } ?? item.title
  }

  static func restore(_ context: Context, _ installation: Installation) throws -> Response {
    let (member, trash, item) = try target(context, installation)
    return try context.change {
      try trash.restore(item, $0).resolved(in: member.module.id)
    }.saying(trash.restored)
  }

  /// Deletes a record for good, after a confirmation, because this cannot be undone.
  static func purge(_ context: Context, _ installation: Installation) throws -> Response {
    let (member, trash, item) = try target(context, installation)
    guard context.request.fields["confirm"] == "yes" else {
      return try ask(member, trash, item, context)
    }
    return try context.change {
      try trash.purge(item, $0)
      return "deleted"
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
        <form class="question" method="post" action="/account/deleted/purge">\
        <p>\(context.text("deleted.purge.question", ["name": name]))</p>\
        \(context.hiddenFields(naming: number, kind: trash.kind, of: member.module.id))\
        \(actions:
          context.submit("deleted.purge", name: "confirm", style: .danger),
          context.button("form.no", to: "/account/deleted", style: .secondary))</form>
        """,
        width: .narrow))
  }

  private static func target(
    _ context: Context, _ installation: Installation
  ) throws -> (InstalledModule, Trash, Int64) {
    let fields = context.request.fields
    guard
      let member = installation.enabled.first(where: {
        $0.module.id.rawValue == fields["module"]
      }), let trash = member.module.trash?.kinds.first(where: { $0.kind == fields["kind"] }),
      let item = ID<Trash.Item>(fields["item"])
    else { throw Refusal.notFound }
    return (member, trash, item.rawValue)
  }
}
