import PolyclinicCore

/// The question before a waiting patient leaves the list.
struct LeaveWaitingList: RoutedForm {
  static let address: Address<ID<Doctor>> = "/appointments/doctors/{id}/queue/leave"
  static let title: Text = "line.leave.title"
  static let submit: Text = "line.leave.yes"
  static let cancel = DoctorPage.address.pattern
  static let isQuestion = true
  static var route: Route {
    Route(Self.self).saying("line.left.done").leadingBack(to: DoctorPage.address.pattern)
  }

  private let own: OwnPlace

  /// Throws ``Refusal/conflict(_:)`` if the person is not on the list, or was called.
  init(_ context: Context) throws {
    own = try OwnPlace.inPath(context)
    if own.isCalled { throw Refusal.conflict("line.leave.called") }
  }

  var about: HTML? { own.asking("line.leave.question") }

  func save(_: Void, in context: Context) throws -> Redirect {
    let doctor = own.placement.doctor.id
    try WaitingList.leave(doctor, context.keys.person, in: context)
    try WaitingList.sendPendingNotices(by: context.portal, in: context)
    return Redirect(to: DoctorPage.path(doctor))
  }
}

/// The question before a called patient tells the doctor that they cannot come.
struct DeclineCall: RoutedForm {
  static let address: Address<ID<Doctor>> = "/appointments/doctors/{id}/queue/decline"
  static let title: Text = "decline.title"
  static let submit: Text = "decline.yes"
  static let cancel = DoctorPage.address.pattern
  static let isQuestion = true
  static var route: Route { Route(Self.self).leadingBack(to: DoctorPage.address.pattern) }

  private let own: OwnPlace

  /// Throws ``Refusal/conflict(_:)`` if there is no call, or if it was declined already.
  init(_ context: Context) throws {
    own = try OwnPlace.inPath(context)
    if !own.isCalled { throw Refusal.conflict("decline.over") }
    if own.place.ticket.isDeclined { throw Refusal.conflict("decline.done-before") }
  }

  var about: HTML? { own.asking("decline.question") }

  func save(_: Void, in context: Context) throws -> Redirect {
    let doctor = own.placement.doctor
    let ticket = try WaitingList.decline(doctor.id, context.keys.person, in: context)
    try ticket.tellOfDecline(doctor, context.portal, in: context)
    return Redirect(to: DoctorPage.path(doctor.id))
  }
}
