import PolyclinicCore

/// Where an administrator lands: what waits, the way to everything else, and how the portal is.
enum OverviewPage {
  static func show(_ context: Context) throws -> Response {
    let (people, waiting) = try context.database.read { connection in
      (
        try connection.integer("SELECT count(*) FROM people") ?? 0,
        try connection.integer("SELECT count(*) FROM accounts WHERE wanted_role <> ''") ?? 0
      )
    }
    let front = try context.front()
    let modules = front.installation.members.filter { !$0.isBuiltIn }
    let state = StateViews(
      glance: Glance(front.instruments.files, at: context.now) {
        guard front.site.mail != nil else { return nil }
        return try context.database.read { try MailTrouble.find(at: context.now, on: $0) }
      }, modules: modules, context: context)
    let cards: [HTML] = [
      card(
        "people.title", waiting, context.text("overview.waiting"), "/admin/people",
        more: context.text("overview.people", count: people), context),
      card(
        "modules.title", modules.count(where: \.isEnabled),
        context.text("overview.modules", ["total": context.formats.number(modules.count)]),
        "/admin/modules", more: context.text("overview.to-modules"), context),
      """
      <section class="card"><h2>\(context.text("audit.title"))</h2>\
      <p class="muted">\(context.text("audit.about"))</p>\
      <a class="more" href="/admin/audit">\(context.text("overview.to-audit"))</a></section>
      """,
    ]
    return .page(
      Page(
        "admin.title",
        "\(state.warnings)<div class=\"cards\">\(cards)</div>\(state.section)", width: .wide))
  }

  private static func card(
    _ title: Text, _ figure: Int, _ about: String, _ path: Path, more: String, _ context: Context
  ) -> HTML {
    """
    <section class="card"><h2>\(context.text(title))</h2>\
    <p class="figure">\(context.formats.number(figure))</p><p class="muted">\(about)</p>\
    <a class="more" href="\(path)">\(more)</a></section>
    """
  }
}
