import PolyclinicCore

/// The start page for administrators: roles that wait for approval, links to all pages, and the
/// portal's status.
struct OverviewPage {
  let files: InstallationFiles

  func show(_ context: Context) throws -> Response {
    let (people, waiting) = try context.database.read { connection in
      (
        try connection.integer("SELECT count(*) FROM people") ?? 0,
        try connection.integer("SELECT count(*) FROM accounts WHERE wanted_role <> ''") ?? 0
      )
    }
    let server = try context.server()
    let modules = server.installation.members.filter { !$0.isBuiltIn }
    let state = StateViews(
      report: StatusReport(files, at: context.now) {
        guard server.site.sendsMail else { return nil }
        return try context.database.read { try MailOutage.find(at: context.now, on: $0) }
      }, modules: modules, context: context)
    let cards: [HTML] = [
      card(
        "people.title", waiting, context.text("overview.waiting"), "/admin/people",
        more: Text("overview.people", count: people), context),
      card(
        "modules.title", modules.count(where: \.isEnabled),
        context.text("overview.modules", ["total": context.formats.number(modules.count)]),
        "/admin/modules", more: "overview.to-modules", context),
      """
      <section class="card"><h2>\(context.text("audit.title"))</h2>\
      <p class="muted">\(context.text("audit.about"))</p>\
      \(context.moreLink("overview.to-audit", to: "/admin/audit"))</section>
      """,
    ]
    return .page(
      Page(
        "admin.title",
        "\(state.warnings)<div class=\"cards\">\(cards)</div>\(state.section)", width: .wide))
  }

  private func card(
    _ title: Text, _ figure: Int, _ about: String, _ path: Path, more: Text, _ context: Context
  ) -> HTML {
    """
    <section class="card"><h2>\(context.text(title))</h2>\
    <p class="figure">\(context.formats.number(figure))</p><p class="muted">\(about)</p>\
    \(context.moreLink(more, to: path))</section>
    """
  }
}
