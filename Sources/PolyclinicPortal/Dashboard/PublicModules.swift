import PolyclinicCore
import PolyclinicWeb

/// The parts of the portal that need no sign-in, for the welcome page.
struct PublicModules {
  let installation: Installation
  let context: Context

  /// The list; nil if every part needs a sign-in.
  var html: HTML? {
    let others = installation.links(for: nil).filter { $0.1.module.id != context.module }
    let rows: [HTML] = others.map(row)
    if rows.isEmpty { return nil }
    return """
      <section><h2>\(context.text("welcome.open"))</h2>\(rows: rows)</section>
      """
  }

  /// A part of the portal with icon, name and a sentence about it.
  private func row(_ link: Link, _ member: InstalledModule) -> HTML {
    .row(
      to: link.path.resolved(in: member.module.id),
      "\(member.phrasebook.string(link.title, in: context.language))",
      detail: link.about.map { "\(member.phrasebook.string($0, in: context.language))" },
      lead: context.icon(link.icon), kind: member.module.kind)
  }
}
