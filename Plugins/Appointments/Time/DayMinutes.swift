import PolyclinicCore

/// Minutes of a day, 0 to 1440, the form in which hours are stored.
enum DayMinutes {
  /// From midnight to midnight.
  static let wholeDay = 0..<1_440

  /// Returns the minutes between two times; midnight as the end is the end of the day. Returns nil
  /// if a time is missing, or if the end is not after the start.
  static func range(_ starts: TimeOfDay?, _ ends: TimeOfDay?) -> Range<Int>? {
    guard let starts = starts?.minutes, let ends = ends?.minutes else { return nil }
    let end = ends == 0 ? wholeDay.upperBound : ends
    return starts < end ? starts..<end : nil
  }

  /// Returns the time of day; midnight for the end of the day.
  static func time(_ minutes: Int) -> TimeOfDay? {
    TimeOfDay(hour: minutes / 60 % 24, minute: minutes % 60)
  }

  /// Returns “09:00–13:00, 14:00–17:00”; the end of the day is 24:00.
  static func text(_ spans: [Range<Int>], _ context: Context) -> String {
    spans.map { "\(clock($0.lowerBound, context))–\(clock($0.upperBound, context))" }
      .joined(separator: ", ")
  }

  private static func clock(_ minutes: Int, _ context: Context) -> String {
    if minutes == wholeDay.upperBound { return "24:00" }
    return time(minutes).map { context.formats.time($0) } ?? ""
  }
}
