import PolyclinicCore

/// The buttons with which a patient joins and leaves a doctor's waiting list.
enum WaitingListPages {
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
    let joinable = try WaitingList.joinable(placement, at: context.now, on: connection)
    if let obstacle = try obstacle(toJoining: placement, joinable, context, on: connection) {
      throw Refusal.conflict(obstacle)
    }
    try WaitingList.join(doctor.id, person, at: context.now, on: connection)
    try WaitingList.sendPendingNotices(by: context.portal, on: connection)
    return "doctors/\(doctor.id)"
  }

  /// Returns the patient's number and place, which they give up.
  static func leaveQuestion(_ own: OwnPlace, _ context: Context) throws -> HTML {
    "\(each: try own.sentences(context), { "<p>\($0)</p>" })<p>\(context.text("line.leave.question"))</p>"
  }

  static func leave(
    _ own: OwnPlace, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let (person, doctor) = (try context.keys.person, own.placement.doctor)
    try WaitingList.leave(doctor.id, person, at: context.now, on: connection)
    try WaitingList.sendPendingNotices(by: context.portal, on: connection)
    return Path("doctors/\(doctor.id)").query(["done": "left"])
  }

  /// Returns the reason why nobody can join an open list now: it is open although the doctor's hours are over. Nil if
  /// there is none. `joinable` is the time that ``WaitingList/joinable(_:at:on:)`` returns.
  static func obstacle(
    toJoining placement: DoctorPlacement, _ joinable: Range<Instant>?, _ context: Context,
    on connection: Connection
  ) throws -> Text? {
    guard let joinable, !joinable.contains(context.now) else { return nil }
    let hours = WeeklyHours(try WorkingHours.find(of: placement.doctor.id, on: connection))
    return Text("line.join.hours", ["hours": hours.string(context)])
  }
}
