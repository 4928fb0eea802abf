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

  /// Returns the hours of the list that a doctor opened last, see ``find(of:in:)``.
  static func find(at placement: DoctorPlacement, in work: Work) throws -> JoiningHours? {
    guard let session = try WaitingListSession.latest(of: placement.doctor.id, in: work) else {
      return nil
    }
    return try find(of: [(placement, session)], in: work)[0]
  }

  /// Returns the hours of lists, in the same order: the doctor's own of today, or those of the
  /// clinic for a list that the doctor has opened outside of them on purpose. Nil for a clinic
  /// without regular hours, and for a doctor with extra hours alone.
  static func find(
    of lists: [(placement: DoctorPlacement, session: WaitingListSession)], in work: Work
  ) throws -> [JoiningHours?] {
    let schedules = try DoctorSchedule.find(
      lists.map { list in
        let today = list.placement.local(work.now).date
        return DoctorSchedule.Asked(list.placement, today...today)
      }, in: work)
    let spans = zip(lists, schedules).map { list, schedule -> Range<Instant>? in
      let periods = schedule.working(on: schedule.days.lowerBound)
      guard let opens = periods.first?.lowerBound, let closes = periods.last?.upperBound,
        (opens - early..<closes).contains(list.session.openedAt)
      else { return nil }
      return opens - early..<closes
    }
    let clinics = zip(lists, spans).filter { $0.1 == nil }.map(\.0.placement.clinic)
    let openings = Dictionary(
      zip(clinics.map(\.id), try OpeningHours.find(of: clinics, in: work)),
      uniquingKeysWith: { one, _ in one })
    return try zip(lists, spans).map { list, span in
      if let span {
        let weekly = WeeklyHours(try WorkingHours.find(of: list.placement.doctor.id, in: work))
        return weekly.isEmpty ? nil : JoiningHours(owner: .doctor, weekly: weekly, span: span)
      }
      guard let opening = openings[list.placement.clinic.id], !opening.hours.isEmpty else {
        return nil
      }
      return JoiningHours(
        owner: .clinic, weekly: opening.hours,
        span: opening.period(at: work.now).map { $0.lowerBound - early..<$0.upperBound })
    }
  }

  func contains(_ moment: Instant) -> Bool { span?.contains(moment) ?? false }
}

extension WaitingList {
  /// Returns the schedule as patients see it, who can join only in the ``JoiningHours``.
  static func schedule(at placement: DoctorPlacement, in work: Work) throws -> WaitingListSchedule {
    guard let session = try WaitingListSession.latest(of: placement.doctor.id, in: work) else {
      return .closed
    }
    return try schedules(at: [(placement, session)], in: work)[0]
  }

  /// Returns the schedules of latest sessions as patients see them, in the same order. Runs at most
  /// six statements for all of them, and one for each doctor with hours.
  static func schedules(
    at lists: [(placement: DoctorPlacement, session: WaitingListSession)], in work: Work
  ) throws -> [WaitingListSchedule] {
    var schedules = try schedules(of: lists.map(\.session), in: work)
    let open = lists.indices.filter { schedules[$0].isOpen(at: work.now) }
    let hours = try JoiningHours.find(of: open.map { lists[$0] }, in: work)
    for (index, joining) in zip(open, hours) { schedules[index].joining = joining }
    return schedules
  }
}

extension WaitingListSchedule {
  /// Returns the reason why nobody can join an open list at this hour; nil if there is none.
  func obstacleToJoining(_ context: Context) -> Text? {
    guard let joining, !joining.contains(context.now) else { return nil }
    let hours = ["hours": joining.weekly.string(context)]
    switch joining.owner {
    case .doctor: return Text("line.join.hours", hours)
    case .clinic: return Text("line.join.clinic-hours", hours)
    }
  }
}

extension SpecialHours {
  /// True if a doctor is off for a part of today that is to come, and patients can still join the
  /// waiting list.
  func meetsWaitingList(in zone: Zone, in work: Work) throws -> Bool {
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
