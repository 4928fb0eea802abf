import PolyclinicCore
import PolyclinicPlaces
import PolyclinicWeb

/// The home page: the most common tasks and the modules' cards for a signed-in person, and
/// ``WelcomePage`` for all others.
struct HomePage: RoutedPage {
  static let address: Address<Void> = "/"
  static let access = Access.everyone

  /// The visitor with the name of the greeting; nil for a visitor who has not signed in.
  private let person: (visitor: Visitor, name: String)?
  private let cards: [HTML]
  private let installation: Installation
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    installation = context.server.installation
    guard let visitor = context.visitor else {
      person = nil
      cards = installation.publicCards.compactMap { $0.html(of: $1, context) }
      return
    }
    let found = installation.cards(for: visitor)
    do { try context.read([Profile.head] + found.flatMap(\.0.reads)) } catch is DatabaseError {
      // A card whose table is damaged says so itself when it reads; the others are not affected.
    }
    person = (visitor, try Profile.find(in: context)?.name ?? visitor.name)
    cards = found.compactMap { $0.html(of: $1, context) }
  }

  /// The most buttons above the cards, the main one included.
  private static let mostActions = 4

  var page: Page {
    guard let (visitor, name) = person else {
      return WelcomePage(cards: cards, installation: installation, context: context).page
    }
    return Page(
      "dashboard.title",
      """
      <h1>\(context.text("dashboard.greeting", ["name": name]))</h1>\
      <p class="lead">\(context.formats.date(context.today))</p>\(actions: actions(for: visitor))\
      \(cards.isEmpty ? nothing : "<div class=\"home\">\(cards)</div>")\
      \(visitor.isStaff ? nil : context.emergencyNotice)
      """,
      width: .wide, hasOwnHeading: true)
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
