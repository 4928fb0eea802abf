import PolyclinicCore

/// The next appointments as a browser stores them, for use on the way without a network.
enum OfflineAppointments {
  static func card(_ context: Context) throws -> HTML? {
    let agenda = try Agenda.find(.upcoming, page: 1, in: context)
    let appointments = try agenda.entries.map { entry in
      switch entry.kind {
      case .booking(let booking, _, _, _): try facts(booking, context)
      case .personal: try facts(ID(entry.id), context)
      // Never ahead.
      case .walkIn: HTML()
      }
    }
    return appointments.isEmpty ? nil : "\(appointments)"
  }

  private static func facts(
    _ booking: Booking, _ context: Context
  ) throws -> HTML {
    guard let placement = try DoctorPlacement.find(booking.doctor, in: context) else {
      return HTML()
    }
    let facts = AppointmentFacts(booking: booking, placement: placement, context: context)
    let (name, address) = (
      BookingText.name(of: placement.clinic, context),
      placement.clinic.address.lines(in: context.language)
    )
    return facts.list([
      ("appointment.when", facts.when),
      ("booking.doctor", "<bdi>\(try placement.doctor.name.shown(context))</bdi>"),
      ("booking.department", facts.specialization),
      ("booking.clinic", "<bdi>\(([name] + address).joined(separator: "\n"))</bdi>"),
      ("appointment.phone", AppointmentFacts.phone(placement.clinic.phone)),
    ])
  }

  private static func facts(
    _ id: ID<PersonalAppointment>, _ context: Context
  ) throws -> HTML {
    guard
      let appointment = try PersonalAppointment.records.find(id, in: context)
    else { return HTML() }
    return PersonalPages.facts(appointment, context)
  }
}
