import PolyclinicCore

/// A measurement with its time.
protocol Measured: Sendable {
  var time: ZonedTime { get }
}

extension Measured {
  /// The number of characters of a note that lists show.
  static var shownOfNote: Int { 80 }
}

/// The validation of measuring times.
extension ZonedTime {
  /// Returns the problem of a measuring time that is invalid on any day, or nil.
  @Sendable
  static func measuringProblem(_ time: ZonedTime) -> Text? {
    time.local.date.year < 1_900 ? "error.date-time" : nil
  }
}

extension ZonedTime? {
  /// Throws ``Refusal/invalid(_:_:)`` for a measuring time in the future.
  func requirePast(at now: Instant) throws {
    guard let time = self, time.instant > now else { return }
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
