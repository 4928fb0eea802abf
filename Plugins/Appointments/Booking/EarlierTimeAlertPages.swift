import PolyclinicCore

/// The list of a patient's alerts for earlier times, and the buttons that begin and stop them.
enum EarlierTimeAlertPages {
  static func list(_ context: Context) throws -> Response {
    let person = try context.keys.person
    let rows = try EarlierTimeAlert.doctors(of: person, in: context).compactMap { doctor in
      try DoctorPlacement.find(doctor, in: context).map {
        try row($0, context)
      }
    }
    let list: HTML =
      rows.isEmpty
      ? context.emptyState(.bell, "alerts.none", hint: "alerts.none.hint") : "\(rows: rows)"
    return .page(
      Page(
        "alerts.title",
        "<p class=\"lead\">\(context.text("alerts.about")) \(way(context))</p>\(list)", back: ""))
  }

  private static func row(
    _ placement: DoctorPlacement, _ context: Context
  ) throws -> HTML {
    let name = try placement.doctor.name.shown(context)
    return .row(
      "<bdi>\(name)</bdi>", detail: placement.place(context),
      actions: try way(to: placement.doctor.id, named: name, context),
      context.button(
        "alert.leave", posts: "/appointments/wishes/\(placement.doctor.id)/leave",
        with: ["from": "list"], style: [.plain, .small], of: name))
  }

  /// Returns the button to the doctor's free times: as a change of the patient's only appointment,
  /// if it can still be changed, or else for a new booking.
  private static func way(
    to doctor: ID<Doctor>, named name: String, _ context: Context
  ) throws -> HTML {
    let own = try EarlierTimeAlert.appointment(of: context.keys.person, with: doctor, in: context)
    if let own, try own.reasonAgainstChange(context) == nil {
      return context.button(
        "appointment.move", to: "/appointments/\(own.id)/edit", style: [.secondary, .small],
        of: name)
    }
    return context.button(
      "agenda.times", to: Path("/appointments/book").query(["doctor": doctor.description]),
      style: [.secondary, .small], of: name)
  }

  static func subscribe(_ context: Context) throws -> Path {
    let doctor: ID<Doctor> = try context.id()
    guard let placement = try DoctorPlacement.find(doctor, in: context), placement.isOpen
    else { throw Refusal.notFound }
    try EarlierTimeAlert.subscribe(doctor, context.keys.person, in: context)
    return times(of: doctor, context)
  }

  static func unsubscribe(_ context: Context) throws -> Path {
    let doctor: ID<Doctor> = try context.id()
    try EarlierTimeAlert.unsubscribe(doctor, context.keys.person, in: context)
    switch context.request.fields["from"] {
    case "list": return "wishes"
    case "appointment":
      guard let id = ID<Appointment>(context.request.fields[appointment.description]) else {
        throw Refusal.malformed
      }
      return "\(id)"
    default: return times(of: doctor, context)
    }
  }

  /// The field with the appointment from whose page the button was pressed.
  private static let appointment: StaticString = "appointment"

  /// Returns the notice on the page of a booking that the patient still gets alerts, with the button
  /// that stops them; nil if there are none.
  static func reminder(after booking: Booking, _ context: Context) throws -> HTML? {
    let isSubscribed = try EarlierTimeAlert.exists(
      of: booking.patient, for: booking.doctor, in: context)
    if !isSubscribed { return nil }
    return context.notice(
      .remark, "alert.still",
      action: context.button(
        "alert.leave", posts: "/appointments/wishes/\(booking.doctor)/leave",
        with: ["from": "appointment", appointment: booking.id.description],
        style: [.secondary, .small]))
  }

  /// Returns the page of free times with the button: that of a change of the appointment in the
  /// fields, or of a new booking.
  private static func times(of doctor: ID<Doctor>, _ context: Context) -> Path {
    let changed = ID<Appointment>(context.request.fields[appointment.description])
    return changed.map { "/appointments/\($0)/edit" }
      ?? Path("/appointments/book").query(["doctor": doctor.description])
  }

  /// Returns the sentence about the way on which an alert comes.
  private static func way(_ context: Context) -> String {
    context.text(context.portal.sendsMail ? "alert.way.mail" : "alert.way.portal")
  }

  /// Returns the section with the button to join the list, or to leave it if the visitor is on it.
  /// The button leads back to the change of the appointment `changed`, or to a new booking. Nil for
  /// a visitor who has not signed in, and for the doctor and the reception.
  static func offer(
    _ doctor: ID<Doctor>, changing changed: ID<Appointment>? = nil, _ context: Context
  ) throws -> HTML? {
    guard let visitor = context.visitor else { return nil }
    let person = visitor.person
    if changed == nil, visitor.worksForPatients,
      try Receptionist.works(person, for: doctor, in: context)
        || Doctor.of(person, in: context)?.id == doctor
    {
      return nil
    }
    let isSubscribed = try EarlierTimeAlert.exists(of: person, for: doctor, in: context)
    let (about, label, path): (Text, Text, Path) =
      isSubscribed
      ? ("alert.joined", "alert.leave", "/appointments/wishes/\(doctor)/leave")
      : ("alert.about", "alert.join", "/appointments/wishes/\(doctor)")
    return """
      <section class="panel"><h2>\(context.text("alert.title"))</h2>\
      <p>\(context.text(about)) \(way(context))</p>\
      \(actions: context.button(
        label, posts: path, with: changed.map { [appointment: $0.description] } ?? [:],
        style: .secondary))\
      </section>
      """
  }
}
