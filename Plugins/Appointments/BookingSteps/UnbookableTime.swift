import PolyclinicCore

/// The page in place of the booking form if the linked time is already the patient's own, or cannot
/// be booked.
enum UnbookableTime {
  /// Chooses the page; nil if the form is shown, and for visitors who have not signed in.
  static func page(_ context: Context) throws -> Route? {
    let query = context.request.query
    guard context.visitor != nil, !query["date"].isEmpty, !query["time"].isEmpty,
      let doctor = ID<Doctor>(query["doctor"])
    else { return nil }
    let person = try context.keys.person
    guard try DoctorPlacement.find(doctor, in: context) != nil else { return nil }
    guard let (placement, time) = try RequestedTime.find(context) else {
      let reason = try RequestedTime.linkToFreeTimes(context)
      return show("times.title", reason)
    }
    let own = try Booking.at(time, of: person, with: placement.doctor.id, in: context)
    guard let own else { return nil }
    let notice = ownNotice(own, "booking.own", context)
    let summary = BookingSummary(placement: placement, time: time, context: context)
    return show("booking.own.title", "\(notice)\(try summary.facts(changing: .time))")
  }

  /// Returns the notice that the patient has booked the time, with the link to the appointment.
  static func ownNotice(_ booking: Booking, _ text: Text, _ context: Context) -> HTML {
    context.notice(
      .outcome, text,
      action: context.button(
        "booking.own.show", to: "/appointments/\(booking.id)", style: [.secondary, .small]))
  }

  private static func show(_ title: Text, _ content: HTML?) -> Route {
    .get("new") { context in
      .page(Page(title, content ?? HTML(), back: BookingRequest.times(context.request.query)))
    }
  }
}

extension Booking {
  /// Returns the patient's open booking of exactly this time with the doctor; nil if there is none.
  static func at(
    _ time: Slot, of patient: ID<Person>, with doctor: ID<Doctor>, in work: Work
  ) throws -> Booking? {
    try work.row(
      """
      SELECT \(columns) FROM appointments
      WHERE appointments.person = \(patient) AND starts_at = \(time.span.lowerBound)
        AND ends_at = \(time.span.upperBound) AND doctor = \(doctor) AND \(Appointment.Status.open)
      """, Booking.init)
  }
}
