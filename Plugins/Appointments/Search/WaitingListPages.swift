import PolyclinicCore

/// The buttons with which a patient joins and leaves a doctor's waiting list.
enum WaitingListPages {
  /// Joins the list and leads to the doctor's page, which shows the patient's number and place.
  /// Shows the page again unless the patient has confirmed that they are at the clinic, because an
  /// absent patient blocks the doctor.
  static func join(_ context: Context) throws -> Response {
    guard context.request.fields["present"] == "yes" else {
      return .page(try PublicDoctorPages.page(isUnconfirmed: true, context), status: 422)
    }
    return try context.change(join)
  }

  private static func join(_ context: Context) throws -> Path {
    let person = try context.keys.person
    guard let placement = try DoctorPlacement.find(context.id(), in: context) else {
      throw Refusal.notFound
    }
    let doctor = placement.doctor
    guard doctor.person != person else { throw Refusal.conflict("line.join.own") }
    let waitingList = try WaitingList.schedule(at: placement, in: context)
    if let obstacle = obstacle(toJoining: waitingList, context) { throw Refusal.conflict(obstacle) }
    try WaitingList.join(doctor.id, person, in: context)
    try WaitingList.sendPendingNotices(by: context.portal, in: context)
    return "doctors/\(doctor.id)"
  }

  /// Returns the patient's number and place, which they give up.
  static func leaveQuestion(_ own: OwnPlace, _ context: Context) throws -> HTML {
    "\(each: try own.sentences(context), { "<p>\($0)</p>" })<p>\(context.text("line.leave.question"))</p>"
  }

  static func leave(
    _ own: OwnPlace, _ context: Context
  ) throws -> Path {
    let (person, doctor) = (try context.keys.person, own.placement.doctor)
    try WaitingList.leave(doctor.id, person, in: context)
    try WaitingList.sendPendingNotices(by: context.portal, in: context)
    return "doctors/\(doctor.id)"
  }

  /// Returns the sentences about the call, which the patient declines.
  static func declineQuestion(_ own: OwnPlace, _ context: Context) throws -> HTML {
    "\(each: try own.sentences(context), { "<p>\($0)</p>" })<p>\(context.text("decline.question"))</p>"
  }

  /// Stores that the called patient cannot come, and tells the doctor.
  static func decline(
    _ own: OwnPlace, _ context: Context
  ) throws -> Path {
    let doctor = own.placement.doctor
    let ticket = try WaitingList.decline(doctor.id, context.keys.person, in: context)
    try ticket.tellOfDecline(doctor, context.portal, in: context)
    return "doctors/\(doctor.id)"
  }

  /// Returns the reason why nobody can join an open list at this hour; nil if there is none.
  static func obstacle(toJoining waitingList: WaitingListSchedule, _ context: Context) -> Text? {
    guard let joining = waitingList.joining, !joining.contains(context.now) else { return nil }
    let hours = ["hours": joining.weekly.string(context)]
    switch joining.owner {
    case .doctor: return Text("line.join.hours", hours)
    case .clinic: return Text("line.join.clinic-hours", hours)
    }
  }
}
