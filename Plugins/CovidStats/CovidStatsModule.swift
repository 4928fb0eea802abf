import PolyclinicCore
import PolyclinicPlaces

/// The module for the COVID-19 figures of countries from a public source. It shows the stored
/// figures while the source cannot be reached.
public struct CovidStatsModule: Module {
  public let id: ModuleID = "covid-stats"

  public init() {}

  public var title: Text { "covid.title" }

  /// Few clinics need the figures any more.
  public var isEnabledAtFirst: Bool { false }

  public var kind: Icon.Kind? { Icon.Kind("covid", .chart) }

  public var assets: [Page.Asset] {
    [Page.Asset("covid-stats.css", PackageResources.covid_stats_css, for: .everyPage), .share]
  }

  public var catalog: Catalog {
    Catalog(
      en: [
        PackageResources.module_en_json, PackageResources.figures_en_json,
        PackageResources.share_en_json, PackageResources.information_en_json,
      ],
      ru: [
        PackageResources.module_ru_json, PackageResources.figures_ru_json,
        PackageResources.share_ru_json, PackageResources.information_ru_json,
      ],
      he: [
        PackageResources.module_he_json, PackageResources.figures_he_json,
        PackageResources.share_he_json, PackageResources.information_he_json,
      ])
  }

  public var migrations: [Migration] {
    [
      Migration(
        "0001-figures",
        Figures.schema + [
          RefreshState.creation, ChosenCountry.value.schema, CardPicture.schema,
        ])
    ]
  }

  public var routes: [Route] {
    [
      CountryPage.route, CountriesPage.route, TrendPage.route, InformationPage.route,
      SharePage.route,
      .get(ShareCard.drawing.pattern, access: .toFigures, ShareCard.showDrawing),
      .get(ShareCard.picture.pattern, access: .toFigures, ShareCard.showPicture),
      .post(ChosenCountry.address.path, access: .toFigures, ChosenCountry.choose),
      .post(CountryPage.refreshing.path, access: .toFigures, CountryPage.refresh),
    ]
  }

  public var links: [Link] {
    [
      Link(
        "covid.link", to: CountryPage.path, access: .toFigures, icon: .chart, about: "covid.about",
        actions: [
          Link("countries.title", to: CountriesPage.path, access: .toFigures),
          Link("information.link", to: InformationPage.path, access: .toFigures),
        ])
    ]
  }

  public var cards: [Card] {
    [
      Card(
        "covid.title", page: CountryPage.path, reads: [ChosenCountry.value.head], CountryPage.card)
    ]
  }

  public var settings: [Setting] {
    [
      Setting("source", .text(limit: 1_000), default: "who"),
      Setting("country", .choice([""] + Countries.all + [Figures.kosovo]), default: ""),
      Setting("refresh_hours", .integer(1...168), default: 24),
      Setting("public", .boolean, default: false),
      Setting("mirror", .text(limit: 1_000), default: ""),
      Setting("proxy", .text(limit: 1_000), default: ""),
    ]
  }

  public var jobs: [Job] {
    [
      Job("refresh", limit: Refresh.limit, Refresh.whenDue).usingNetwork,
      Job("refresh-asked", limit: Refresh.limit, Refresh.whenAsked).usingNetwork,
    ]
  }

  public var commands: [Command] {
    [
      Command(
        "refresh", "Fetch the figures now, or take them from a file.",
        .option("from", "A file of one of the sources, in place of fetching.", as: .file),
        run: Refresh.now)
    ]
  }

  public var checks: [HealthCheck] {
    [
      HealthCheck("settings", Refresh.settingsProblem),
      HealthCheck("figures", RefreshState.problem, details: RefreshState.sentence),
      HealthCheck("cards") { _ in CardPicture.problem },
    ]
  }

  public var personalData: PersonalData {
    PersonalData(
      .sealed("privacy.country", until: "privacy.until-erased"),
      impersonal: [
        "covid_stats_countries": "public figures", "covid_stats_series": "public figures",
        "covid_stats_cards": "pictures of public figures",
        "covid_stats_refresh": "how the fetching of public figures went",
      ],
      export: ChosenCountry.export)
  }
}
