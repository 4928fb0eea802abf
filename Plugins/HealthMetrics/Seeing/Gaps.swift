import PolyclinicCore

extension Chart {
  /// How long nothing may have been measured for a line to go on: a few days of a month, some weeks of a
  /// year, a quarter of decades.
  static func gap(of span: Range<Instant>) -> Seconds {
    switch (span.upperBound - span.lowerBound).count / 86_400 {
    case ...31: .days(4)
    case ...92: .days(10)
    case ...366: .days(31)
    default: .days(92)
    }
  }
}
