import PolyclinicCore

/// The patient's page of an appointment with a doctor. It stands at ``Appointment/page``.
struct PatientAppointmentPage {
  private let booking: Booking
  private let placement: DoctorPlacement
  private let doctor: String
  private let purpose: String
  private let entries: [HistoryEntry]
  /// The patient, whom the page names for a member of staff, because staff book nearly always for
  /// somebody else; nil for everyone else.
  private let patient: HTML?
  /// Another appointment of the patient at the same time; nil if there is none, or if this one is
  /// over.
  private let overlap: HTML?
  /// The notice that the patient still gets alerts for earlier times; nil if there are none.
  private let alerts: HTML?
  /// True if the doctor has called the patient and sees nobody else.
  private let isCalled: Bool
  /// The hours before the appointment until which the patient can change it.
  private let deadline: Int
  private let context: Context

  /// The seconds between two refreshes while the patient waits for the call.
  private static let refresh = 15

  /// Loads the page of the visitor's own booking.
  init(_ booking: Booking, _ context: Context) throws {
    self.booking = booking
    self.context = context
    guard let placement = try DoctorPlacement.find(booking.doctor, in: context) else {
      throw Refusal.notFound
    }
    self.placement = placement
    doctor = try placement.doctor.name.shown(context)
    purpose = try booking.purpose(by: context.keys)
    let visitor = try context.signedIn()
    patient = visitor.worksForPatients ? "<bdi>\(visitor.name)</bdi>" : nil
    let isAhead = booking.isAhead(at: context.now)
    overlap =
      isAhead
      ? try Overlap.find(booking.span, besides: booking.id, in: context)?.remark(context) : nil
    entries = try HistoryEntry.all(of: booking.id, in: context)
    alerts =
      try isAhead && booking.status == .booked
      ? EarlierTimeAlertList.reminder(after: booking, context) : nil
    isCalled =
      try booking.isCalled && Booking.called(of: booking.doctor, in: context)?.id == booking.id
    deadline = try context.portal.settings.integer("cancel_until_hours")
  }

  var page: Page {
    let facts = AppointmentFacts(booking: booking, placement: placement, context: context)
    let list = facts.list([
      ("field.patient", patient), ("appointment.when", facts.when),
      ("appointment.status", facts.status), ("booking.doctor", facts.link(named: doctor)),
      ("booking.department", facts.specialization), ("booking.clinic", facts.clinic),
      ("appointment.phone", AppointmentFacts.phone(placement.clinic.phone)),
      ("field.purpose", AppointmentFacts.purpose(purpose)),
    ])
    let history = AppointmentHistory(
      entries: entries, zone: booking.zone, reader: .patient, context: context)
    return Page(
      BookingText.title(of: booking.local, context),
      """
      \(turn)\(alerts)\(overlap)\(list)\(actions)\
      \(isAhead ? context.calendarFileLink(of: booking.id) : nil)\
      \(isAhead ? BookingSummary.advice(nil, context) : nil)\(history.content)
      """,
      back: isAhead ? AppointmentList.path : AppointmentList.show(.completed),
      assets: isWaiting ? [.call] : [], refresh: isWaiting ? Self.refresh : nil)
  }

  private var isAhead: Bool { booking.isAhead(at: context.now) }

  /// True on the day of the appointment from the arrival until the doctor has finished.
  private var isWaiting: Bool {
    booking.status == .arrived
      && booking.local.date == LocalDateTime(context.now, in: booking.zone).date
  }

  /// The card of the call. While the patient waits for it, an element without content that the
  /// scripts watch; else nil.
  private var turn: HTML? {
    guard isWaiting else { return nil }
    guard isCalled else {
      return "<div id=\"call\" data-call=\"\" data-waiting=\"yes\" role=\"status\"></div>"
    }
    return TurnCard(
      sentence: context.text("booking.called", ["doctor": doctor]),
      call: placement.clock(booking.span.lowerBound, context), clinic: placement.clinic,
      decline: DeclineForm.path(booking.id), isDeclined: booking.isDeclined
    ).html(context)
  }

  /// The buttons to reschedule and to cancel. After the deadline it is a hint to call the clinic.
  /// For a booking that is over or cancelled, it is the link to book again.
  private var actions: HTML? {
    guard booking.status == .booked, booking.span.lowerBound > context.now else { return again }
    if context.now + .hours(deadline) > booking.span.lowerBound {
      let phone = placement.clinic.phone
      let call = context.callButton(Text("appointment.call", ["phone": phone]), phone)
      let text = BookingText.tooLate(by: deadline, call == nil ? placement.clinic : nil)
      return "<p class=\"hint\">\(context.text(text))</p>\(actions: call)"
    }
    return """
      \(actions:
        context.button("appointment.move", to: RescheduleForm.path(booking.id)),
        context.button(
          "appointment.cancel", to: CancelForm.path(booking.id), style: [.danger, .secondary]))
      """
  }

  /// The link to the doctor's free times; nil if no time can be booked, or while the patient is
  /// there.
  private var again: HTML? {
    guard placement.isOpen, !isAhead else { return nil }
    let label: Text = booking.status == .cancelled ? "agenda.another" : "agenda.again"
    return "\(actions: context.button(label, to: BookingForm.times(of: placement.doctor.id)))"
  }
}
