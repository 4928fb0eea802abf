import PolyclinicCore

/// A person's weight at one time, as the scale showed it.
struct Weight: Resealable {
  var value: Double?
  var unit = Unit.kg
  var measuredAt: ZonedTime?
  var note = ""
  var unknown = Sealed.UnknownFields()

  /// The unit of a scale.
  enum Unit: String, CaseIterable, Sendable {
    case kg, lb

    /// The unit in kilograms. The international avoirdupois pound is exactly 0.45359237 kg
    /// (agreement of 1959).
    var kilograms: Double { self == .kg ? 1 : 0.453_592_37 }
  }
}

extension Weight {
  static let pages = MeasurementPages<Weight>(
    list: "/health-metrics/weights", chart: "/health-metrics/weights/chart",
    new: "/health-metrics/weights/new", upload: "/health-metrics/weights/import",
    export: "/health-metrics/weights/export.csv", one: "/health-metrics/weights/{id}",
    edit: "/health-metrics/weights/{id}/edit", deletion: "/health-metrics/weights/{id}/delete")

  static let index = SealedIndex<Entry>("health_metrics_weights_index")

  /// The stored weights.
  static let records = Records(
    "health_metrics_weights", id: "id_weight",
    sealed: SealedColumn("health_metrics_weights.sealed", form),
    index: index, title: \.plainTitle, entry: Entry.init(_:id:)
  ).named("weight", by: \.title)

  /// The fields of a weight, for the page, for JSON, for files, and for sealed storage.
  static let form = Form(
    Weight(),
    .decimal(\.value, "value", in: 0...99_999, required: true),
    .choice(\.unit, "unit"),
    .dateTime(\.measuredAt, "measured_at", required: true, rule: ZonedTime.measuringProblem),
    .text(\.note, "note", limit: 500, autocomplete: "off")
  ).requiring("value") {
    possible.contains($0.kilograms) ? nil : Text("error.weight.\($0.unit.rawValue)")
  }
  .doubting("value") { weight, context in
    try usual.contains(weight.kilograms) && !weight.isJump(context)
      ? nil : weight.asked("doubt.weight")
  }

  /// The limits in kilograms. The smallest surviving newborn weighed 0.212 kg, the heaviest known
  /// person 635 kg.
  private static let possible = 0.2...700.0
  /// The usual range in kilograms. Other values need a confirmation, because most are typing
  /// errors.
  private static let usual = 2.0...300.0

  /// The share of the weight before by which a person's weight seldom changes within ``jumpDays``.
  private static let jump = 0.2
  private static let jumpDays = 90

  /// True if the weight differs so much from the one before it that it is more likely a typing
  /// error.
  private func isJump(_ context: Context) throws -> Bool {
    guard let moment = measuredAt?.instant else { return false }
    let own: ID<Weight>? = context.request.parameters["id"].flatMap { ID($0) }
    var before: Entry?
    try Self.index.prefix(in: context) { entry in
      if entry.id == own || entry.time.instant > moment { return true }
      before = entry
      return false
    }
    guard let before, moment - before.time.instant <= .days(Self.jumpDays) else { return false }
    return abs(kilograms - before.kilograms) > Self.jump * before.kilograms
  }

  /// The weight in kilograms, converted from its unit.
  var kilograms: Double { (value ?? 0) * unit.kilograms }

  /// A title without localised formats, for lists that have none.
  private var plainTitle: String {
    "\(value ?? 0) \(unit.rawValue), \(measuredAt?.local.description ?? "")"
  }

  /// “72.5 kg, 4 May 2026 at 11:00”.
  var title: Text {
    var text = asked("weight.name.\(unit.rawValue)")
    text.values["time"] = measuredAt.map { .local($0.local) }
    return text
  }

  private func asked(_ key: String) -> Text {
    let value = value ?? 0
    return Text(
      key,
      values: [
        "value": .number(value, fractionDigits: Formats.fractionDigits(of: value, atMost: 2))
      ])
  }
}
