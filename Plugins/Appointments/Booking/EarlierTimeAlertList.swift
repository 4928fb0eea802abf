import PolyclinicCore

/// The list of a patient's alerts for earlier times, and the buttons that begin and stop them.
struct EarlierTimeAlertList: RoutedPage {
  static let address: Address<Void> = "/appointments/wishes"
  static let subscription: Address<ID<Doctor>> = "/appointments/wishes/{id}"
  static let end: Address<ID<Doctor>> = "/appointments/wishes/{id}/leave"
  static let linkTitle: Text? = "alerts.title"

  private let alerts: [Alert]
  private let context: Context

  private struct Alert {
    let placement: DoctorPlacement
    let name: String
    /// The patient's only appointment with the doctor, if it can still be changed; nil otherwise.
    let changeable: Booking?
  }

  init(_ context: Context) throws {
    self.context = context
    let person = try context.keys.person
    let doctors = try EarlierTimeAlert.doctors(of: person, in: context)
    let placements = try DoctorPlacement.all(of: Set(doctors), in: context)
    let ahead = try Booking.open(of: person, after: context.now, in: context)
    alerts = try doctors.compactMap { placements[$0] }.map { placement in
      let own = ahead.filter { $0.doctor == placement.doctor.id }
      let only = own.count == 1 ? own[0] : nil
      return Alert(
        placement: placement, name: try placement.doctor.name.shown(context),
        changeable: try only?.reasonAgainstChange(context) == nil ? only : nil)
    }
  }

  var page: Page {
    let list: HTML =
      alerts.isEmpty
      ? context.emptyState(.bell, "alerts.none", hint: "alerts.none.hint")
      : "\(rows: alerts, row)"
    return Page(
      "alerts.title",
      "<p class=\"lead\">\(context.text("alerts.about")) \(Self.way(context))</p>\(list)",
      back: AppointmentList.path)
  }

  /// Returns a doctor with the button to the free times, as a change of the patient's only
  /// appointment or else for a new booking.
  private func row(_ alert: Alert) -> HTML {
    let doctor = alert.placement.doctor.id
    let (label, path): (Text, Path) =
      alert.changeable.map { ("appointment.move", RescheduleForm.path($0.id)) }
      ?? ("agenda.times", BookingForm.times(of: doctor))
    return .row(
      "<bdi>\(alert.name)</bdi>", detail: alert.placement.place(context),
      actions: context.button(label, to: path, style: [.secondary, .small], of: alert.name),
      context.button(
        "alert.leave", posts: Self.end.path(doctor), with: ["from": "list"],
        style: [.plain, .small], of: alert.name))
  }

  /// Returns the sentence about the way on which an alert comes.
  private static func way(_ context: Context) -> String {
    context.text(context.portal.sendsMail ? "alert.way.mail" : "alert.way.portal")
  }
}

/// The buttons.
extension EarlierTimeAlertList {
  /// The field with the appointment from whose page the button was pressed.
  private static let appointment: StaticString = "appointment"

  static func subscribe(_ context: Context) throws -> Path {
    let doctor: ID<Doctor> = try context.id()
    guard let placement = try DoctorPlacement.find(doctor, in: context), placement.isOpen
    else { throw Refusal.notFound }
    try EarlierTimeAlert(person: context.keys.person, doctor: doctor).subscribe(in: context)
    return times(of: doctor, context)
  }

  static func unsubscribe(_ context: Context) throws -> Path {
    let doctor: ID<Doctor> = try context.id()
    try EarlierTimeAlert(person: context.keys.person, doctor: doctor).unsubscribe(in: context)
    switch context.request.fields["from"] {
    case "list": return path
    case "appointment":
      guard let id = ID<Appointment>(context.request.fields[appointment.description]) else {
        throw Refusal.malformed
      }
      return Appointment.page.path(id)
    default: return times(of: doctor, context)
    }
  }

  /// Returns the page of free times with the button: that of a change of the appointment in the
  /// fields, or of a new booking.
  private static func times(of doctor: ID<Doctor>, _ context: Context) -> Path {
    ID(context.request.fields[appointment.description]).map(RescheduleForm.path)
      ?? BookingForm.times(of: doctor)
  }

  /// Returns the notice on the page of a booking that the patient still gets alerts, with the button
  /// that stops them; nil if there are none.
  static func reminder(after booking: Booking, _ context: Context) throws -> HTML? {
    let isSubscribed = try EarlierTimeAlert(person: booking.patient, doctor: booking.doctor)
      .exists(in: context)
    if !isSubscribed { return nil }
    return context.notice(
      .remark, "alert.still",
      action: context.button(
        "alert.leave", posts: end.path(booking.doctor),
        with: ["from": "appointment", appointment: booking.id.description],
        style: [.secondary, .small]))
  }

  /// Returns the section with the button to join the list, or to leave it if the visitor is on it.
  /// The button leads back to the change of the appointment `changed`, or to a new booking. Nil for
  /// a visitor who has not signed in, and for the doctor and the reception.
  static func offer(
    _ doctor: ID<Doctor>, changing changed: ID<Appointment>? = nil, _ context: Context
  ) throws -> HTML? {
    guard let visitor = context.visitor else { return nil }
    let person = try context.keys.person
    if changed == nil, visitor.worksForPatients,
      try Receptionist.works(person, for: doctor, in: context)
        || Doctor.of(person, in: context)?.id == doctor
    {
      return nil
    }
    let isSubscribed = try EarlierTimeAlert(person: person, doctor: doctor).exists(in: context)
    let (about, label, path): (Text, Text, Path) =
      isSubscribed
      ? ("alert.joined", "alert.leave", end.path(doctor))
      : ("alert.about", "alert.join", subscription.path(doctor))
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
