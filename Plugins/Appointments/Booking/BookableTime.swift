import PolyclinicCore

/// A time of a doctor that can be booked.
struct BookableTime: Sendable, Hashable {
  let span: Range<Instant>
  let zone: Zone

  /// What the clinic's clocks show when it starts.
  var local: LocalDateTime { LocalDateTime(span.lowerBound, in: zone) }

  /// How far these clocks are ahead of UTC then, `+02:00`, where they show this time twice; nil everywhere
  /// else.
  var offset: String? {
    guard case .two = local.moments(in: zone) else { return nil }
    return ZonedTime.written(zone.offset(at: span.lowerBound))
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

  /// From the first of these starts that is still to come to the end of the last appointment.
  static func bookable(
    of length: Seconds, in working: Range<Instant>, after now: Instant
  ) -> Range<Instant> {
    let first = DoctorTime.nextGrain(from: working.lowerBound)
    let past = now < first ? 0 : (now - first).count / length.count + 1
    let start = first + Seconds(past * length.count)
    let count = max(0, (working.upperBound - start).count / length.count)
    return start..<start + Seconds(count * length.count)
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
