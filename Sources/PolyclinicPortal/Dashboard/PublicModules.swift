import PolyclinicCore
import PolyclinicWeb

/// The parts of the portal that need no sign-in, for the welcome page.
struct PublicModules {
  let members: [InstalledModule]
  let context: Context

  /// The list; nil if every part needs a sign-in.
  var html: HTML? {
    let rows: [HTML] = members.filter { $0.module.id != context.module }.flatMap { member in
      member.links.filter { $0.access.isOpen(under: member.settings) }.map {
        ModuleLinkRow(link: $0, member: member, context: context).html
      }
    }
    if rows.isEmpty { return nil }
    return """
      <section><h2>\(context.text("welcome.open"))</h2>\(rows: rows)</section>
      """
  }
}

/// A part of the portal with icon, name and a sentence about it.
struct ModuleLinkRow {
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

  init(link: Link, member: InstalledModule, context: Context) {
    self.init(
      path: link.path.resolved(in: member.module.id), icon: link.icon,
      title: member.phrasebook.string(link.title, in: context.language),
      about: link.about.map { member.phrasebook.string($0, in: context.language) },
      context: context)
  }

  var html: HTML {
    .row(
      to: path, "\(title)", detail: about.map { "\($0)" },
      lead: context.icon(icon))
  }
}
