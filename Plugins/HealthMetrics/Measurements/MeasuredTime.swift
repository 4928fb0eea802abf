import PolyclinicCore

/// A measurement with its time.
protocol Measured: Sendable {
  var time: ZonedTime { get }
}

/// The validation of measuring times.
enum MeasuredTime {
  /// The number of characters of a note that lists show.
  static let shownOfNote = 80

  /// Returns the problem of a time that is invalid on any day, or nil.
  @Sendable
  static func problem(_ time: ZonedTime) -> Text? {
    time.local.date.year < 1_900 ? "error.date-time" : nil
  }

  /// Throws ``Refusal/invalid(_:_:)`` for a time in the future.
  static func requirePast(_ time: ZonedTime?, at now: Instant) throws {
    guard let time, time.instant > now else { return }
    throw Refusal.invalid("measured_at", "error.future-time")
  }
}

extension ZonedTime {
  /// Reads the format of ``write(to:)``: minutes since 1970, and the offset from UTC in minutes.
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

  /// The minute of the local day, from 0 to 1439.
  var minuteOfDay: Int { local.hour * 60 + local.minute }

  /// The local day.
  var day: CalendarDate { local.date }
}
