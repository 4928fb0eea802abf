import PolyclinicCore

/// The public pages of a doctor: the doctor's own page and the display of the waiting room.
enum PublicDoctorPages {
  static func show(_ context: Context) throws -> Response {
    .page(try page(isUnconfirmed: false, context))
  }

  /// Returns the doctor's own page. `isUnconfirmed` is true if the visitor asked to join the waiting list without
  /// confirming that they are at the clinic.
  static func page(isUnconfirmed: Bool, _ context: Context) throws -> Page {
    try context.database.read { connection in
      let (placement, waitingList) = try waitingList(context, on: connection)
      let own = context.visitor.flatMap { waitingList.place(of: $0.person, at: context.now) }
      return try DoctorPage(
        placement: placement, waitingList: waitingList,
        own: own.map {
          OwnPlace(
            placement: placement, waitingList: waitingList, place: $0, now: context.now)
        },
        viewerRole: try viewerRole(at: placement.doctor, context, on: connection),
        hours: WeeklyHours(try WorkingHours.find(of: placement.doctor.id, on: connection)),
        times: try nextTimes(of: placement, context, on: connection),
        isUnconfirmed: isUnconfirmed,
        origin: try DoctorFilter.list(in: context.request.query, context, on: connection),
        context: context
      ).page
    }
  }

  private static func viewerRole(
    at doctor: Doctor, _ context: Context, on connection: Connection
  ) throws -> DoctorPage.ViewerRole {
    guard let visitor = context.visitor else { return .anybody }
    // A visitor who acts for a child or another dependant joins for that person.
    guard try context.keys.person == visitor.person else { return .anybody }
    if doctor.person == visitor.person { return .doctor }
    let isReceptionist =
      try visitor.roles.contains(.receptionist)
      && Receptionist.works(visitor.person, for: doctor.id, on: connection)
    return isReceptionist ? .receptionist : .anybody
  }

  /// Returns the next days with free times; none if the doctor cannot be booked.
  private static func nextTimes(
    of placement: DoctorPlacement, _ context: Context, on connection: Connection
  ) throws -> NextTimes {
    guard placement.isOpen else { return NextTimes(days: []) }
    return try NextTimes.find(of: placement, days: 5, times: 5, context, on: connection)
  }

  static func showDisplay(_ context: Context) throws -> Response {
    try context.database.read { connection in
      let (placement, waitingList) = try waitingList(context, on: connection)
      let called = try Booking.called(of: placement.doctor.id, at: context.now, on: connection)
      return try .page(
        DisplayPage(
          placement: placement, waitingList: waitingList,
          arrived: DoctorQueuePages.arrived(placement, at: context.now, on: connection)
            .first?.span.lowerBound,
          calledBooking: called?.span.lowerBound,
          context: context
        ).page)
    }
  }

  private static func waitingList(
    _ context: Context, on connection: Connection
  ) throws -> (DoctorPlacement, WaitingListSchedule) {
    guard let placement = try DoctorPlacement.find(context.id(), on: connection) else {
      throw Refusal.notFound
    }
    return (placement, try WaitingList.schedule(at: placement, at: context.now, on: connection))
  }
}
