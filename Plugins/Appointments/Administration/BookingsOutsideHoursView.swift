import PolyclinicCore

/// The list of appointments outside the working hours, with the actions. Patients are not named.
struct BookingsOutsideHoursView {
  let outsideHours: BookingsOutsideHours
  /// The names of the doctors by ID.
  private let doctors: [ID<Doctor>: String]
  private let context: Context

  init(_ outsideHours: BookingsOutsideHours, _ context: Context, on connection: Connection) throws {
    self.outsideHours = outsideHours
    self.context = context
    doctors = try outsideHours.doctors(context, on: connection)
  }

  private var path: Path { outsideHours.page.resolved(in: context.module) }

  func content(empty: Text) -> HTML {
    if outsideHours.bookings.isEmpty { return "<p>\(context.text(empty))</p>" }
    return """
      <p role="status">\(context.text(outsideHours.count))</p>\
      \(rows: outsideHours.bookings, row)\
      \(actions:
        context.button("admin.displaced.move", to: "\(path)/move"),
        context.button(
          "admin.displaced.cancel", to: "\(path)/cancel", style: [.danger, .secondary]))
      """
  }

  /// Returns a notice with a link to the list; nil if the list is empty.
  static func notice(of outsideHours: BookingsOutsideHours, _ context: Context) -> HTML? {
    if outsideHours.bookings.isEmpty { return nil }
    return context.notice(
      .problem, outsideHours.count,
      action: context.button(
        "admin.outside.show", to: outsideHours.page.resolved(in: context.module),
        style: [.secondary, .small]))
  }

  private func row(_ booking: Booking) -> HTML {
    let formats = Formats(language: context.language, timeZone: outsideHours.zone)
    return .row(
      "\(formats.dateTime(booking.span.lowerBound))",
      detail: "<bdi>\(doctors[booking.doctor] ?? "")</bdi>")
  }
}
