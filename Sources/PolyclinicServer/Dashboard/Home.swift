import PolyclinicCore

/// The home page of a visitor who has signed in: what needs attention today, and the way to
/// everything else.
struct Home {
  let visitor: Visitor
  let members: [Installation.Member]
  let context: Context

  /// The cards, and beside them the parts of the portal.
  func content(_ cards: [HTML]) -> HTML {
    """
    <div class="home"><section><h2>\(context.formats.date(context.today))</h2>\
    \(cards.isEmpty ? nothing : HTML())\(cards)</section>\
    <section><h2>\(context.text("dashboard.parts"))</h2>\
    <ul class="rows">\
    \(each: links, { PartRow(link: $0.link, member: $0.member, context: context).html })\
    \(profile)</ul></section></div>
    """
  }

  /// What people most often come for.
  var actions: HTML? {
    let actions: [HTML] = links.flatMap { link, member in
      link.actions.filter { $0.access.includes(visitor) }.map { action in
        """
        <a class="button secondary" href="\(action.path.resolved(in: member.module.id))">\
        \(member.phrasebook.string(action.title, in: context.language))</a>
        """
      }
    }
    return actions.isEmpty ? nil : "<div class=\"actions\">\(actions)</div>"
  }

  private var links: [(link: Link, member: Installation.Member)] {
    members.filter { $0.module.id != context.module }.flatMap { member in
      member.links.filter { $0.access.includes(visitor) }.map { ($0, member) }
    }
  }

  private var profile: HTML {
    PartRow(
      path: "/account", icon: .person, title: context.text("frame.profile"),
      about: context.text("dashboard.profile"), context: context
    ).html
  }

  private var nothing: HTML {
    """
    <section class="empty">\(context.icon(.check))<h2>\(context.text("dashboard.empty"))</h2>\
    <p>\(context.text("dashboard.empty.hint"))</p></section>
    """
  }
}
