import PolyclinicCore

/// The page of a patient's appointment for the doctor and the reception.
struct StaffAppointmentPage: RoutedPage {
  static let address = Appointment.page
  static let linkTitle: Text? = "appointment.page"

  private let booking: Booking
  private let placement: DoctorPlacement
  private let staff: Booking.Staff
  private let patient: BookedPatient
  /// The purpose of the visit, and the child who comes in the patient's place. The purpose is empty
  /// for the reception, which must not see it.
  private let visit: Booking.Details
  /// The patient's details; nil for the reception once the appointment is over, except for a
  /// patient without an account whom it has to tell of a cancellation.
  private let details: PatientDetails?
  /// Those who act for a child, and the reception's links; nil together with ``details``.
  private let access: PatientAccess?
  /// The records that the patient shows the doctor; none for the reception.
  private let shown: [Portal.ShownRecords]
  private let entries: [HistoryEntry]
  /// The doctor's name with a link.
  private let doctor: HTML
  private let context: Context

  /// Loads the appointment in a write transaction, because it adds an entry to the patient's access
  /// log.
  init(_ context: Context) throws { self = try context.write { try Self(in: $0) } }

  private init(in context: Context) throws {
    self.context = context
    (booking, staff) = try Booking.findForStaff(context)
    guard booking.isVisible(for: staff.reason, at: context.now),
      let placement = try DoctorPlacement.find(booking.doctor, in: context),
      let work = try staff.work(on: booking.patient, context)
    else { throw Refusal.notFound }
    self.placement = placement
    patient = try BookedPatient.find(context, in: work)
    let isUntold =
      booking.status == .cancelled && !patient.hasAccount && booking.span.upperBound > context.now
    var visit = try booking.details(by: work.keys)
    if staff.reason != .care { visit.purpose = "" }
    self.visit = visit
    details =
      staff.reason == .care || booking.isAhead(at: context.now) || isUntold
      ? try PatientDetails.find(visiting: booking.doctor, besides: booking.id, context, in: work)
      : nil
    access =
      details == nil
      ? nil
      : try PatientAccess.find(
        for: staff.reason, from: Self.path(booking.id), in: work, context)
    shown = staff.reason == .care ? try context.portal.people.recordsShown(in: work) : []
    entries = try HistoryEntry.all(of: booking.id, in: work)
    doctor = try AppointmentFacts(booking: booking, placement: placement, context: context).doctor
  }

  var page: Page {
    let facts = AppointmentFacts(booking: booking, placement: placement, context: context)
    let list: [(label: Text, value: HTML?)] =
      [
        ("booking.child", visit.child.shown(context)),
        ("field.patient", "<bdi>\(patient.name)</bdi>"),
      ]
      + (details?.facts(for: staff.reason, context) ?? []) + [
        ("reception.guardians", access?.names(context)),
        ("reception.guardians.blocked", access?.blocked(context)),
        ("patient.shown", shown.isEmpty ? nil : "\(each: shown, records)"),
        ("appointment.when", facts.when), ("appointment.status", facts.status),
        ("booking.doctor", doctor), ("booking.department", facts.specialization),
        ("booking.clinic", facts.clinic),
        ("field.purpose", AppointmentFacts.purpose(visit.purpose)),
      ]
    let history = AppointmentHistory(
      entries: entries, zone: booking.zone, reader: .other(patient: patient.name),
      context: context)
    let buttons = BookingButtons(
      booking: booking, reason: staff.reason, name: patient.name, context: context)
    let day = Booking.days(for: staff.reason)
    var page = Page(
      BookingText.title(of: booking.local, context),
      """
      \(facts.list(list))\(access?.endings(context))\(own)\(access?.unused(context))\
      \(history.content)
      """,
      back: day.query(["date": booking.local.date.description]),
      actions: "\(actions: [buttons.content, again] + changes)")
    page.area = day
    return page
  }

  /// Returns the link to records that the patient shows, with the last day, on a line of its own.
  private func records(_ records: Portal.ShownRecords) -> HTML {
    let line: HTML = records.path == shown.first?.path ? "" : "\n"
    let formats = context.formats
    let last = formats.date(formats.day(of: records.endsAt - .seconds(1)))
    return """
      \(line)<a href="\(records.path)">\(context.text(records.title))</a> \
      \(context.text("patient.shown.until", ["date": last]))
      """
  }

  /// The link to book a follow-up with the same doctor. If this doctor sees no patients any more,
  /// the reception can choose another one.
  private var again: HTML? {
    guard placement.isOpen || staff.reason == .reception else { return nil }
    let doctor = placement.isOpen ? Fields(["doctor": placement.doctor.id.description]) : Fields()
    return context.button(
      "again.title", to: FollowUp.path(booking.id).query(doctor), style: [.secondary, .small])
  }

  private var isAtReception: Bool { staff.reason == .reception && details != nil }

  /// The reception's buttons for a patient without an account: to correct the details, and to make
  /// links.
  private var changes: [HTML?] {
    guard isAtReception, !patient.hasAccount else { return [] }
    let correction = context.button(
      "reception.correct", to: PatientCorrection.path(from: booking), style: [.plain, .small])
    return [correction] + links
  }

  private var links: [HTML] { access?.buttons(context, style: [.plain, .small]) ?? [] }

  /// The sentence about a patient with an account, with the way to a new password.
  private var own: HTML? {
    guard isAtReception, patient.hasAccount, let access else { return nil }
    return "<p class=\"muted\">\(access.account(of: patient.name, context)) \(links)</p>"
  }
}

extension Booking {
  /// Returns the path of the doctor's or the reception's page of a day.
  static func days(for reason: AccessReason) -> Path {
    reason == .care ? DoctorDay.path : ReceptionDay.path
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
    days(for: try findForStaff(context).staff.reason)
  }
}
