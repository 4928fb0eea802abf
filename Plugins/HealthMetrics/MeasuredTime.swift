import PolyclinicCore

/// Something that was measured at one time.
protocol Measured: Sendable {
  var time: ZonedTime { get }
}

/// The rules of when something was measured.
enum MeasuredTime {
  /// How much of a note lists show, in characters.
  static let shownOfNote = 80

  /// What is wrong with a time whatever day it is today.
  @Sendable
  static func problem(_ time: ZonedTime) -> Text? {
    time.local.date.year < 1_900 ? "error.date-time" : nil
  }

  /// Throws ``Refusal/invalid(_:_:)`` for a time that is still to come.
  static func requirePast(_ time: ZonedTime?, at now: Instant) throws {
    guard let time, time.instant > now else { return }
    throw Refusal.invalid("measured_at", "error.future-time")
  }
}

extension ZonedTime {
  /// Reads what ``write(to:)`` wrote: minutes since 1970, and how many the clock was ahead.
  init(from bytes: inout ByteReader) throws {
    let minutes = try bytes.integer()
    let offset = try bytes.integer()
    guard abs(minutes) < 1 << 40, abs(offset) < 1 << 20 else { throw DecodingFailure() }
    self.init(Instant(minutes * 60), offset: Seconds(offset * 60))
  }

  func write(to bytes: inout ByteWriter) {
    bytes.write(instant.seconds / 60)
    bytes.write(offset.count / 60)
  }

  /// 0 to 1439, from midnight on the clock beside it.
  var minuteOfDay: Int { local.hour * 60 + local.minute }

  /// The day on the calendar beside it.
  var day: CalendarDate { local.date }
}
