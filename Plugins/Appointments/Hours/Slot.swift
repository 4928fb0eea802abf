import PolyclinicCore

/// A slot of a doctor's time that patients can book.
struct Slot: Sendable, Hashable {
  let span: Range<Instant>
  let zone: Zone

  /// The start in the clinic's local time.
  var local: LocalDateTime { LocalDateTime(span.lowerBound, in: zone) }

  /// The UTC offset of the start, such as `+02:00`, if the clinic's clocks show its local time
  /// twice; nil otherwise.
  var offset: String? {
    guard case .two = local.moments(in: zone) else { return nil }
    return ZonedTime.written(zone.offset(at: span.lowerBound))
  }

  /// Returns the doctor and the time as the last page of a booking or of a change reads them.
  func choices(with doctor: ID<Doctor>) -> Fields {
    let local = local
    var choices: Fields = Fields([
      "doctor": doctor.description, "date": local.date.description,
      "time": local.time.description,
    ])
    if let offset { choices.append("offset", offset) }
    return choices
  }
}

extension DoctorSchedule {
  /// Returns all slots of this length on a day, free or taken, in order. They follow one another
  /// through each working period, from the start of its first whole time unit.
  func times(of length: Seconds, on date: CalendarDate) -> [Slot] {
    working(on: date).flatMap { working in
      Self.starts(of: length, in: working).map {
        Slot(span: Instant($0)..<Instant($0) + length, zone: zone)
      }
    }
  }

  /// Returns the starts of all slots of this length in a working period, in Unix seconds.
  static func starts(of length: Seconds, in working: Range<Instant>) -> StrideThrough<Int64> {
    stride(
      from: ClaimedTime.nextUnit(from: working.lowerBound).seconds,
      through: (working.upperBound - length).seconds, by: Int64.Stride(length.count))
  }

  /// Returns the span from the first slot that starts after `now` to the end of the last slot.
  static func bookable(
    of length: Seconds, in working: Range<Instant>, after now: Instant
  ) -> Range<Instant> {
    let first = ClaimedTime.nextUnit(from: working.lowerBound)
    let past = now < first ? 0 : (now - first).count / length.count + 1
    let start = first + Seconds(past * length.count)
    let count = max(0, (working.upperBound - start).count / length.count)
    return start..<start + Seconds(count * length.count)
  }
}

extension ClaimedTime {
  /// Returns the start of the first time unit that begins at or after a moment.
  fileprivate static func nextUnit(from moment: Instant) -> Instant {
    let rest = moment.seconds % unit.count
    if rest == 0 { return moment }
    return moment + Seconds(rest > 0 ? unit.count - rest : -rest)
  }
}

extension DoctorPlacement {
  /// Returns the length of an appointment in whole time units: the doctor's own, else the
  /// configured one.
  func slot(_ settings: Portal.Settings) throws -> Seconds {
    let minutes = try doctor.slotMinutes ?? settings.integer("slot_minutes")
    let units = max(1, Int64(minutes) * 60 / ClaimedTime.unit.count)
    return Seconds(units * ClaimedTime.unit.count)
  }
}
