import PolyclinicCore

/// The sources of the classes and guidelines. A word joiner keeps each page range on one line.
enum Citation: String {
  /// ESC 2024 (McEvoy et al., doi:10.1093/eurheartj/ehae178).
  case esc = "European Heart Journal 2024;45:3912\u{2060}–\u{2060}4018"
  /// AHA 2017 (Whelton et al., doi:10.1161/HYP.0000000000000065).
  case aha = "Hypertension 2018;71:e13\u{2060}–\u{2060}e115"
  /// ESH 2021 (Stergiou et al.).
  case esh = "J Hypertens 2021;39:1293\u{2060}–\u{2060}1302"

  /// The citation as the argument of a text.
  var argument: [String: String] { ["citation": rawValue] }
}

/// The blood pressure classes of a medical society, for measurements at home or in the office.
enum PressureScheme: String, CaseIterable, Sendable {
  case escHome = "esc-home"
  case escOffice = "esc-office"
  case aha
  /// No classes, limits and alarms, for everybody under 18. The guidelines of the other cases are for
  /// adults. AAP 2017 (Flynn et al., doi:10.1542/peds.2017-1904) judges children below 13 by age, sex
  /// and height, which the portal does not.
  case children

  /// The schemes among which a person chooses.
  static let allCases: [PressureScheme] = [.escHome, .escOffice, .aha]

  /// Returns the class of a reading. If the two values are in different classes, the higher one
  /// counts.
  func kind(of pressure: Pressure) -> PressureClass {
    max(
      Self.kind(pressure.systolic, steps.map { ($0.systolic, $0.kind) }),
      Self.kind(pressure.diastolic, steps.map { ($0.diastolic, $0.kind) }))
  }

  private static func kind(_ value: Int, _ steps: [(Int, PressureClass)]) -> PressureClass {
    steps.last { value >= $0.0 }?.1 ?? .normal
  }

  /// The lowest values of each class, from the lowest class to the highest.
  private var steps: [(kind: PressureClass, systolic: Int, diastolic: Int)] {
    switch self {
    // ESC 2024, table 5: home.
    case .escHome: [(.nonElevated, 0, 0), (.elevated, 120, 70), (.hypertension, 135, 85)]
    // ESC 2024, table 5: office.
    case .escOffice: [(.nonElevated, 0, 0), (.elevated, 120, 70), (.hypertension, 140, 90)]
    // AHA 2017, table 6, unchanged in 2025. "Elevated" requires a diastolic value below 80, so no
    // diastolic value alone is elevated.
    case .aha:
      [
        (.normal, 0, 0), (.elevated, 120, .max), (.stage1, 130, 80), (.stage2, 140, 90),
        (.severe, 181, 121),
      ]
    case .children: [(.normal, 0, 0)]
    }
  }

  /// Returns the values of a class in words: from which on, and below which.
  func meaning(of kind: PressureClass) -> Text {
    let place = steps.firstIndex { $0.kind == kind } ?? 0
    let (step, higher) = (steps[place], steps[(place + 1)...])
    let low =
      step.diastolic == .max
      ? String(step.systolic)
      : Pressure(systolic: step.systolic, diastolic: step.diastolic).words
    // No diastolic value alone begins some classes, so that the one before goes on to the next.
    guard let systolic = higher.first?.systolic,
      let diastolic = higher.first(where: { $0.diastolic < .max })?.diastolic
    else { return Text("meaning.from", ["low": low]) }
    let limit = Pressure(systolic: systolic, diastolic: diastolic).words
    return place == 0
      ? Text("meaning.below", ["limit": limit])
      : Text("meaning.between", ["low": low, "limit": limit])
  }

  /// The classes of the same society for measurements at home.
  var atHome: PressureScheme { self == .escOffice ? .escHome : self }

  /// A sentence that names the society of these classes.
  var source: Text {
    if self == .children { return "source.children" }
    return Text("source.\(rawValue)", (self == .aha ? Citation.aha : .esc).argument)
  }

  /// True if a pressure is low, which is usual for some people and a sign of illness in others.
  func isLow(_ pressure: Pressure) -> Bool {
    self != .children && !isSevere(pressure)
      && (pressure.systolic < Pressure.low.systolic || pressure.diastolic < Pressure.low.diastolic)
  }

  /// True if a pressure is so high that the patient should act today.
  func isSevere(_ pressure: Pressure) -> Bool {
    self != .children
      && (pressure.systolic > Pressure.severe.systolic
        || pressure.diastolic > Pressure.severe.diastolic)
  }

  /// True if the patient should act now: if a pressure is severe and was measured within the last
  /// 24 hours. Later, the advice to call an ambulance would only frighten.
  func isUrgent(_ pressure: Pressure, _ time: ZonedTime?, at now: Instant) -> Bool {
    isSevere(pressure) && time.map { now - $0.instant < .days(1) } ?? true
  }

  /// The values from which a reading counts as hypertension: 135 over 85 at home and 140 over 90 at
  /// the doctor's (ESC 2024, table 5), 130 over 80 at both (AHA 2017, tables 6 and 11); nil for
  /// ``children``.
  var hypertension: Pressure? {
    steps.first { $0.kind >= .stage1 }.map {
      Pressure(systolic: $0.systolic, diastolic: $0.diastolic)
    }
  }

  /// True if a reading counts as hypertension.
  func isHigh(_ pressure: Pressure) -> Bool {
    guard let limit = hypertension else { return false }
    return pressure.systolic >= limit.systolic || pressure.diastolic >= limit.diastolic
  }

  /// The target range under treatment: 120 to 129 over 70 to 79 (ESC 2024, section 8), or below 130
  /// over 80 (AHA 2017, section 8.1.5).
  var aim: (systolic: ClosedRange<Double>, diastolic: ClosedRange<Double>) {
    self == .aha ? (130...130, 80...80) : (120...129, 70...79)
  }
}

/// A blood pressure class in the terms of both societies, the lowest first.
enum PressureClass: String, Comparable, Sendable, CaseIterable {
  case normal
  case nonElevated = "non-elevated"
  case elevated, stage1, stage2, hypertension, severe

  static func < (one: PressureClass, other: PressureClass) -> Bool { one.place < other.place }

  private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The colour of the badge, which shows the class also in words.
  var tone: HTML.BadgeTone {
    switch self {
    case .normal, .nonElevated: .good
    case .elevated, .stage1: .waiting
    case .stage2, .hypertension, .severe: .danger
    }
  }
}
