import PolyclinicCore
import PolyclinicWeb

/// The page that a person has chosen to open after signing in and with a click on the portal's
/// name.
struct StartPage: Resealable {
  /// The path of a navigation entry, such as `/contacts`; empty if none is chosen.
  var path = ""
  var unknown = Sealed.UnknownFields()
}

extension StartPage {
  static let value = PersonalValue(
    "home_start_pages", Form(StartPage(), .text(\.path, "start_page")))

  /// Writes the choice to the person's data export.
  static func export(_ work: Work, _ copy: JSON.Writer) throws {
    let chosen = try value.find(in: work)
    if let chosen, !chosen.path.isEmpty { try copy.write("start_page", .string(chosen.path)) }
  }

  /// Returns the path to open after signing in: the chosen page, or the default page of the
  /// person's roles.
  static func landing(
    of account: Account, _ server: ServerContext, on connection: Connection
  ) throws -> Path {
    let visitor = Visitor(person: account.person, name: "", roles: account.roles)
    let keys = try KeyStore(server.vault).unloggedKeys(of: account.person, on: connection)
    let chosen = try keys.flatMap { keys in
      try open(
        for: visitor, server.installation, in: Work(keys: keys, at: server.clock(), on: connection))
    }
    return chosen ?? server.installation.landing(of: account.roles)
  }

  /// Returns the chosen page if it is in the navigation. It may be missing because its module is
  /// off or a role was revoked.
  static func open(
    for visitor: Visitor, _ installation: Installation, in work: Work
  ) throws -> Path? {
    let chosen: StartPage?
    // `polyclinic check` reports the row. A choice that cannot be read must not lock its owner out.
    do { chosen = try value.find(in: work) } catch is UnsealingError { return nil }
    return installation.enabled.lazy.flatMap { member in
      member.links.filter { $0.access.includes(visitor) }
        .map { $0.path.resolved(in: member.module.id) }
    }.first { $0.description == chosen?.path }
  }
  /// Redirects from the portal's name to the chosen page. The link itself is the same for all, so
  /// that people with the same roles share one cached frame.
  static func open(_ context: Context) throws -> Response {
    guard let visitor = context.visitor else { return .redirect(to: HomePage.path) }
    let chosen = try open(for: visitor, context.server.installation, in: context)
    return .redirect(to: chosen ?? HomePage.path)
  }
}

/// The form that chooses the start page.
struct StartPageForm: RoutedForm {
  static let address: Address<Void> = "/account/start-page"
  static let title: Text = "start-page.title"
  static let form = Form(
    StartPage(),
    .choice(
      \.path, "start_page", required: true, hint: "field.start_page.hint", options: choices))
  static let cancel: Path = "/account"
  static let isVersioned = true
  static var route: Route { Route(Self.self).saying("start-page.saved") }

  /// The choice, with the page that opens now.
  let start: StartPage

  init(_ context: Context) throws {
    let visitor = try context.signedIn()
    let installation = context.server.installation
    var page = try StartPage.value.find(in: context) ?? StartPage()
    let open = try StartPage.open(for: visitor, installation, in: context)
    page.path = (open ?? installation.landing(of: visitor.roles)).description
    start = page
  }

  /// Returns the entries of the visitor's navigation.
  private static func choices(_ context: Context) throws -> [Choice] {
    let visitor = try context.signedIn()
    return context.server.installation.enabled.flatMap { member in
      member.links.filter { $0.access.includes(visitor) }.map { link in
        Choice(
          link.path.resolved(in: member.module.id).description,
          .verbatim(member.phrasebook.string(link.title, in: context.language)))
      }
    }
  }

  func save(_ page: StartPage, in context: Context) throws -> Redirect {
    try StartPage.value.save(page, in: context)
    return Redirect(to: Self.cancel)
  }
}
