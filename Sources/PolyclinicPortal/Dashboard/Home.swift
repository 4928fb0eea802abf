import PolyclinicCore
import PolyclinicWeb

/// The home page of a signed-in person: cards that need attention today, and links to all parts of
/// the portal.
struct Home {
  let visitor: Visitor
  let members: [InstalledModule]
  let context: Context

  /// The cards, followed by the parts of the portal.
  func content(_ cards: [HTML]) -> HTML {
    """
    <div class="home"><section><h2>\(context.formats.date(context.today))</h2>\
    \(cards.isEmpty ? nothing : HTML())\(cards)</section>\
    <section><h2>\(context.text("dashboard.parts"))</h2>\
    \(rows: modules + [profile])</section></div>
    """
  }

  /// Buttons for the most common tasks.
  var actions: HTML {
    let actions: [HTML] = links.flatMap { link, member in
      link.actions.filter { $0.access.includes(visitor) }.map { action in
        context.button(
          showing: "\(member.phrasebook.string(action.title, in: context.language))",
          to: action.path.resolved(in: member.module.id), style: .secondary)
      }
    }
    return "\(actions: actions)"
  }

  private var links: [(link: Link, member: InstalledModule)] {
    members.filter { $0.module.id != context.module }.flatMap { member in
      member.links.filter { $0.access.includes(visitor) }.map { ($0, member) }
    }
  }

  private var modules: [HTML] {
    links.map { ModuleLinkRow(link: $0.link, member: $0.member, context: context).html }
  }

  private var profile: HTML {
    ModuleLinkRow(
      path: "/account", icon: .person, title: context.text("frame.profile"),
      about: context.text("dashboard.profile"), context: context
    ).html
  }

  private var nothing: HTML {
    context.emptyState(.check, "dashboard.empty", hint: "dashboard.empty.hint")
  }
}
