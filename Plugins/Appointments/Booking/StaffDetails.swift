import PolyclinicCore

extension AppointmentsModule {
  /// The booking that `{id}` names, and by which right the visitor works for its patient.
  func staffed(
    _ context: Context, on connection: Connection
  ) throws -> (Booking, Booking.Staff) {
    guard let booking = try Booking.find(context.id(), on: connection) else {
      throw Refusal.notFound
    }
    return (booking, try Booking.Staff.of(booking, context, on: connection))
  }

  /// The page of a patient's appointment, for the doctor and the desk. It is shown in a transaction that
  /// writes: the look is recorded for the patient to read.
  func showToStaff(_ context: Context) throws -> Response {
    try context.database.write { connection in
      let (booking, staff) = try staffed(context, on: connection)
      guard booking.concerns(staff.reason, at: context.now),
        let practice = try Practice.find(booking.doctor, on: connection),
        let keys = try context.keys(of: [booking.patient], for: staff.reason, on: connection)[
          booking.patient]
      else { throw Refusal.notFound }
      let details = StaffDetails(
        booking: booking, practice: practice, staff: staff,
        patient: try BookedPatient.find(by: keys, context, on: connection),
        purpose: staff.reason == .care ? try booking.details(by: keys).purpose : "",
        events: try AppointmentEvent.all(of: booking.id, by: keys, on: connection),
        context: context)
      return .page(try details.page)
    }
  }
}

/// The page of an appointment for those who work for the patient.
struct StaffDetails {
  let booking: Booking
  let practice: Practice
  let staff: Booking.Staff
  let patient: BookedPatient
  /// Empty for the desk, which is not told.
  let purpose: String
  let events: [AppointmentEvent]
  let context: Context

  var page: Page {
    get throws {
      let facts = AppointmentFacts(booking: booking, practice: practice, context: context)
      let list = facts.list([
        ("field.patient", "<bdi>\(patient.name)</bdi>"), ("desk.phone", phone),
        ("appointment.when", facts.when), ("appointment.status", facts.status),
        ("booking.doctor", try facts.doctor), ("booking.department", facts.specialization),
        ("booking.clinic", facts.clinic),
        ("field.purpose", AppointmentFacts.purpose(purpose)),
      ])
      let history = AppointmentHistory(
        events: events, zone: booking.zone, reader: reader, context: context)
      let buttons = BookingButtons(
        booking: booking, reason: staff.reason, name: patient.name, context: context)
      return Page(
        "appointment.title",
        "\(list)<div class=\"actions\">\(buttons.content)\(again)</div>\(history.content)",
        back: booking.day(for: staff.reason))
    }
  }

  /// The way to another appointment: with the same doctor, or, for the desk, with another where that one
  /// sees nobody any more.
  private var again: HTML? {
    guard practice.isOpen || staff.reason == .desk else { return nil }
    let path =
      practice.isOpen
      ? booking.followUp.query(["doctor": practice.doctor.id.description]) : booking.followUp
    return """
      <a class="button secondary small" href="\(path)">\(context.text("again.title"))</a>
      """
  }

  private var phone: HTML? {
    guard case .none(let phone) = patient.account else { return nil }
    return AppointmentFacts.phone(phone)
  }

  private var reader: AppointmentHistory.Reader {
    staff.reason == .care ? .doctor(patient: patient.name) : .desk(patient: patient.name)
  }
}

extension Booking {
  /// The page of days, as the doctor or the desk sees them.
  static func days(for reason: AccessReason) -> Path {
    reason == .care ? "/appointments/day" : "/appointments/desk"
  }

  /// Its day, as the doctor or the desk sees it.
  func day(for reason: AccessReason) -> Path {
    Self.days(for: reason).query(["date": local.date.description])
  }

  /// Its day, which says what has just happened to it.
  func changedDay(for reason: AccessReason) -> Path {
    Self.days(for: reason).query(["date": local.date.description, "changed": id.description])
  }
}
