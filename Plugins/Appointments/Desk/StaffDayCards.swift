import PolyclinicCore

/// The cards of today's appointments for the doctor and for the reception. They name no patient,
/// because each name on the home page would add an entry to the patient's access log.
enum StaffDayCards {
  /// Returns the card of a doctor's own day; nil if no clinic has entered the doctor yet.
  static func doctor(_ context: Context) throws -> HTML? {
    guard let placement = try SignedInDoctor.placementIfEntered(context)
    else { return nil }
    let doctor = placement.doctor
    let bookings = try today([doctor.id], at: placement.clinic, context)
    let ahead = bookings.filter { $0.status.isOpen && $0.span.upperBound > context.now }
    let next = ahead.first.map { upcoming($0, context) }
    let off = try DayOff.find(
      of: [(doctor, bookings)], at: placement.clinic, on: placement.local(context.now).date,
      in: context)[doctor.id]
    return """
      <p class="figure">\(context.text("day.card.count", count: bookings.count))</p>\
      \(off.map { "<p>\($0.badge(context))</p>\($0.notice(for: .care, context))" })\
      \(next ?? "<p>\(context.text("day.card.none"))</p>")\
      \(context.moreLink("day.card.more", to: "/appointments/day"))
      """
  }

  private static func upcoming(_ booking: Booking, _ context: Context) -> HTML {
    let time = BookingText.time(Slot(span: booking.span, zone: booking.zone), context)
    let arrived: HTML? =
      booking.status == .arrived ? " \(AppointmentFacts.badge(booking, context))" : nil
    return """
      <p><a href="/appointments/\(booking.id)">\(context.text("day.card.next", ["time": time]))</a>\
      \(arrived)</p>
      """
  }

  /// Returns the card of the reception's day in numbers; nil for a receptionist without a clinic.
  static func reception(_ context: Context) throws -> HTML? {
    let person = try context.signedIn().person
    let clinics = try Receptionist.clinics(of: person, in: context)
    if clinics.isEmpty { return nil }
    var (bookings, waiting, seen): ([Booking], Int, Int) = ([], 0, 0)
    for clinic in clinics {
      let doctors = try Doctor.ids(at: clinic.id, in: context)
      bookings += try today(doctors, at: clinic, context)
      for doctor in doctors {
        let list = try WaitingList.schedule(of: doctor, in: context)
        let called = try Booking.called(of: doctor, in: context)
        waiting += list.waiting(at: context.now).count - (called == nil ? 0 : 1)
        seen += list.treated(at: context.now) == nil && called == nil ? 0 : 1
      }
    }
    let coming = bookings.filter { $0.status == .booked && $0.span.upperBound > context.now }
    // Those whom the doctors have called have arrived, but do not wait any more.
    waiting += bookings.count { $0.status == .arrived }
    return """
      <p class="figure">\(context.text("day.card.count", count: bookings.count))</p>\
      <p>\(context.text("reception.card.coming", count: coming.count)) · \
      \(context.text("line.waiting", count: waiting)) · \
      \(context.text("reception.card.called", count: seen))</p>\
      \(context.moreLink("reception.card.more", to: "/appointments/desk"))
      """
  }

  /// Returns today's appointments of doctors that are not cancelled, the earliest first.
  private static func today(
    _ doctors: [ID<Doctor>], at clinic: Clinic, _ context: Context
  ) throws -> [Booking] {
    let date = LocalDateTime(context.now, in: clinic.zone).date
    let (start, end) = (clinic.zone.start(of: date), clinic.zone.start(of: date.adding(days: 1)))
    guard start < end else { return [] }
    return try Booking.all(of: doctors, startingIn: start..<end, in: context)
      .filter { $0.status != .cancelled }
  }
}
