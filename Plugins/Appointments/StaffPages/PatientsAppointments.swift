import PolyclinicCore

extension ReceptionBookingPages {
  /// Returns the patient's appointments ahead at the visitor's clinics, for a caller who wants to change one; nil if
  /// there are none.
  static func appointments(ahead patient: ID<Person>, _ context: Context) throws -> HTML? {
    let visitor = try context.signedIn()
    let rows = try context.database.read { connection in
      let clinics = Set(try Receptionist.clinics(of: visitor.person, on: connection).map(\.id))
      return try Booking.ahead(of: patient, at: context.now, on: connection).compactMap {
        booking -> HTML? in
        guard let placement = try DoctorPlacement.find(booking.doctor, on: connection),
          clinics.contains(placement.clinic.id)
        else { return nil }
        return .row(
          to: "/appointments/\(booking.id)",
          "\(BookingText.span(booking.span, in: booking.zone, context))",
          mark: AppointmentFacts.badge(booking, context),
          detail:
            "<bdi>\(try placement.doctor.name.shown(context))</bdi> · \(placement.place(context))")
      }
    }
    if rows.isEmpty { return nil }
    return """
      <h2>\(context.text("reception.patient.ahead"))</h2>\(rows: rows)\
      <h2>\(context.text("reception.patient.new"))</h2>
      """
  }
}
