import PolyclinicCore

/// Where an article stands, so that no line breaks within its pages.
enum Citation {
  /// ESC 2024 (McEvoy et al., doi:10.1093/eurheartj/ehae178).
  static let esc = article("European Heart Journal 2024;45", "3912", "4018")
  /// AHA 2017 (Whelton et al., doi:10.1161/HYP.0000000000000065).
  static let aha = article("Hypertension 2018;71", "e13", "e115")
  /// ESH 2021 (Stergiou et al.).
  static let esh = article("J Hypertens 2021;39", "1293", "1302")

  private static func article(_ volume: String, _ first: String, _ last: String) -> [String: String]
  {
    ["citation": "\(volume):\(first)\u{2060}–\u{2060}\(last)"]
  }
}

/// A society's classes of blood pressure, and where it was measured.
enum PressureScheme: String, CaseIterable, Sendable {
  case escHome = "esc-home"
  case escOffice = "esc-office"
  case aha

  /// The class of a reading, the higher one where both values differ.
  func kind(of pressure: Pressure) -> PressureClass {
    max(
      Self.kind(pressure.systolic, steps.map { ($0.systolic, $0.kind) }),
      Self.kind(pressure.diastolic, steps.map { ($0.diastolic, $0.kind) }))
  }

  private static func kind(_ value: Int, _ steps: [(Int, PressureClass)]) -> PressureClass {
    steps.last { value >= $0.0 }?.1 ?? .normal
  }

  /// From which values on each class holds, the lowest class first.
  private var steps: [(kind: PressureClass, systolic: Int, diastolic: Int)] {
    switch self {
    // ESC 2024, table 5: home.
    case .escHome: [(.nonElevated, 0, 0), (.elevated, 120, 70), (.hypertension, 135, 85)]
    // The same, office.
    case .escOffice: [(.nonElevated, 0, 0), (.elevated, 120, 70), (.hypertension, 140, 90)]
    // AHA 2017, table 6; kept in 2025. Elevated asks for a diastolic below 80, which is of no higher
    // class either.
    case .aha:
      [
        (.normal, 0, 0), (.elevated, 120, .max), (.stage1, 130, 80), (.stage2, 140, 90),
        (.severe, 181, 121),
      ]
    }
  }

  /// Whose classes they are, in a sentence.
  var source: Text {
    Text("source.\(rawValue)", self == .aha ? Citation.aha : Citation.esc)
  }

  /// What to aim at under treatment: ESC 2024, section 8, 120 to 129 over 70 to 79; AHA 2017, section 8.1.5,
  /// below 130 over 80.
  var aim: (systolic: ClosedRange<Double>, diastolic: ClosedRange<Double>) {
    self == .aha ? (130...130, 80...80) : (120...129, 70...79)
  }

  /// The same in digits: of no language.
  var aimInWords: String { self == .aha ? "130 / 80" : "120–129 / 70–79" }
}

/// How high a blood pressure is; the words of both societies, the lowest first.
enum PressureClass: String, Comparable, Sendable, CaseIterable {
  case normal
  case nonElevated = "non-elevated"
  case elevated, stage1, stage2, hypertension, severe

  static func < (one: PressureClass, other: PressureClass) -> Bool { one.place < other.place }

  private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// How it is coloured, besides being said.
  var style: StaticString {
    switch self {
    case .normal, .nonElevated: "badge ok"
    case .elevated, .stage1: "badge waiting"
    case .stage2, .hypertension, .severe: "badge danger"
    }
  }
}
