import PolyclinicCore
import PolyclinicPlaces
import PolyclinicWeb

/// The home page of visitors who have not signed in: the emergency numbers of the portal's country,
/// the modules' public cards, and the parts of the portal that need no account.
struct WelcomePage {
  /// The modules' public cards. They come first, because most visitors look for a doctor; an
  /// account comes last.
  let cards: [HTML]
  let installation: Installation
  let context: Context

  var page: Page {
    let actions: HTML = "\(actions: [context.button("register.link", to: "/register")] + tasks)"
    let clinic = ["clinic": context.portal.clinic.name]
    // Without a card there is no doctor to be found, because no module knows one.
    let (title, lead): (Text, Text) =
      cards.isEmpty
      ? (Text("welcome.plain.title", clinic), "welcome.plain.lead")
      : ("welcome.title", Text("welcome.lead", clinic))
    return Page(
      title,
      """
      <section class="hero"><div><h1>\(context.text(title))</h1>\
      <p class="lead">\(context.text(lead))</p>\
      \(cards.isEmpty ? actions : nil)</div></section>\
      \(cards.isEmpty ? nil : "<div class=\"home\">\(cards)</div>")\(context.emergencyNotice)\
      \(publicModules)\
      <ul class="points">\(points)</ul>\(cards.isEmpty ? nil : actions)
      """,
      assets: [Page.Asset(www: "styles/welcome.css")], width: .wide, hasOwnHeading: true)
  }

  /// Buttons for the tasks that are open to everyone.
  private var tasks: [HTML] {
    installation.links(for: nil).flatMap { link, member in
      link.actions.filter { $0.access.isOpen(under: member.settings) }.map { action in
        context.button(
          showing: "\(member.phrasebook.string(action.title, in: context.language))",
          to: action.path.resolved(in: member.module.id), style: .secondary)
      }
    }
  }

  private var points: [HTML] {
    [("private", Icon.lock), ("together", .people), ("free", .heart)].map {
      """
      <li>\(context.icon($1))<h2>\(context.text(Text("welcome.\($0).title")))</h2>\
      <p>\(context.text(Text("welcome.\($0).text")))</p></li>
      """
    }
  }

  /// The list of the parts that need no account; nil if every part needs a sign-in.
  private var publicModules: HTML? {
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
