import PolyclinicCore

/// The hours in which patients can join a doctor's waiting list, because somebody is there to see
/// them.
struct JoiningHours: Sendable {
  /// The owner of the hours.
  enum Owner: Sendable { case doctor, clinic }

  /// The time before the hours at which patients can begin to join.
  private static let early = Seconds.hours(1)

  let owner: Owner
  /// The hours of a week, for a sentence.
  let weekly: WeeklyHours
  /// The present hours or the next ones, with the hour before them; nil if the clinic does not open
  /// in the days to come.
  let span: Range<Instant>?

  /// Returns the hours of the list that a doctor opened last: the doctor's own of today, or those
  /// of the clinic for a list that the doctor has opened outside of them on purpose. Nil for a
  /// clinic without regular hours, and for a doctor with extra hours alone.
  static func find(
    at placement: DoctorPlacement, in work: Work
  ) throws -> JoiningHours? {
    let doctor = placement.doctor.id
    guard let opened = try WaitingListSession.latest(of: doctor, in: work)?.openedAt
    else { return nil }
    let today = placement.local(work.now).date
    let periods = try DoctorSchedule.find(of: placement, during: today...today, in: work)
      .working(on: today)
    if let opens = periods.first?.lowerBound, let closes = periods.last?.upperBound,
      (opens - early..<closes).contains(opened)
    {
      let weekly = WeeklyHours(try WorkingHours.find(of: doctor, in: work))
      return weekly.isEmpty
        ? nil : JoiningHours(owner: .doctor, weekly: weekly, span: opens - early..<closes)
    }
    let opening = try OpeningHours.find(of: placement.clinic, in: work)
    if opening.hours.isEmpty { return nil }
    return JoiningHours(
      owner: .clinic, weekly: opening.hours,
      span: opening.period(at: work.now).map { $0.lowerBound - early..<$0.upperBound })
  }

  func contains(_ moment: Instant) -> Bool { span?.contains(moment) ?? false }
}

extension WaitingList {
  /// Returns the schedule as patients see it, who can join only in the ``JoiningHours``.
  static func schedule(
    at placement: DoctorPlacement, in work: Work
  ) throws -> WaitingListSchedule {
    var schedule = try schedule(of: placement.doctor.id, in: work)
    if schedule.isOpen(at: work.now) {
      schedule.joining = try JoiningHours.find(at: placement, in: work)
    }
    return schedule
  }
}

extension SpecialHours {
  /// True if a doctor is off for a part of today that is to come, and patients can still join the
  /// waiting list.
  func meetsWaitingList(
    in zone: Zone, in work: Work
  ) throws -> Bool {
    let today = LocalDateTime(work.now, in: zone).date
    guard kind == .off, days.contains(today) else { return false }
    var off = Spans<Int>()
    off.insert(minutes)
    guard zone.moments(of: off, on: today).ranges.contains(where: { $0.upperBound > work.now })
    else {
      return false
    }
    return try owner.doctors(in: work).contains {
      try WaitingList.schedule(of: $0, in: work).isOpen(at: work.now)
    }
  }
}
