import PolyclinicCore

/// Pages of appointments elsewhere. Patients can add them before or after they took place, and
/// change them until they begin.
enum PersonalPages {
  static let editRoute = Route.form(
    "personal/{id}", PersonalAppointment.form, title: "personal.edit", cancel: "{id}",
    load: load, save: update
  ).saying("personal.saved").leadingBack(to: "{id}")

  static func load(_ context: Context) throws -> PersonalAppointment {
    let appointment = try PersonalAppointment.records.load(context)
    if let startsAt = appointment.startsAt, startsAt <= context.now {
      throw Refusal.conflict("personal.over")
    }
    return appointment
  }

  static func create(
    _ appointment: PersonalAppointment, _ context: Context
  ) throws -> Path {
    "\(try insert(appointment, context))"
  }

  /// Stores an appointment. It may be over, because it claims no doctor's time and no job reads it.
  static func insert(
    _ appointment: PersonalAppointment, _ context: Context
  ) throws -> ID<PersonalAppointment> {
    var appointment = appointment
    appointment.zone = context.formats.timeZone.identifier
    try checkTime(of: appointment, context)
    return try PersonalAppointment.records.insert(appointment, in: context)
  }

  static func update(
    _ appointment: PersonalAppointment, _ context: Context
  ) throws -> Path {
    try checkTime(of: appointment, context)
    let id: ID<PersonalAppointment> = try context.id()
    var appointment = appointment
    appointment.sequence = (appointment.sequence ?? 0) + 1
    try PersonalAppointment.records.replace(id, with: appointment, in: context)
    return "\(id)"
  }

  /// Throws ``Refusal/invalid(_:_:)`` if the time is missing or clocks skip it.
  private static func checkTime(of appointment: PersonalAppointment, _ context: Context) throws {
    guard let local = appointment.local else { throw Refusal.invalid("time", "error.required") }
    let zone = Zone(appointment.zone) ?? context.formats.timeZone
    if case .none = local.moments(in: zone) {
      throw Refusal.invalid("time", "booking.error.no-such-time")
    }
  }

  /// Returns the link to book with a doctor instead.
  static func about(_ context: Context) -> HTML? {
    """
    <p>\(context.text("personal.about"))</p>\
    \(actions:
      context.button(
        "agenda.book", to: Path("/appointments/new").query(["with": "doctor"]), style: .secondary))
    """
  }

  static func show(_ context: Context) throws -> Response {
    let appointment = try PersonalAppointment.records.load(context)
    let id: ID<PersonalAppointment> = try context.id()
    let isOver = appointment.startsAt.map { $0 <= context.now } ?? true
    let edit: HTML? =
      isOver
      ? nil
      : "\(context.button("personal.change", to: "/appointments/personal/\(id)")) "
    return .page(
      Page(
        BookingText.title(of: appointment.local, context),
        """
        \(isOver ? nil : try overlap(appointment, context))\(facts(appointment, context))\
        \(actions:
          edit,
          context.button(
            "personal.delete", to: "/appointments/\(id)/delete", style: [.danger, .secondary]))\
        \(isOver ? nil : context.calendarFileLink(of: id))
        """,
        back: ""))
  }

  /// Returns a warning if a booking of the patient overlaps the appointment.
  private static func overlap(
    _ appointment: PersonalAppointment, _ context: Context
  ) throws -> HTML? {
    guard let start = appointment.startsAt else { return nil }
    let span = start..<start + PersonalAppointment.assumedLength
    return try Booking.overlapping(span, of: context.keys.person, in: context).map {
      try Overlap.booking($0).remark(context)
    }
  }

  /// Returns a list of the fields that have a value.
  static func facts(_ appointment: PersonalAppointment, _ context: Context) -> HTML {
    let when = appointment.local.map {
      "\(BookingText.day($0.date, context)), \(context.formats.time($0))"
    }
    let facts: [(Text, String)] = [
      ("appointment.when", when ?? ""), ("field.location", appointment.location),
      ("personal.doctor", appointment.doctorName), ("field.purpose", appointment.purpose),
    ]
    return context.facts(facts.map { HTML.Fact($0, lines: $1) })
  }
}
