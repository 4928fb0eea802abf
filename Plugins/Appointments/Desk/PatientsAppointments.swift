import PolyclinicCore

extension ReceptionBookingPages {
  /// Returns the patient's appointments ahead at the visitor's clinics, for a caller who wants to
  /// change one; nil if there are none.
  static func appointments(ahead patient: ID<Person>, _ context: Context) throws -> HTML? {
    let own = try Receptionist.clinics(of: context.signedIn().person, in: context)
    let clinics = Set(own.map(\.id))
    let rows = try Booking.ahead(of: patient, in: context).compactMap { booking -> HTML? in
      guard let placement = try DoctorPlacement.find(booking.doctor, in: context),
        clinics.contains(placement.clinic.id)
      else { return nil }
      return .row(
        to: "/appointments/\(booking.id)",
        "\(BookingText.span(booking.span, in: booking.zone, context))",
        mark: AppointmentFacts.badge(booking, context),
        detail:
          "<bdi>\(try placement.doctor.name.shown(context))</bdi> · \(placement.place(context))")
    }
    if rows.isEmpty { return nil }
    return """
      <h2>\(context.text("reception.patient.ahead"))</h2>\(rows: rows)\
      <h2>\(context.text("reception.patient.new"))</h2>
      """
  }
}
