import PolyclinicCore

extension SpecialHours {
  /// True if a doctor is off for a part of today that is to come, and patients can still join the waiting list.
  func meetsWaitingList(
    in zone: Zone, at now: Instant, on connection: Connection
  ) throws -> Bool {
    let today = LocalDateTime(now, in: zone).date
    guard kind == .off, days.contains(today) else { return false }
    var off = Spans<Int>()
    off.insert(minutes)
    guard zone.moments(of: off, on: today).ranges.contains(where: { $0.upperBound > now }) else {
      return false
    }
    return try owner.doctors(on: connection).contains {
      try WaitingList.schedule(of: $0, at: now, on: connection).isOpen(at: now)
    }
  }
}

/// The doctor's hours, within which patients are seen from an ordinary waiting list.
extension WaitingList {
  /// The time before the doctor's hours at which patients can begin to join.
  private static let early = Seconds.hours(1)

  /// Returns the time in which patients can join today's list: from an hour before the doctor's hours until their end.
  /// Nil for a doctor without regular hours, and for a list that the doctor has opened outside of them on purpose.
  static func joinable(
    _ placement: DoctorPlacement, at now: Instant, on connection: Connection
  ) throws -> Range<Instant>? {
    let hours = WeeklyHours(try WorkingHours.find(of: placement.doctor.id, on: connection))
    if hours.isEmpty { return nil }
    let today = placement.local(now).date
    let periods = try DoctorSchedule.find(of: placement, during: today...today, on: connection)
      .working(on: today)
    let opened = try WaitingListSession.latest(of: placement.doctor.id, on: connection)?.openedAt
    guard let opens = periods.first?.lowerBound, let closes = periods.last?.upperBound,
      let opened
    else { return nil }
    let worked = opens - early..<closes
    return worked.contains(opened) ? worked : nil
  }
}
