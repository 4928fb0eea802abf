import PolyclinicCore

/// What a person weighed at one time, as the scale said it.
struct Weight: Resealable {
  var value: Double?
  var unit = Unit.kg
  var measuredAt: ZonedTime?
  var note = ""
  var unknown = UnknownFields()

  /// What the scale counts in.
  enum Unit: String, CaseIterable, Sendable {
    case kg, lb

    /// The international avoirdupois pound is 0.45359237 kg exactly (agreement of 1959).
    var kilograms: Double { self == .kg ? 1 : 0.453_592_37 }
  }
}

extension Weight {
  static let index = SealedIndex<Entry>("health_metrics_weights_index")

  /// Where weights are kept.
  static let records = Records(
    "health_metrics_weights", id: "id_weight", sealed: Slot("health_metrics_weights.sealed", form),
    index: index, title: \.plainTitle, entry: Entry.init(_:id:)
  ).named("weight", by: \.title)

  /// The fields of a weight: for the page, for JSON, for files, and for what is sealed.
  static let form = Form(
    Weight(),
    .decimal(\.value, "value", in: lightest...1_543, required: true),
    .choice(\.unit, "unit"),
    .dateTime(\.measuredAt, "measured_at", required: true, rule: MeasuredTime.problem),
    .text(\.note, "note", limit: 500, autocomplete: "off")
  ).requiring("value") { $0.kilograms <= heaviest ? nil : "error.weight" }
    .doubting("value") { usual.contains($0.kilograms) ? nil : $0.asked("doubt.weight") }

  /// In kilograms: what the smallest child that lived weighed at birth was 0.212.
  private static let lightest = 0.2
  /// In kilograms: the heaviest person known weighed 635.
  private static let heaviest = 700.0
  /// In kilograms: anything else is more often a slip of the finger.
  private static let usual = 2.0...300.0

  /// In kilograms, whatever it was measured in.
  var kilograms: Double { (value ?? 0) * unit.kilograms }

  /// Without any language's conventions, for lists that have no formats.
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
    return Text(key, values: ["value": .number(value, fractionDigits: Self.digits(of: value))])
  }

  /// How many digits behind the separator a weight is written with: as many as it was typed with, up to
  /// two.
  static func digits(of value: Double) -> Int {
    let hundredths = Int((value * 100).rounded())
    return hundredths % 100 == 0 ? 0 : hundredths % 10 == 0 ? 1 : 2
  }
}
