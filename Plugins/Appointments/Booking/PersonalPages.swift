import PolyclinicCore

/// Appointments elsewhere: added before or after they took place, and changed while they are to come.
extension AppointmentsModule {
  func startPersonal(_ context: Context) -> PersonalAppointment { PersonalAppointment() }

  func loadPersonal(_ context: Context) throws -> PersonalAppointment {
    let appointment = try PersonalAppointment.records.load(context)
    if let startsAt = appointment.startsAt, startsAt <= context.now {
      throw Refusal.conflict("personal.over")
    }
    return appointment
  }

  func createPersonal(
    _ appointment: PersonalAppointment, _ context: Context, _ connection: Connection
  ) throws -> Path {
    "\(try insertPersonal(appointment, context, connection))"
  }

  /// Stores one that is to come or that is over: it claims no doctor's time, and no job reads it.
  func insertPersonal(
    _ appointment: PersonalAppointment, _ context: Context, _ connection: Connection
  ) throws -> ID<PersonalAppointment> {
    var appointment = appointment
    appointment.zone = context.formats.timeZone.identifier
    try checkTime(of: appointment, context)
    return try PersonalAppointment.records.insert(
      appointment, at: context.now, by: context.keys, on: connection)
  }

  func updatePersonal(
    _ appointment: PersonalAppointment, _ context: Context, _ connection: Connection
  ) throws -> Path {
    try checkTime(of: appointment, context)
    let id: ID<PersonalAppointment> = try context.id()
    var appointment = appointment
    appointment.sequence = (appointment.sequence ?? 0) + 1
    try PersonalAppointment.records.replace(
      id, with: appointment, by: context.keys, on: connection)
    return "\(id)"
  }

  /// Throws ``Refusal/invalid(_:_:)`` for a time that no clock shows.
  private func checkTime(of appointment: PersonalAppointment, _ context: Context) throws {
    guard let local = appointment.local else { throw Refusal.invalid("time", "error.required") }
    let zone = Zone(appointment.zone) ?? context.formats.timeZone
    if case .none = local.moments(in: zone) {
      throw Refusal.invalid("time", "booking.error.no-such-time")
    }
  }

  /// The other way to an appointment, and how to begin anew.
  func aboutPersonal(_ context: Context) -> HTML? {
    """
    <p>\(context.text("personal.about"))</p>\
    <p class="actions"><a class="button secondary" href="\(Path("/appointments/new").query(["with": "doctor"]))">\
    \(context.text("agenda.book"))</a> <a class="button plain" href="/appointments/new">\
    \(context.text("personal.clear"))</a></p>
    """
  }

  func showPersonal(_ context: Context) throws -> Response {
    let appointment = try PersonalAppointment.records.load(context)
    let id: ID<PersonalAppointment> = try context.id()
    let isOver = appointment.startsAt.map { $0 <= context.now } ?? true
    let when = appointment.local.map {
      "\(BookingWords.day($0.date, context)), \(context.formats.time($0))"
    }
    let facts: [(Text, String)] = [
      ("appointment.when", when ?? ""), ("field.location", appointment.location),
      ("personal.doctor", appointment.doctorName), ("field.purpose", appointment.purpose),
    ].filter { !$0.1.isEmpty }
    let edit: HTML? =
      isOver
      ? nil
      : "<a class=\"button\" href=\"/appointments/\(id)/edit\">\(context.text("personal.change"))</a> "
    return .page(
      Page(
        "appointment.title",
        """
        <dl class="details">\(each: facts, { label, value in
          "<div><dt>\(context.text(label))</dt><dd class=\"lines\"><bdi>\(value)</bdi></dd></div>"
        })</dl><p class="actions">\(edit)<a class="button danger secondary" \
        href="/appointments/\(id)/delete">\(context.text("personal.delete"))</a></p>\
        \(context.calendarFileLink(of: id.rawValue))
        """,
        back: ""))
  }
}
