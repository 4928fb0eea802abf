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
    working(on: date).flatMap { working -> [BookableTime] in
      var times: [BookableTime] = []
      var start = DoctorTime.nextGrain(from: working.lowerBound)
      while start + length <= working.upperBound {
        times.append(BookableTime(span: start..<start + length, zone: zone))
        start = start + length
      }
      return times
    }
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
