import PolyclinicCore
import PolyclinicWeb

/// The home page: the modules' cards for signed-in people, and a welcome page for all others.
package struct DashboardModule: Module {
  package let id: ModuleID = "home"
  package var title: Text { "dashboard.title" }
  package var catalog: Catalog { .dashboard }
  package var migrations: [Migration] {
    [
      Migration(
        "0001-dashboard",
        [StartPage.value.schema, HomeCards.value.schema] + RememberedBrowsers.offlineSchema)
    ]
  }
  package var personalData: PersonalData {
    PersonalData(
      .sealed("privacy.start-page", until: "privacy.until-erased"),
      .sealed("privacy.home-cards", until: "privacy.until-erased"),
      .plain(
        "privacy.offline", until: "privacy.until-fourteen-days", seenBy: "privacy.seen-by-nobody",
        columns: ["home_offline_browsers.kept_at"]),
      impersonal: [
        "home_offline_browsers.token_hash": "hash of a random token",
        "home_offline_browsers.device": "sealed",
      ],
      export: {
        try StartPage.export($0, $1)
        try HomeCards.export($0, $1)
      })
  }

  package init() {}

  package var links: [Link] { [Link(title, to: HomePage.path, access: .everyone, icon: .home)] }

  package var guardianAccess: GuardianAccess { .nothing("error.403.own-pages") }

  package var routes: [Route] {
    [
      HomePage.route.forGuardians(.bookings), StartPageForm.route, HomeCardsPage.route,
      UsefulContactsPage.route.forGuardians(.bookings),
      OfflinePage.route,
      OfflineCopyPage.route.forGuardians(.nothing("offline.own.guardians")),
      .post(HomeCardsPage.moving.pattern, save: HomeCardsPage.moveUp),
      .post(HomeCardsPage.hiding.pattern, save: HomeCardsPage.hide),
      .post(HomeCardsPage.showing.pattern, save: HomeCardsPage.show),
      .post(OfflineCopyPage.keeping.pattern, OfflineCopyPage.keep),
      .post(OfflineCopyPage.forgetting.pattern, OfflineCopyPage.forget),
      .get("/account/offline/copy", access: .everyone, OfflineCopy.answer),
      .get("/start", access: .everyone, StartPage.open),
      .get("/robots.txt", access: .everyone, robots),
      .get("/manifest.webmanifest", access: .everyone, manifest),
      .get("/service-worker.js", access: .everyone, serviceWorker),
      .get("/releases/{release}/{folder}/{file}", access: .everyone, releaseFile),
      .get("/assets/{file}", access: .everyone, moduleFile),
      .get("/assets/modules/{module}/{file}", access: .everyone, moduleFile),
      .get("/.well-known/change-password", access: .everyone) { _ in
        .redirect(to: "/account/password")
      },
      .get("/.well-known/security.txt", access: .everyone, securityText),
    ]
  }
}

extension Catalog {
  static let dashboard = Catalog(
    en: [PackageResources.dashboard_en_json], ru: [PackageResources.dashboard_ru_json],
    he: [PackageResources.dashboard_he_json])
}
