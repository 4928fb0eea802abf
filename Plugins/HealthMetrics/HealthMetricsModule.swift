import PolyclinicCore

/// Weights and blood pressure that a person keeps: lists, charts, and a page for the doctor.
public struct HealthMetricsModule: Module {
  public let id: ModuleID = "health-metrics"

  public init() {}

  public var title: Text { "metrics.title" }

  public var catalog: Catalog {
    Self.moduleWords + Self.weightWords + Self.bloodPressureWords + Self.seeingWords
      + Self.homeWeekWords + Self.fileWords
  }

  public var migrations: [Migration] {
    [
      Migration("0001-weights", Weight.records.schema),
      Migration("0002-blood-pressure", BloodPressure.records.schema),
      Preferences.migration,
    ]
  }

  public var routes: [Route] {
    [.get("", overview)] + weightRoutes + bloodPressureRoutes + [
      .get("guide", guide), .get("report", report),
      .form(
        "preferences", Preferences.form, title: "preferences.title", cancel: "",
        load: loadPreferences, save: savePreferences),
    ] + homeWeekRoutes + intakeRoutes
  }

  public var resources: [Resource] {
    [
      Resource(
        Weight.records, at: "weights", called: "Weight",
        about: .init("What a person weighed, in kilograms or pounds."),
        check: { try MeasuredTime.requirePast($0.measuredAt, at: $1.now) }),
      Resource(
        BloodPressure.records, at: "blood-pressure", called: "BloodPressure",
        about: .init(
          "Readings of a blood pressure monitor, in mmHg, and the pulse in beats a minute."),
        check: { try MeasuredTime.requirePast($0.measuredAt, at: $1.now) }),
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
    [Card("card.weight", weightCard), Card("card.pressure", bloodPressureCard)]
  }

  public var profileParts: [any ProfilePart] { [HeightPart()] }

  public var derived: [Derived] {
    [Weight.records.derived(as: "weights"), BloodPressure.records.derived(as: "blood-pressure")]
  }

  public var recoveries: [Recovery] {
    [
      Weight.records.recovery("weights"),
      BloodPressure.records.recovery("blood pressure readings"),
    ]
  }

  public var trash: Trash? {
    Weight.records.trash(leadingTo: "weights/{id}")
      + BloodPressure.records.trash(leadingTo: "blood-pressure/{id}")
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

  private static var moduleWords: Catalog {
    Catalog(
      en: [PackageResources.module_en_json], ru: [PackageResources.module_ru_json],
      he: [PackageResources.module_he_json])
  }
}
