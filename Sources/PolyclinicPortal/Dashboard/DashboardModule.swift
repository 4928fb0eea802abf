import PolyclinicCore
import PolyclinicWeb

/// The home page: the modules' cards for signed-in people, and a welcome page for all others.
package struct DashboardModule: Module {
  package let id: ModuleID = "home"
  let server: ServerReference
  package let files: InstallationFiles
  package var title: Text { "dashboard.title" }
  package var catalog: Catalog { .dashboard }
  package var migrations: [Migration] {
    [Migration("0001-dashboard", [StartPage.value.schema] + RememberedBrowsers.offlineSchema)]
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

  package init(_ server: ServerReference, _ files: InstallationFiles) {
    self.server = server
    self.files = files
  }

  package var links: [Link] { [Link("dashboard.title", to: "/", access: .everyone, icon: .home)] }

  package var routes: [Route] {
    [
      .get("/", access: .everyone, show),
      .get("/start", access: .everyone, openStartPage),
      .form(
        "/account/start-page", StartPage.form(server), title: "start-page.title",
        cancel: "/account",
        load: loadStartPage, save: saveStartPage
      ).saying("start-page.saved"),
      .get("/useful-contacts", access: .everyone, showUsefulContacts),
      .get("/robots.txt", access: .everyone, robots),
      .get("/manifest.webmanifest", access: .everyone, manifest),
      .get("/service-worker.js", access: .everyone, serviceWorker),
      .get("/offline", access: .everyone, offline),
      .get("/releases/{release}/{folder}/{file}", access: .everyone, releaseFile),
      .get("/assets/{file}", access: .everyone, moduleFile),
      .get("/assets/modules/{module}/{file}", access: .everyone, moduleFile),
      .get("/.well-known/change-password", access: .everyone) { _ in
        .redirect(to: "/account/password")
      },
      .get("/.well-known/security.txt", access: .everyone, securityText),
    ] + offlineRoutes
  }

  private func show(_ context: Context) throws -> Response {
    let server = self.server()
    let installation = server.installation
    guard let visitor = context.visitor else {
      let cards = installation.publicCards.compactMap { $0.html(of: $1, context, server) }
      return .page(WelcomePage(installation: installation, context: context).page(cards))
    }
    let found = installation.cards(for: visitor)
    do { try context.read([Profile.head] + found.flatMap(\.0.reads)) } catch is DatabaseError {
      // A card whose table is damaged says so itself when it reads; the others are not affected.
    }
    let profile = try Profile.find(in: context)
    let cards = found.compactMap { $0.html(of: $1, context, server) }
    let home = Home(visitor: visitor, installation: installation, context: context)
    return .page(home.page(firstName: profile?.name ?? visitor.name, cards))
  }
}

extension Catalog {
  static let dashboard = Catalog(
    en: [PackageResources.dashboard_en_json], ru: [PackageResources.dashboard_ru_json],
    he: [PackageResources.dashboard_he_json])
}
