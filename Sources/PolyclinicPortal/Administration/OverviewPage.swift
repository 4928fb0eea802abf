import PolyclinicCore
import PolyclinicWeb

/// The start page for administrators: what needs attention, the first steps of a new
/// portal, links to all pages, and the portal's status.
struct OverviewPage: RoutedPage {
  static let address: Address<Void> = "/admin"
  static let access = Access.role(.administrator)

  /// The number of people.
  private let people: Int
  private let state: StateViews
  /// The administration's own cards of the home page.
  private let cards: [HTML]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    people = try context.integer("SELECT count(*) FROM people") ?? 0
    let installation = context.server.installation
    state = StateViews(
      report: try StatusReport(context),
      modules: installation.members.filter { !$0.isBuiltIn }, context: context)
    cards = installation.enabled.filter { $0.module.id == context.module }
      .flatMap { member in member.cards.compactMap { $0.html(of: member, context) } }
  }

  var page: Page {
    let modules = state.modules
    let total = ["total": context.formats.number(modules.count)]
    return Page(
      "admin.title",
      """
      \(each: cards, { "<div class=\"home\">\($0)</div>" })<div class="cards">\
      \(card(
        "people.title", "\(figure(people))\(about("overview.registered"))",
        context.moreLink("overview.to-people", to: PeoplePage.path)))\
      \(card(
        "modules.title",
        "\(figure(modules.count(where: \.isEnabled)))\(about("overview.modules", total))",
        context.moreLink("overview.to-modules", to: ModuleList.path)))\
      \(card(
        "audit.title", about("audit.about"),
        context.moreLink("overview.to-audit", to: AuditPage.path)))</div>\(state.section)
      """, width: .wide)
  }

  private func card(_ title: Text, _ content: HTML, _ link: HTML) -> HTML {
    "<section class=\"card\"><h2>\(context.text(title))</h2>\(content)\(link)</section>"
  }

  private func figure(_ number: Int) -> HTML {
    "<p class=\"figure\">\(context.formats.number(number))</p>"
  }

  private func about(_ text: Text, _ values: [String: String] = [:]) -> HTML {
    "<p class=\"muted\">\(context.text(text, values))</p>"
  }
}
