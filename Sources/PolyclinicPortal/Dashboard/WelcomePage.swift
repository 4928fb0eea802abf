import PolyclinicCore
import PolyclinicPlaces
import PolyclinicWeb

/// The home page of visitors who have not signed in: the emergency numbers of the portal's country,
/// the modules' public cards, and the parts of the portal that need no account.
struct WelcomePage {
  let installation: Installation
  let context: Context

  /// Returns the page with these cards.
  func page(_ cards: [HTML]) -> Page {
    Page(
      "welcome.title",
      """
      <section class="hero"><div><h1>\(context.text("welcome.title"))</h1>\
      <p class="lead">\(context.text("welcome.lead", ["clinic": context.portal.clinic.name]))</p>\
      \(actions: [context.button("register.link", to: "/register")] + tasks)</div></section>\
      \(emergency)\(cards.isEmpty ? nil : "<div class=\"home\">\(cards)</div>")\
      \(PublicModules(installation: installation, context: context).html)\
      <ul class="points">\(points)</ul>
      """,
      width: .wide, hasOwnHeading: true)
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

  /// The numbers that call an ambulance; nil if the portal's country is unknown or has none.
  private var emergency: HTML? {
    let numbers: [HTML] = context.portal.usefulContacts[context.portal.clinic.country]
      .filter(\.isEmergency).compactMap { contact in
        guard let phone = contact.phone, let call = contact.call else { return nil }
        return context.button(
          showing: "<span>\(context.text(contact.name)): <bdi dir=\"ltr\">\(phone)</bdi></span>",
          to: call,
          style: .danger, icon: .phone)
      }
    if numbers.isEmpty { return nil }
    let others = context.button(
      "welcome.emergency.others", to: "/useful-contacts", style: .secondary)
    return .notice(
      .remark,
      "<p><strong>\(context.text("welcome.emergency"))</strong></p>\(actions: numbers + [others])",
      as: .danger)
  }

  private var points: [HTML] {
    [("private", Icon.lock), ("together", .people), ("free", .heart)].map {
      """
      <li>\(context.icon($1))<h2>\(context.text(Text("welcome.\($0).title")))</h2>\
      <p>\(context.text(Text("welcome.\($0).text")))</p></li>
      """
    }
  }
}
