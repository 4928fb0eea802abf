import PolyclinicCore
import PolyclinicWeb

/// The start page for administrators: what needs attention, the first steps of a new
/// portal, links to all pages, and the portal's status.
struct OverviewPage {
  let server: ServerReference
  let files: InstallationFiles

  func show(_ context: Context) throws -> Response {
    let people = try context.integer("SELECT count(*) FROM people") ?? 0
    let server = self.server()
    let installation = server.installation
    let modules = installation.members.filter { !$0.isBuiltIn }
    let state = StateViews(
      report: try StatusReport(files, server.site, context), modules: modules, context: context)
    let own = installation.enabled.filter { $0.module.id == context.module }
      .flatMap { member in member.cards.compactMap { $0.html(of: member, context) } }
    let cards: [HTML] = [
      card(
        "people.title", people, context.text("overview.registered"), "/admin/people",
        more: "overview.to-people", context),
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
        """
        \(each: own, { "<div class=\"home\">\($0)</div>" })<div class="cards">\(cards)</div>\(state.section)
        """, width: .wide))
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
