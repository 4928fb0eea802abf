import PolyclinicCore

/// The module for body weight and blood pressure: lists, charts, and a report for the doctor.
public struct HealthMetricsModule: Module {
  public let id: ModuleID = "health-metrics"

  public init() {}

  public var title: Text { "metrics.title" }

  public var catalog: Catalog {
    Self.moduleWords + Self.weightWords + Self.bloodPressureWords + Self.chartWords
      + Self.homeWeekWords + Self.fileWords
  }

  public var migrations: [Migration] {
    [
      Migration(
        "0001-measurements",
        Weight.records.schema + BloodPressure.records.schema + [Preferences.schema])
    ]
  }

  public var routes: [Route] {
    [.get("", Overview.show)] + weightRoutes + bloodPressureRoutes + [
      .get("guide", BloodPressurePages.guide), .get("report", Report.show),
      .form(
        "preferences", Preferences.form, title: "preferences.title", cancel: "",
        load: PreferencesPage.load, save: PreferencesPage.save),
    ] + HomeWeekPages.routes + MeasurementFiles.importRoutes
  }

  private var weightRoutes: [Route] {
    [
      .get("weights", WeightPages.list),
      .form(
        "weights/new", Weight.form, title: "weight.new", cancel: "weights",
        start: WeightPages.start,
        save: WeightPages.create
      ).saying("weight.saved"),
      .get("weights/chart", WeightChart.show),
      .get("weights/export.csv", Weight.export),
      .get("weights/{id}", WeightPages.show),
      .edit(
        "weights/{id}/edit", Weight.records, title: "weight.edit", list: "weights/{id}",
        prepare: Weight.check
      ).saying("weight.saved"),
      .delete(
        "weights/{id}/delete", Weight.records, cancel: "weights/{id}", list: "weights"),
    ]
  }

  private var bloodPressureRoutes: [Route] {
    [
      .get("blood-pressure", BloodPressurePages.list),
      .form(
        "blood-pressure/new", BloodPressure.form, title: "pressure.new", cancel: "blood-pressure",
        again: "pressure.save-again", start: BloodPressurePages.start,
        about: BloodPressurePages.about, save: BloodPressure.create
      ).saying("pressure.saved"),
      .get("blood-pressure/chart", PressureChart.show),
      .get("blood-pressure/export.csv", BloodPressure.export),
      .get("blood-pressure/{id}", BloodPressurePages.show),
      .edit(
        "blood-pressure/{id}/edit", BloodPressure.records, title: "pressure.edit",
        list: "blood-pressure/{id}", prepare: BloodPressure.check
      ).saying("pressure.saved"),
      .delete(
        "blood-pressure/{id}/delete", BloodPressure.records, cancel: "blood-pressure/{id}",
        list: "blood-pressure"),
    ]
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
        title, to: "", icon: .pulse, about: "metrics.about",
        actions: [
          Link("weight.new", to: "weights/new"), Link("pressure.new", to: "blood-pressure/new"),
        ])
    ]
  }

  public var cards: [Card] {
    [
      Card("card.weight", kind: .weight, MetricsCards.weight),
      Card("card.pressure", kind: .pressure, MetricsCards.bloodPressure),
    ]
  }

  public var profileParts: [any ProfilePart] { [HeightPart()] }

  public var records: [RecordKind] {
    [
      Weight.records.kind("weights", at: "weights/{id}"),
      BloodPressure.records.kind("blood pressure readings", at: "blood-pressure/{id}"),
    ]
  }

  public var personalData: PersonalData {
    PersonalData(
      .sealed("privacy.weights", until: "privacy.until-deleted"), export: Weight.records.export,
      files: [Weight.exportFile], fhir: Observation.ofWeights)
      + PersonalData(
        .sealed("privacy.pressure", until: "privacy.until-deleted"),
        export: BloodPressure.records.export,
        files: [BloodPressure.exportFile],
        fhir: Observation.ofBloodPressure)
      + PersonalData(
        .sealed("privacy.preferences", until: "privacy.until-erased"), export: Preferences.export)
  }
}
