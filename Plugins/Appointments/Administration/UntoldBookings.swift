import PolyclinicCore

/// Those appointments whose patients the portal cannot notify of a change, because they have no
/// account.
struct UntoldBookings {
  private let bookings: [Booking]
  /// The patients whose data the visitor may open; empty for administrators.
  private let patients: [ID<Person>: BookedPatient]
  private let zone: Zone

  /// Creates the list. With the reason `care` it needs a write transaction, because it adds an
  /// entry to each patient's access log.
  init(
    among all: [Booking], for reason: AccessReason, in zone: Zone, _ context: Context
  ) throws {
    self.zone = zone
    bookings = try all.filter {
      try !BookedPatient.hasAccount($0.patient, context)
    }
    patients =
      reason == .care
      ? try BookedPatient.untold(bookings.map(\.patient), for: .care, context) : [:]
  }

  /// Returns the request to call the patients, with their numbers for their doctor, and only with
  /// the times for others; nil if the portal tells everybody.
  func list(_ context: Context) -> HTML? {
    if bookings.isEmpty { return nil }
    let people = Set(bookings.map(\.patient))
    let request: Text =
      people.allSatisfy { patients[$0] != nil }
      ? "admin.displaced.untold" : "admin.displaced.untold.reception"
    let rows = bookings.map { booking -> HTML in
      let time = BookingText.dateTime(booking.span.lowerBound, in: zone, context)
      return patients[booking.patient]?.row(time, context) ?? .row("\(time)")
    }
    return "<p>\(context.text(request, count: people.count))</p>\(rows: rows)"
  }
}
