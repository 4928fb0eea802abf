import PolyclinicCore

/// The buttons with which a patient joins and leaves a doctor's waiting list.
enum WaitingListPages {
  /// The time before the doctor's hours at which patients can begin to join.
  private static let early = Seconds.hours(1)

  /// Joins the list and leads to the doctor's page, which shows the patient's number and place. Shows the page again
  /// unless the patient has confirmed that they are at the clinic, because an absent patient blocks the doctor.
  static func join(_ context: Context) throws -> Response {
    guard context.request.fields["present"] == "yes" else {
      return .page(try PublicDoctorPages.page(isUnconfirmed: true, context), status: 422)
    }
    return try context.change { try join(context, $0) }
  }

  private static func join(_ context: Context, _ connection: Connection) throws -> Path {
    let person = try context.keys.person
    guard let placement = try DoctorPlacement.find(context.id(), on: connection) else {
      throw Refusal.notFound
    }
    let doctor = placement.doctor
    guard doctor.person != person else { throw Refusal.conflict("line.join.own") }
    if let obstacle = try obstacle(toJoining: placement, context, on: connection) {
      throw Refusal.conflict(obstacle)
    }
    try WaitingList.join(doctor.id, person, at: context.now, on: connection)
    try WaitingList.sendPendingNotices(by: context.portal, on: connection)
    return "doctors/\(doctor.id)"
  }

  static func leave(_ context: Context, _ connection: Connection) throws -> Path {
    let person = try context.keys.person
    guard let doctor = try Doctor.find(context.id(), on: connection) else {
      throw Refusal.notFound
    }
    try WaitingList.leave(doctor.id, person, at: context.now, on: connection)
    try WaitingList.sendPendingNotices(by: context.portal, on: connection)
    return Path("doctors/\(doctor.id)").query(["done": "left"])
  }

  /// Returns the reason why nobody can join an open list now: it is open although the doctor's hours are over. Nil for
  /// a doctor without regular hours, and for a list that the doctor has opened outside of them on purpose.
  static func obstacle(
    toJoining placement: DoctorPlacement, _ context: Context, on connection: Connection
  ) throws -> Text? {
    let hours = WeeklyHours(try WorkingHours.find(of: placement.doctor.id, on: connection))
    if hours.isEmpty { return nil }
    let today = placement.local(context.now).date
    let periods = try DoctorSchedule.find(of: placement, during: today...today, on: connection)
      .working(on: today)
    let opened = try WaitingListSession.latest(of: placement.doctor.id, on: connection)?.openedAt
    guard let opens = periods.first?.lowerBound, let closes = periods.last?.upperBound,
      let opened
    else { return nil }
    let worked = opens - early..<closes
    if worked.contains(context.now) || !worked.contains(opened) { return nil }
    return Text("line.join.hours", ["hours": hours.string(context)])
  }
}
