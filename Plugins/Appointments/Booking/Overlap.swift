import PolyclinicCore

/// What a patient has at the same time already: pointed out when something is booked, never forbidden.
enum Overlap: Sendable {
  case booking(Booking)
  case personal(PersonalAppointment.Entry)

  /// The first that the patient whose keys these are has within a span; nil when there is none.
  ///
  /// Only for the patient: what people note of appointments elsewhere is not for a desk to read.
  static func find(
    _ span: Range<Instant>, besides id: ID<Appointment>? = nil, by keys: Keys,
    on connection: Connection
  ) throws -> Overlap? {
    let booking = try Booking.overlapping(span, of: keys.person, besides: id, on: connection)
    if let booking { return .booking(booking) }
    return try PersonalAppointment.overlapping(span, by: keys, on: connection).map(Overlap.personal)
  }

  /// What it is and when.
  func notice(_ context: Context, on connection: Connection) throws -> HTML {
    "<div class=\"notice warning\"><p>\(try sentence(context, on: connection))</p></div>"
  }

  private func sentence(_ context: Context, on connection: Connection) throws -> String {
    switch self {
    case .booking(let booking):
      let doctor = try Doctor.find(booking.doctor, on: connection)?.name ?? ""
      let time = BookingWords.span(booking.span, in: booking.zone, context)
      return context.text("booking.overlap.with", ["doctor": doctor, "time": time])
    case .personal(let entry):
      let shown = entry.local ?? LocalDateTime(entry.startsAt, in: context.formats.timeZone)
      let time = "\(BookingWords.day(shown.date, context)), \(context.formats.time(shown))"
      return context.text(
        "booking.overlap.personal", ["location": entry.location, "time": time])
    }
  }
}
