import PolyclinicCore

/// A time of a doctor that can be booked.
struct BookableTime: Sendable, Hashable {
  let span: Range<Instant>
  let zone: Zone

  /// What the clinic's clocks show when it starts.
  var local: LocalDateTime { LocalDateTime(span.lowerBound, in: zone) }

  /// How far these clocks are ahead of UTC then, where they show this time twice; nil everywhere else.
  var offset: UTCOffset? {
    guard case .two = local.moments(in: zone) else { return nil }
    return UTCOffset(zone.offset(at: span.lowerBound))
  }
}

/// How far clocks are ahead of UTC, as RFC 3339 writes it: `+02:00`.
struct UTCOffset: Sendable, Hashable, CustomStringConvertible {
  let seconds: Seconds

  init(_ seconds: Seconds) { self.seconds = seconds }

  /// Reads `+HH:MM` or `-HH:MM`; nil for anything else.
  init?(_ text: String) {
    guard let sign = text.first, "+-".contains(sign), text.utf8.count == 6,
      let time = TimeOfDay(String(text.dropFirst()))
    else { return nil }
    seconds = .minutes(sign == "-" ? -time.minutes : time.minutes)
  }

  var description: String {
    let minutes = Int(seconds.count.magnitude) / 60
    let time = TimeOfDay(hour: minutes / 60 % 24, minute: minutes % 60)
    return (seconds.count < 0 ? "-" : "+") + (time?.description ?? "00:00")
  }
}

extension Plan {
  /// The times of a day that an appointment of this length can have, taken or not, in order: one
  /// behind the other through each stretch of work, the first on a whole grain.
  func times(of length: Seconds, on date: CalendarDate) -> [BookableTime] {
    working(on: date).flatMap { working in
      Self.starts(of: length, in: working).map {
        BookableTime(span: Instant($0)..<Instant($0) + length, zone: zone)
      }
    }
  }

  /// When appointments of this length begin in a stretch of work, in Unix seconds.
  static func starts(of length: Seconds, in working: Range<Instant>) -> StrideThrough<Int64> {
    stride(
      from: DoctorTime.nextGrain(from: working.lowerBound).seconds,
      through: (working.upperBound - length).seconds, by: Int64.Stride(length.count))
  }
}

extension DoctorTime {
  /// The moment, or the first after it, at which a grain begins.
  fileprivate static func nextGrain(from moment: Instant) -> Instant {
    let rest = moment.seconds % grain.count
    if rest == 0 { return moment }
    return moment + Seconds(rest > 0 ? grain.count - rest : -rest)
  }
}
