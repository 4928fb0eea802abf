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
    <ul class="rows">\(each: links, { door($0.link, $0.member) })\
    \(row("/account", .person, context.text("frame.profile"), context.text("dashboard.profile")))\
    </ul></section></div>
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

  private var nothing: HTML {
    """
    <section class="empty">\(context.icon(.check))<h2>\(context.text("dashboard.empty"))</h2>\
    <p>\(context.text("dashboard.empty.hint"))</p></section>
    """
  }

  private func door(_ link: Link, _ member: Installation.Member) -> HTML {
    row(
      link.path.resolved(in: member.module.id), link.icon,
      member.phrasebook.string(link.title, in: context.language),
      link.about.map { member.phrasebook.string($0, in: context.language) })
  }

  private func row(_ path: Path, _ icon: Icon, _ title: String, _ about: String?) -> HTML {
    let about: HTML? = about.map { "<span class=\"secondary-text\">\($0)</span>" }
    return """
      <li><a href="\(path)"><span class="with-initial"><span class="initial">\(context.icon(icon))\
      </span><span><strong>\(title)</strong>\(about)</span></span></a></li>
      """
  }
}
