import PolyclinicCore

/// COVID-19 figures of countries, as a public source reports them, also while it cannot be reached.
public struct CovidStatsModule: Module {
  public let id: ModuleID = "covid-stats"

  public init() {}

  public var title: Text { "covid.title" }

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
      FigureTables.migration, RefreshState.migration, ChosenCountry.migration,
      CardPicture.migration,
    ]
  }

  /// Also those who have not signed in, where the setting `public` says so.
  static let access = Access.everyoneWhere("public")

  public var routes: [Route] {
    [
      .get("", access: Self.access, showCountry),
      .post("country", access: Self.access, chooseCountry),
      .post("refresh", access: Self.access, refresh),
      .get("countries", access: Self.access, listCountries),
      .get("trend", access: Self.access, showTrend),
      .get("information", access: Self.access, showInformation),
    ] + shareRoutes
  }

  public var links: [Link] {
    [
      Link(
        "covid.link", to: "", access: Self.access, icon: .chart, about: "covid.about",
        actions: [
          Link("countries.title", to: "countries", access: Self.access),
          Link("information.link", to: "information", access: Self.access),
        ])
    ]
  }

  public var cards: [Card] { [Card("covid.title", card)] }

  public var settings: [Setting] {
    [
      Setting("source", .text(limit: 1_000), default: "who"),
      Setting("country", .choice(Countries.all + [Figures.kosovo]), default: "RU"),
      Setting("refresh_hours", .integer(1...168), default: 24),
      Setting("public", .boolean, default: false),
      Setting("mirror", .text(limit: 1_000), default: ""),
      Setting("proxy", .text(limit: 1_000), default: ""),
    ]
  }

  public var jobs: [Job] {
    [
      Job("refresh", limit: Refresh.limit, usesNetwork: true, Refresh.whenDue),
      Job("refresh-asked", limit: Refresh.limit, usesNetwork: true, Refresh.whenAsked),
    ]
  }

  public var commands: [Command] {
    [
      Command(
        "refresh", "Fetch the figures now, or take them from a file.",
        .option("from", "A file of one of the sources, in place of fetching."), run: refreshNow)
    ]
  }

  public var checks: [HealthCheck] {
    [
      HealthCheck("figures", FigureAge.problem, details: FigureAge.sentence),
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
