import PolyclinicCore

/// The public pages of a doctor: the doctor's own page and the display of the waiting room.
enum PublicDoctorPages {
  static func show(_ context: Context) throws -> Response {
    .page(try page(isUnconfirmed: false, context))
  }

  /// Returns the doctor's own page. `isUnconfirmed` is true if the visitor asked to join the
  /// waiting list without confirming that they are at the clinic.
  static func page(isUnconfirmed: Bool, _ context: Context) throws -> Page {
    let (placement, waitingList) = try waitingList(context)
    let own = context.visitor.flatMap { waitingList.place(of: $0.person, at: context.now) }
    return try DoctorPage(
      placement: placement, waitingList: waitingList,
      own: own.map {
        OwnPlace(
          placement: placement, waitingList: waitingList, place: $0, now: context.now)
      },
      viewerRole: try viewerRole(at: placement.doctor, context),
      hours: WeeklyHours(try WorkingHours.find(of: placement.doctor.id, in: context)),
      times: try Availability.next(5, times: 5, of: [placement], context)[0],
      isUnconfirmed: isUnconfirmed,
      origin: try DoctorFilter.list(in: context.request.query, context),
      context: context
    ).page
  }

  private static func viewerRole(
    at doctor: Doctor, _ context: Context
  ) throws -> DoctorPage.ViewerRole {
    guard let visitor = context.visitor else { return .anybody }
    // A visitor who acts for a child or another dependant joins for that person.
    guard try context.keys.person == visitor.person else { return .anybody }
    if doctor.person == visitor.person { return .doctor }
    let isReceptionist =
      try visitor.roles.contains(.receptionist)
      && Receptionist.works(visitor.person, for: doctor.id, in: context)
    return isReceptionist ? .receptionist : .anybody
  }

  static func showDisplay(_ context: Context) throws -> Response {
    let (placement, waitingList) = try waitingList(context)
    let called = try Booking.called(of: placement.doctor.id, in: context)
    return try .page(
      DisplayPage(
        placement: placement, waitingList: waitingList,
        arrived: DoctorQueuePages.arrived(placement, in: context)
          .first?.span.lowerBound,
        calledBooking: called?.span.lowerBound,
        context: context
      ).page)
  }

  private static func waitingList(
    _ context: Context
  ) throws -> (DoctorPlacement, WaitingListSchedule) {
    guard let placement = try DoctorPlacement.find(context.id(), in: context) else {
      throw Refusal.notFound
    }
    return (placement, try WaitingList.schedule(at: placement, in: context))
  }
}
