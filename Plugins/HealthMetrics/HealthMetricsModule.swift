import PolyclinicCore

/// The module for body weight and blood pressure: lists, charts, and a report for the doctor.
public struct HealthMetricsModule: Module {
  public let id: ModuleID = "health-metrics"

  public init() {}

  public var title: Text { "metrics.title" }

  public var assets: [Page.Asset] {
    [
      Page.Asset("health-metrics.css", PackageResources.health_metrics_css, for: .everyPage),
      .report,
    ]
  }

  public var catalog: Catalog {
    Self.moduleWords + Self.weightWords + Self.bloodPressureWords + Self.chartWords
      + Self.homeWeekWords + Self.fileWords
  }

  public var migrations: [Migration] {
    [
      Migration(
        "0001-measurements",
        Weight.records.schema + BloodPressure.records.schema + [Preferences.value.schema])
    ]
  }

  public var routes: [Route] {
    [
      Overview.route, GuidePage.route, Report.route, PreferencesForm.route, HomeWeekPage.route,
      WeekStart.route, WeekEnd.route, WeekReading.route,
      WeightList.route, NewWeight.route, WeightPage.route, WeightChart.route,
      BloodPressureList.route, NewBloodPressure.route, BloodPressurePage.route, PressureChart.route,
    ] + Weight.routes("weight") + BloodPressure.routes("pressure")
  }

  public var resources: [Resource] {
    [
      Resource(
        Weight.records, at: "weights", called: "Weight",
        about: .init("What a person weighed, in kilograms or pounds."), check: Weight.check),
      Resource(
        BloodPressure.records, at: "blood-pressure", called: "BloodPressure",
        about: .init(
          "Readings of a blood pressure monitor, in mmHg, and the pulse in beats a minute."),
        check: BloodPressure.check),
    ]
  }

  public var links: [Link] {
    [
      Link(
        title, to: Overview.path, icon: .pulse, about: "metrics.about",
        actions: [
          Link("pressure.new", to: NewBloodPressure.path),
          Link("weight.new", to: NewWeight.path),
        ])
    ]
  }

  public var cards: [Card] {
    [
      Card(
        "card.pressure", kind: .pressure, rank: .measurements, page: BloodPressureList.path,
        reads: [BloodPressure.index.head, Preferences.value.head],
        { try BloodPressure.card($0, &$1) }),
      Card(
        "week.title", kind: .pressure, icon: .calendar, rank: .measurements,
        page: HomeWeekPage.path, reads: [BloodPressure.index.head, Preferences.value.head],
        { try HomeWeek.card($0, &$1) }),
      Card(
        "card.weight", kind: .weight, rank: .measurements, page: WeightList.path,
        reads: [Weight.index.head, Preferences.value.head], { try Weight.card($0) }),
    ]
  }

  public var profileParts: [any ProfilePart] { [HeightPart()] }

  public var records: [RecordKind] {
    [
      Weight.records.kind("weights", at: WeightPage.address.pattern),
      BloodPressure.records.kind(
        "blood pressure readings", at: BloodPressurePage.address.pattern),
    ]
  }

  public var personalData: PersonalData {
    PersonalData(
      .sealed("privacy.weights", until: "privacy.until-deleted"), export: Weight.records.export,
      files: [Weight.exportFile], fhir: Weight.appendObservations)
      + PersonalData(
        .sealed("privacy.pressure", until: "privacy.until-deleted"),
        export: BloodPressure.records.export,
        files: [BloodPressure.exportFile],
        fhir: BloodPressure.appendObservations)
      + PersonalData(
        .sealed("privacy.preferences", until: "privacy.until-erased"), export: Preferences.export)
  }
}

extension ImportedMeasurement {
  /// The routes that both kinds have alike: changing and deleting, and files.
  fileprivate static func routes(_ word: String) -> [Route] {
    [
      .get(pages.export.path, export),
      .edit(
        pages.edit.pattern, records, title: Text("\(word).edit"), list: pages.one.pattern,
        prepare: check
      ).saying(Text("\(word).saved")),
      .delete(
        pages.deletion.pattern, records, cancel: pages.one.pattern, list: pages.list.path),
    ] + fileImport
  }
}
