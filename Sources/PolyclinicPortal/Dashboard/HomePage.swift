import PolyclinicCore
import PolyclinicPlaces
import PolyclinicWeb

/// The home page: the most common tasks and the modules' cards for a signed-in person, and a
/// welcome page for all others.
struct HomePage: RoutedPage {
  static let address: Address<Void> = "/"
  static let access = Access.everyone

  /// The visitor with the name of the greeting; nil for a visitor who has not signed in.
  private let person: (visitor: Visitor, name: String)?
  private let cards: [HTML]
  /// The rows of what is due.
  private let due: [HTML]
  /// The people for whom the visitor acts, each with the rows of what is due.
  private let people: [(person: PersonInCare, due: [HTML])]
  /// The page that invites another guardian of the child in care; nil if there is none.
  private let invitation: Path?
  private let installation: Installation
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    installation = context.server.installation
    guard let visitor = context.visitor else {
      person = nil
      due = []
      people = []
      invitation = nil
      cards = installation.publicCards.compactMap { $0.html(of: $1, context) }
      return
    }
    let known = installation.cards(for: visitor)
    do {
      try context.read([Profile.head, HomeCards.value.head] + known.flatMap(\.0.reads))
    } catch is DatabaseError {
      // A card whose table is damaged says so itself when it reads; the others are not affected.
    }
    person = (visitor, try Profile.find(in: context)?.name ?? visitor.name)
    var due: [HTML] = []
    cards = try HomeCards.find(in: context).arranged(known, for: visitor).compactMap {
      card, member in card.html(of: member, &due, context)
    }
    self.due = due
    people = try context.peopleInCare.map { ($0.inCare, try Self.due(for: $0, context)) }
    invitation = try visitor.inCare.flatMap {
      try InviteGuardian.path(offeredFor: $0.person, context)
    }
  }

  /// Returns the rows of what is due for a person for whom the visitor acts.
  private static func due(
    for person: OpenedPerson, _ context: Context
  ) throws -> [HTML] {
    let acting = try context.acting(for: person, reading: "dashboard.title")
    let installation = context.server.installation
    guard let guardian = acting.visitor else { return [] }
    var due: [HTML] = []
    for (card, member) in installation.cards(for: guardian) where !member.isBuiltIn {
      _ = card.html(of: member, &due, acting)
    }
    return due.map { installation.markup($0, about: person.inCare) }
  }

  /// The most buttons above the cards, the main one included.
  private static let mostActions = 4

  var page: Page {
    guard let (visitor, name) = person else { return welcome }
    let next: HTML? =
      due.isEmpty ? nil : "<h2>\(context.text("dashboard.next"))</h2>\(rows: due)"
    return Page(
      "dashboard.title",
      """
      <div class="start"><div class="title"><h1>\(greeting(visitor, name))</h1>\
      \(actions: actions(for: visitor))</div>\
      \(next.map { "<div>\($0)</div>" })</div>\
      \(people.isEmpty ? nil : "\(rows: people.flatMap(rows))")\
      \(visitor.isStaff ? nil : context.emergencyLine)\
      \(cards.isEmpty && due.isEmpty ? nothing : nil)\
      \(cards.isEmpty ? nil : "<div class=\"home own\">\(cards)</div>")\
      \(visitor.inCare == nil ? nil : careLinks)
      """,
      width: .wide, hasOwnHeading: true)
  }

  /// The links to the pages about the data of the person in care that the visitor may open, and to
  /// those about who acts for the person.
  private var careLinks: HTML {
    let pages: [(Text, Path?)] = [
      ("guardians.log", "/account/access-log"), ("guardians.shown", "/account/sharing"),
      ("guardians.invite", invitation), ("guardians.title", "/account/people"),
    ]
    let links: [HTML] = pages.compactMap { title, page -> HTML? in
      guard let page, context.offers(page) else { return nil }
      return context.button(title.spoken(by: "account"), to: page, style: [.secondary, .small])
    }
    return "\(actions: links)"
  }

  /// The greeting of the reader, or the name of the person in care whom the page is about.
  private func greeting(_ visitor: Visitor, _ name: String) -> String {
    visitor.inCare?.name ?? context.text("dashboard.greeting", ["name": name])
  }

  /// A person for whom the visitor acts, with what is due.
  private func rows(_ person: PersonInCare, _ due: [HTML]) -> [HTML] {
    let row = HTML.row(
      to: Path(checked: "\(person.prefix)/"), "<bdi>\(person.name)</bdi>",
      detail: due.isEmpty ? "\(context.text("dashboard.nothing-due"))" : nil,
      lead: context.avatar(of: person.person, named: person.name))
    return [row] + due
  }

  /// Returns the buttons of the most common tasks, of which the first is the main one. Staff see
  /// the page where they work and the tasks of their role.
  private func actions(for visitor: Visitor) -> [HTML] {
    let tasks = (visitor.isStaff ? workplace(of: visitor) : []) + tasks(for: visitor)
    return tasks.prefix(Self.mostActions).enumerated().map { place, task in
      context.button(
        showing: "\(task.member.phrasebook.string(task.link.title, in: context.language))",
        to: task.link.path.resolved(in: task.member.module.id),
        style: place == 0 ? [] : .secondary)
    }
  }

  private typealias Task = (link: Link, member: InstalledModule)

  /// Returns the page on which the person arrives after sign-in.
  private func workplace(of visitor: Visitor) -> [Task] {
    let landing = installation.landing(of: visitor.roles)
    return installation.links(for: visitor).filter { link, member in
      link.landing != nil && link.path.resolved(in: member.module.id) == landing
    }
  }

  /// Returns the tasks of all pages. Those that are open to everyone are on the welcome page
  /// instead.
  private func tasks(for visitor: Visitor) -> [Task] {
    installation.links(for: visitor)
      .flatMap { link, member in link.actions.map { (link: $0, member: member) } }
      .filter { task in
        switch task.link.access {
        case .signedIn: !visitor.isStaff
        case .role: task.link.access.includes(visitor)
        case .everyone, .everyoneWhere: false
        }
      }
  }

  private var nothing: HTML {
    context.emptyState(.check, "dashboard.empty", hint: "dashboard.empty.hint")
  }
}

extension HomePage {
  /// The emergency numbers of the portal's country and the modules' public cards. The first card
  /// stands beside the heading, because most visitors look for a doctor; an account comes last.
  /// Without a card, the page lists the parts of the portal that need no account.
  private var welcome: Page {
    let registration = context.button("register.link", to: "/register")
    let clinic = ["clinic": context.portal.clinic.name]
    // Without a card there is no doctor to be found, because no module knows one.
    let (title, lead): (Text, Text) =
      cards.isEmpty
      ? (Text("welcome.plain.title", clinic), "welcome.plain.lead")
      : ("welcome.title", Text("welcome.lead", clinic))
    let organization = context.portal.clinic
    let welcome =
      organization.welcome[context.language] ?? organization.welcome[organization.defaultLanguage]
    return Page(
      title,
      """
      <div class="hero\(attribute: " plain", if: cards.isEmpty)">\
      <section><h1>\(context.text(title))</h1>\(context.emergencyStrip)\
      <p class="lead">\(welcome ?? context.text(lead))</p>\
      \(cards.isEmpty ? "\(actions: [registration] + openTasks)" : nil)</section>\
      \(cards.first)</div>\
      \(cards.count > 1 ? "<div class=\"home\">\(Array(cards.dropFirst()))</div>" : nil)\
      \(cards.isEmpty ? publicModules : nil)\
      <ul class="points">\(points)</ul>\(cards.isEmpty ? nil : "\(actions: registration)")
      """,
      assets: [Page.Asset(www: "styles/welcome.css")], width: .wide, hasOwnHeading: true)
  }

  /// Buttons for the tasks that are open to everyone.
  private var openTasks: [HTML] {
    installation.links(for: nil).flatMap { link, member in
      link.actions.filter { $0.access.isOpen(under: member.settings) }.map { action in
        context.button(
          showing: "\(member.phrasebook.string(action.title, in: context.language))",
          to: action.path.resolved(in: member.module.id), style: .secondary)
      }
    }
  }

  private var points: [HTML] {
    [("private", Icon.lock), ("together", .person), ("free", .check)].map {
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
