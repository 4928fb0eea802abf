import PolyclinicCore

/// A reading of a blood pressure monitor.
struct BloodPressure: Resealable {
  /// The systolic pressure, in mmHg.
  var systolic: Int?
  /// The diastolic pressure, in mmHg.
  var diastolic: Int?
  /// The pulse, in beats a minute; nil if the monitor showed none.
  var pulse: Int?
  /// The arm, one of ``Arm``; empty if it was not given.
  var arm = ""
  var measuredAt: ZonedTime?
  var note = ""
  var unknown = Sealed.UnknownFields()

  enum Arm: String, CaseIterable, Sendable { case left, right }
}

extension BloodPressure {
  static let pages = MeasurementPages<BloodPressure>(
    list: "/health-metrics/blood-pressure", chart: "/health-metrics/blood-pressure/chart",
    new: "/health-metrics/blood-pressure/new", upload: "/health-metrics/blood-pressure/import",
    export: "/health-metrics/blood-pressure/export.csv",
    one: "/health-metrics/blood-pressure/{id}", edit: "/health-metrics/blood-pressure/{id}/edit",
    deletion: "/health-metrics/blood-pressure/{id}/delete")

  static let index = SealedIndex<Entry>("health_metrics_pressures_index")

  /// The stored readings.
  static let records = Records(
    "health_metrics_pressures", id: "id_pressure",
    sealed: SealedColumn("health_metrics_pressures.sealed", form), index: index,
    title: \.plainTitle,
    entry: Entry.init(_:id:)
  ).named("pressure", by: \.title)

  /// The fields of a reading, for the page, for JSON, for files, and for sealed storage.
  static let form = Form(
    BloodPressure(),
    .section(
      "pressure.values",
      .integer(\.systolic, "systolic", in: 40...350, required: true, example: 120),
      .integer(\.diastolic, "diastolic", in: 20...250, required: true, example: 80),
      .integer(\.pulse, "pulse", in: 20...300)),
    .choice(\.arm, "arm") { _ in
      Arm.allCases.map { Choice($0.rawValue, .text(Text("arm.\($0.rawValue)"))) }
    },
    .dateTime(\.measuredAt, "measured_at", required: true, rule: ZonedTime.measuringProblem),
    .text(\.note, "note", limit: 500, autocomplete: "off")
  ).requiring("diastolic") { reading in
    guard let systolic = reading.systolic, let diastolic = reading.diastolic,
      diastolic >= systolic
    else { return nil }
    return "error.diastolic"
  }
  .requiring("arm") { reading in
    reading.arm.isEmpty || Arm(rawValue: reading.arm) != nil ? nil : "error.choice"
  }
  .doubting("systolic") { asked($0.systolic, 70...250, "doubt.systolic") }
  .doubting("diastolic") { asked($0.diastolic, 40...150, "doubt.diastolic") }
  .doubting("pulse") { asked($0.pulse, 40...180, "doubt.pulse") }

  /// Returns a confirmation question for an unusual value. Monitors can measure such values, but
  /// they are often typing errors.
  private static func asked(_ value: Int?, _ usual: ClosedRange<Int>, _ key: String) -> Text? {
    guard let value, !usual.contains(value) else { return nil }
    return Text(key, ["value": String(value)])
  }

  var pressure: Pressure { Pressure(systolic: systolic ?? 0, diastolic: diastolic ?? 0) }

  private var plainTitle: String {
    "\(systolic ?? 0)/\(diastolic ?? 0), \(measuredAt?.local.description ?? "")"
  }

  /// “120/80 mmHg, 4 May 2026 at 11:00”.
  var title: Text {
    var text = Text("pressure.name", ["reading": "\(systolic ?? 0)/\(diastolic ?? 0)"])
    text.values["time"] = measuredAt.map { .local($0.local) }
    return text
  }
}
