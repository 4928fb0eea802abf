import PolyclinicCore
import PolyclinicPlaces
import PolyclinicWeb

/// The home page of a signed-in person: the most common tasks and the modules' cards.
struct Home {
  let visitor: Visitor
  let installation: Installation
  let context: Context

  /// The most buttons above the cards, the main one included.
  private static let mostActions = 4

  /// Returns the page. `firstName` greets the person.
  func page(firstName: String, _ cards: [HTML]) -> Page {
    Page(
      "dashboard.title",
      """
      <h1>\(context.text("dashboard.greeting", ["name": firstName]))</h1>\
      <p class="lead">\(context.formats.date(context.today))</p>\(actions: actions)\
      \(cards.isEmpty ? nothing : "<div class=\"home\">\(cards)</div>")\
      \(visitor.isStaff ? nil : context.emergencyNotice)
      """,
      width: .wide, hasOwnHeading: true)
  }

  /// The buttons of the most common tasks, of which the first is the main one. Staff see the page
  /// where they work and the tasks of their role.
  private var actions: [HTML] {
    let tasks = (visitor.isStaff ? workplace : []) + tasks
    return tasks.prefix(Self.mostActions).enumerated().map { place, task in
      context.button(
        showing: "\(task.member.phrasebook.string(task.link.title, in: context.language))",
        to: task.link.path.resolved(in: task.member.module.id),
        style: place == 0 ? [] : .secondary)
    }
  }

  private typealias Task = (link: Link, member: InstalledModule)

  /// The page on which the person arrives after sign-in.
  private var workplace: [Task] {
    let landing = installation.landing(of: visitor.roles)
    return links.filter {
      $0.link.landing != nil && $0.link.path.resolved(in: $0.member.module.id) == landing
    }
  }

  /// The tasks of all pages. Those that are open to everyone are on the welcome page instead.
  private var tasks: [Task] {
    links.flatMap { link, member in link.actions.map { (link: $0, member: member) } }
      .filter { task in
        switch task.link.access {
        case .signedIn: !visitor.isStaff
        case .role: task.link.access.includes(visitor)
        case .everyone, .everyoneWhere: false
        }
      }
  }

  private var links: [Task] {
    installation.links(for: visitor).map { (link: $0, member: $1) }
  }

  private var nothing: HTML {
    context.emptyState(.check, "dashboard.empty", hint: "dashboard.empty.hint")
  }
}
