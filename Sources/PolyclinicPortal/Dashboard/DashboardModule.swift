import Logging
import PolyclinicCore
import PolyclinicWeb

/// The home page: the modules' cards for signed-in people, and a welcome page for all others.
package struct DashboardModule: Module {
  package let id: ModuleID = "home"
  package let files: InstallationFiles
  package var title: Text { "dashboard.title" }
  package var catalog: Catalog { .dashboard }
  package var migrations: [Migration] {
    [StartPage.migration, RememberedBrowsers.offlineMigration]
  }
  package var personalData: PersonalData {
    PersonalData(
      .sealed("privacy.start-page", until: "privacy.until-erased"),
      .plain(
        "privacy.offline", until: "privacy.until-fourteen-days", seenBy: "privacy.seen-by-nobody",
        columns: ["home_offline_browsers.kept_at"]),
      impersonal: [
        "home_offline_browsers.token_hash": "hash of a random token",
        "home_offline_browsers.device": "sealed",
      ], export: StartPage.export)
  }

  package init(_ files: InstallationFiles) { self.files = files }

  package var links: [Link] { [Link("dashboard.title", to: "/", access: .everyone, icon: .home)] }

  package var routes: [Route] {
    [
      .get("/", access: .everyone, show),
      .get("/start", access: .everyone, openStartPage),
      .form(
        "/account/start-page", StartPage.form, title: "start-page.title", cancel: "/account",
        load: loadStartPage, save: saveStartPage
      ).saying("start-page.saved"),
      .get("/useful-contacts", access: .everyone, showUsefulContacts),
      .get("/robots.txt", access: .everyone, robots),
      .get("/manifest.webmanifest", access: .everyone, manifest),
      .get("/service-worker.js", access: .everyone, serviceWorker),
      .get("/offline", access: .everyone, offline),
      .get("/releases/{release}/{file}", access: .everyone, releaseFile),
      .get("/releases/{release}/flags/{file}", access: .everyone, releaseFlag),
      .get("/.well-known/change-password", access: .everyone) { _ in
        .redirect(to: "/account/password")
      },
      .get("/.well-known/security.txt", access: .everyone, securityText),
    ] + offlineRoutes
  }

  private func show(_ context: Context) throws -> Response {
    guard let visitor = context.visitor else { return try welcome(context) }
    let server = try context.server()
    let cards = server.installation.cards(for: visitor).compactMap { card($0, $1, context) }
    let home = Home(visitor: visitor, members: server.installation.enabled, context: context)
    return .page(
      Page(
        Text("dashboard.greeting", ["name": visitor.name]), home.content(cards),
        actions: home.actions, width: .wide))
  }

  /// Returns the card as HTML. A card that throws shows that it is not available and does not
  /// affect the others.
  package func card(_ card: Card, _ member: InstalledModule, _ context: Context) -> HTML? {
    let title = member.phrasebook.string(card.title, in: context.language)
    let content: HTML?
    do {
      content = try card.content(context.other(member))
    } catch {
      Logger(label: "card").error(
        "a card failed",
        metadata: ["module": "\(member.module.id)", "type": "\(type(of: error))"])
      content = "<p class=\"muted\">\(context.text("error.not-available"))</p>"
    }
    return content.map { "<section class=\"card\"><h2>\(title)</h2>\($0)</section>" }
  }

  private func welcome(_ context: Context) throws -> Response {
    let points: [HTML] = [("private", Icon.lock), ("together", .people), ("free", .heart)].map {
      """
      <li>\(context.icon($1))<h2>\(context.text(Text("welcome.\($0).title")))</h2>\
      <p>\(context.text(Text("welcome.\($0).text")))</p></li>
      """
    }
    return .page(
      Page(
        "welcome.title",
        """
        <section class="hero"><div><h1>\(context.text("welcome.title"))</h1>\
        <p class="lead">\(context.text("welcome.lead", ["clinic": context.portal.clinic.name]))</p>\
        \(actions:
          context.button("register.link", to: "/register"),
          context.button("frame.sign-in", to: "/login", style: .secondary))\
        </div></section><ul class="points">\(points)</ul>\
        \(PublicModules(members: try context.server().installation.enabled, context: context).html)
        """,
        width: .wide, hasOwnHeading: true))
  }
}

extension Catalog {
  static let dashboard = Catalog(
    en: [PackageResources.dashboard_en_json], ru: [PackageResources.dashboard_ru_json],
    he: [PackageResources.dashboard_he_json])
}
