import PolyclinicCore

/// The parts of the portal that can be read without signing in, as the welcome page lists them.
struct OpenParts {
  let members: [Installation.Member]
  let context: Context

  /// Nil where everything wants a sign-in.
  var html: HTML? {
    let rows: [HTML] = members.filter { $0.module.id != context.module }.flatMap { member in
      member.links.filter { $0.access.isOpen(under: member.settings) }.map {
        PartRow(link: $0, member: member, context: context).html
      }
    }
    if rows.isEmpty { return nil }
    return """
      <section><h2>\(context.text("welcome.open"))</h2><ul class="rows">\(rows)</ul></section>
      """
  }
}

/// A part of the portal with its icon, its name and a sentence about it.
struct PartRow {
  let path: Path
  let icon: Icon
  let title: String
  let about: String?
  let context: Context

  init(path: Path, icon: Icon, title: String, about: String?, context: Context) {
    self.path = path
    self.icon = icon
    self.title = title
    self.about = about
    self.context = context
  }

  init(link: Link, member: Installation.Member, context: Context) {
    self.init(
      path: link.path.resolved(in: member.module.id), icon: link.icon,
      title: member.phrasebook.string(link.title, in: context.language),
      about: link.about.map { member.phrasebook.string($0, in: context.language) },
      context: context)
  }

  var html: HTML {
    let about: HTML? = about.map { "<span class=\"secondary-text\">\($0)</span>" }
    return """
      <li><a href="\(path)"><span class="with-initial"><span class="initial">\(context.icon(icon))\
      </span><span><strong>\(title)</strong>\(about)</span></span></a></li>
      """
  }
}
