import PolyclinicCore

/// The day of the visitor's clinics, with the patients' names.
struct ReceptionDay: RoutedPage {
  static let address: Address<Void> = "/appointments/desk"
  static let access = Access.role(.receptionist)
  static var route: Route { AutoRefresh.route(of: Self.self) }

  private let view: StaffDayView

  /// Loads the day in a write transaction, because showing the names adds entries to the patients'
  /// access logs.
  init(_ context: Context) throws {
    view = try context.write { context in
      let clinics = try Receptionist.clinics(of: context.signedIn().person, in: context)
      return StaffDayView(
        staffDay: try StaffDay(
          clinics.map { try ClinicDay($0, context) }, for: .reception, context))
    }
  }

  var page: Page { view.page }

  /// Returns the card of the day in numbers; nil for a receptionist without a clinic. It names no
  /// patient, because each name on the home page would add an entry to the patient's access log.
  static func card(_ context: Context) throws -> HTML? {
    let clinics = try Receptionist.clinics(of: context.signedIn().person, in: context)
    if clinics.isEmpty { return nil }
    var (bookings, waiting, seen): ([Booking], Int, Int) = ([], 0, 0)
    for clinic in clinics {
      let doctors = try Doctor.ids(at: clinic.id, in: context)
      bookings += try ClinicDay.today(of: doctors, at: clinic, in: context)
      let called = try Booking.called(of: doctors, in: context)
      let lists = try WaitingList.schedules(ofDoctors: doctors, in: context)
      waiting += lists.values.reduce(-called.count) { $0 + $1.waiting(at: context.now).count }
      seen += called.count + lists.values.count { $0.treated(at: context.now) != nil }
    }
    let coming = bookings.filter { $0.status == .booked && $0.span.upperBound > context.now }
    // Those whom the doctors have called have arrived, but do not wait any more.
    waiting += bookings.count { $0.status == .arrived }
    return """
      <p class="figure">\(context.text("day.card.count", count: bookings.count))</p>\
      <p>\(context.text("reception.card.coming", count: coming.count)) · \
      \(context.text("line.waiting", count: waiting)) · \
      \(context.text("reception.card.called", count: seen))</p>\
      \(context.moreLink("reception.card.more", to: path))
      """
  }
}
