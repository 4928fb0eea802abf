import PolyclinicCore

/// The reception's pages that book for a new patient, who gets a record without an account.
extension ReceptionBookingPages {
  /// The address of a booking for a patient without an account.
  static let newPatientPath: Path = "/appointments/desk/new"

  /// Chooses the page at `desk/new`, where the last page is the form for a patient without an
  /// account.
  static func chooseForNewPatient(_ context: Context) -> Route {
    step(
      context,
      doctors: {
        try doctors(
          at: newPatientPath, title: "reception.new", back: "desk", above: newPatientHeading($0), $0
        )
      },
      times: { try showTimes(at: newPatientPath, above: newPatientHeading($0), $0) },
      last: newPatientForm(context))
  }

  private static func newPatientForm(_ context: Context) -> Route {
    .form(
      "desk/new", NewPatientBooking.form, title: "reception.new",
      cancel: RequestedTime.times(at: newPatientPath, context) ?? "desk", submit: "booking.submit",
      start: startForNewPatient, about: aboutNewPatient,
      instead: alternativesForNewPatient,
      prepare: { try KnownPatients.check($0.newPatient, $1) }, save: bookForNewPatient)
  }

  static func startForNewPatient(_ context: Context) throws -> NewPatientBooking {
    NewPatientBooking(booking: try BookingRequest.start(context))
  }

  static func aboutNewPatient(_ context: Context) throws -> HTML? {
    "\(try KnownPatients.notice(context))\(newPatientHeading(context))\(try summary(context))"
  }

  /// Returns the line at the top of each step that names no patient, because the booking is for a
  /// new one.
  static func newPatientHeading(_ context: Context) -> HTML {
    """
    <p class="lead">\(context.text("reception.search.for")) \
    <strong>\(context.text("reception.new.patient"))</strong></p>
    """
  }

  static func bookForNewPatient(
    _ request: NewPatientBooking, _ context: Context
  ) throws -> Path {
    let staff = try Booking.Staff.receptionist(context)
    let (placement, time) = try BookingForPatient.find(request.booking, by: staff, context)
    let work = try context.portal.people.enter(request.newPatient, for: .reception, in: context)
    let booking = try ClaimedTime.orConflict(context) {
      try Booking.claim(time, of: placement.doctor.id, for: work.keys.person, in: context)
    }
    try BookingForPatient.finish(booking, request.booking, by: staff, sealedBy: work.keys, context)
    return booking.changedDay(for: .reception)
  }

  /// Returns the alternatives for a new patient: a new record although the patient seems to be
  /// known, or another time.
  static func alternativesForNewPatient(_ context: Context) throws -> [Choice] {
    guard let (placement, time) = try RequestedTime.find(context) else {
      return []
    }
    // A free time is refused only because the patient seems to be known.
    let taken = try RequestedTime.takenNotice(time, placement, besides: nil, context)
    return taken == nil
      ? [KnownPatients.choice]
      : try AlternativeTimes.choices(context) { _ in false }
  }
}
