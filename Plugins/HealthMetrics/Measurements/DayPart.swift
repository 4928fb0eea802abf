import PolyclinicCore

/// A part of the day in local time.
enum DayPart: String, CaseIterable, Sendable {
  case morning, afternoon, evening, night

  /// Returns the part of the day: the morning begins at 5, the afternoon at 12, the evening at 17,
  /// the night at 22.
  init(_ time: ZonedTime) {
    switch time.minuteOfDay / 60 {
    case 5..<12: self = .morning
    case 12..<17: self = .afternoon
    case 17..<22: self = .evening
    default: self = .night
    }
  }
}
