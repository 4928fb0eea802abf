import PolyclinicCore

/// The page of an appointment for staff.
struct StaffAppointmentPage {
  let booking: Booking
  let placement: DoctorPlacement
  let staff: Booking.Staff
  let patient: BookedPatient
  /// The purpose of the visit. It is empty for the reception, which must not see it.
  let purpose: String
  /// The patient's details; nil for the reception once the appointment is over, except for a
  /// patient without an account whom it has to tell of a cancellation.
  let details: PatientDetails?
  let entries: [HistoryEntry]
  let context: Context

  var page: Page {
    get throws {
      let facts = AppointmentFacts(booking: booking, placement: placement, context: context)
      var list: [(label: Text, value: HTML?)] = [("field.patient", "<bdi>\(patient.name)</bdi>")]
      if let details { list += details.facts(for: staff.reason, context) }
      list += [
        ("appointment.when", facts.when), ("appointment.status", facts.status),
        ("booking.doctor", try facts.doctor), ("booking.department", facts.specialization),
        ("booking.clinic", facts.clinic),
        ("field.purpose", AppointmentFacts.purpose(purpose)),
      ]
      let history = AppointmentHistory(
        entries: entries, zone: booking.zone, reader: reader, context: context)
      let buttons = BookingButtons(
        booking: booking, reason: staff.reason, name: patient.name, context: context)
      var page = Page(
        BookingText.title(of: booking.local, context),
        "\(facts.list(list))\(actions: buttons.content, again, correction)\(own)\(history.content)",
        back: booking.day(for: staff.reason))
      page.area = Booking.days(for: staff.reason)
      return page
    }
  }

  /// The link to book a follow-up with the same doctor. If this doctor sees no patients any more,
  /// the reception can choose another one.
  private var again: HTML? {
    guard placement.isOpen || staff.reason == .reception else { return nil }
    let path =
      placement.isOpen
      ? booking.followUp.query(["doctor": placement.doctor.id.description]) : booking.followUp
    return context.button("again.title", to: path, style: [.secondary, .small])
  }

  private var isAtReception: Bool { staff.reason == .reception && details != nil }

  /// The reception's link to correct the details of a patient without an account.
  private var correction: HTML? {
    guard isAtReception, !patient.hasAccount else { return nil }
    return context.button(
      "reception.correct", to: PatientCorrection.path(from: booking), style: [.plain, .small])
  }

  /// The sentence that says who corrects the details of a patient with an account.
  private var own: HTML? {
    guard isAtReception, patient.hasAccount else { return nil }
    return "<p class=\"muted\">\(context.text("reception.correct.account"))</p>"
  }

  private var reader: AppointmentHistory.Reader {
    staff.reason == .care ? .doctor(patient: patient.name) : .receptionist(patient: patient.name)
  }
}

extension StaffAppointmentPage {
  /// Shows a patient's appointment to the doctor and the reception. Uses a write transaction,
  /// because it adds an entry to the patient's access log.
  static func show(_ context: Context) throws -> Response {
    try context.write { context in
      let (booking, staff) = try Booking.findForStaff(context)
      guard booking.isVisible(for: staff.reason, at: context.now),
        let placement = try DoctorPlacement.find(booking.doctor, in: context),
        let work = try context.of([booking.patient], for: staff.reason)[
          booking.patient]
      else { throw Refusal.notFound }
      let patient = try BookedPatient.find(context, in: work)
      let isUntold =
        booking.status == .cancelled && !patient.hasAccount
        && booking.span.upperBound > context.now
      let details = StaffAppointmentPage(
        booking: booking, placement: placement, staff: staff, patient: patient,
        purpose: staff.reason == .care ? try booking.details(by: work.keys).purpose : "",
        details: staff.reason == .care || booking.isAhead(at: context.now) || isUntold
          ? try PatientDetails.find(
            visiting: booking.doctor, besides: booking.id, context, in: work) : nil,
        entries: try HistoryEntry.all(of: booking.id, in: work),
        context: context)
      return .page(try details.page)
    }
  }
}

extension Booking {
  /// Returns the path of the doctor's or the reception's page of a day.
  static func days(for reason: AccessReason) -> Path {
    reason == .care ? "/appointments/day" : "/appointments/desk"
  }

  /// Returns the path of the booking's day, for the doctor or the reception.
  func day(for reason: AccessReason) -> Path {
    Self.days(for: reason).query(["date": local.date.description])
  }

  /// Returns the path of the booking's day, at the notice of its latest change.
  ///
  /// - `isUndone` is true if that change took back a status.
  func changedDay(for reason: AccessReason, isUndone: Bool = false) -> Path {
    var query: Fields = Fields(["date": local.date.description, "changed": id.description])
    if isUndone { query.append("undone", "1") }
    return "\(Self.days(for: reason).query(query))#changed"
  }

  /// Returns the page below whose navigation entry staff sees the booking with the ID `{id}`.
  /// Throws ``Refusal/notFound`` if the visitor may not change it.
  static func area(_ context: Context) throws -> Path {
    let found = try findForStaff(context)
    return days(for: found.staff.reason)
  }
}
