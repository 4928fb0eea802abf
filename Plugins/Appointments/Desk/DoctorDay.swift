import PolyclinicCore

/// The doctor's own day, with the patients' names.
struct DoctorDay: RoutedPage {
  static let address: Address<Void> = "/appointments/day"
  static let access = Access.role(.doctor)
  static var route: Route { AutoRefresh.route(of: Self.self) }

  /// The day; nil if no clinic has entered the doctor yet.
  private let view: StaffDayView?
  private let context: Context

  /// Loads the day in a write transaction, because showing the names adds entries to the patients'
  /// access logs.
  init(_ context: Context) throws {
    self.context = context
    view = try context.write { context in
      try SignedInDoctor.placementIfEntered(context).map {
        StaffDayView(
          staffDay: try StaffDay([ClinicDay($0, context)], for: .care, context))
      }
    }
  }

  var page: Page { view?.page ?? SignedInDoctor.notEntered("day.title", context) }

  /// Returns the card of the day; nil if no clinic has entered the doctor yet. It names no patient,
  /// because each name on the home page would add an entry to the patient's access log.
  static func card(_ context: Context) throws -> HTML? {
    guard let placement = try SignedInDoctor.placementIfEntered(context) else { return nil }
    let (doctor, clinic) = (placement.doctor, placement.clinic)
    let (bookings, later) = try ClinicDay.todayAndNext(of: doctor.id, at: clinic, in: context)
    let next = bookings.first { $0.status.isOpen && $0.span.upperBound > context.now }
      .map { upcoming($0, context) }
    let none: HTML? = bookings.isEmpty ? nil : "<p>\(context.text("day.card.none"))</p>"
    let off = try DayOff.find(
      of: [(doctor, bookings)], at: clinic, on: placement.local(context.now).date, in: context)[
        doctor.id]
    return """
      <p class="figure">\(context.text("day.card.count", count: bookings.count))</p>\
      \(off.map { "<p>\($0.badge(context))</p>\($0.notice(for: .care, context))" })\
      \(next ?? "\(none)\(nextDay(later, context))")\
      \(context.moreLink("day.card.more", to: path))
      """
  }

  /// Returns the link to the next day with patients; nil if nobody is booked.
  private static func nextDay(_ bookings: [Booking], _ context: Context) -> HTML? {
    bookings.first.map { first in
      """
      <p><a href="\(path.query(["date": first.local.date.description]))">\
      \(context.text(StaffDay.later(bookings, from: first, context)))</a></p>
      """
    }
  }

  private static func upcoming(_ booking: Booking, _ context: Context) -> HTML {
    let time = BookingText.time(Slot(span: booking.span, zone: booking.zone), context)
    let arrived: HTML? =
      booking.status == .arrived ? " \(AppointmentFacts.badge(booking, context))" : nil
    return """
      <p><a href="\(StaffAppointmentPage.path(booking.id))">\
      \(context.text("day.card.next", ["time": time]))</a>\(arrived)</p>
      """
  }
}
