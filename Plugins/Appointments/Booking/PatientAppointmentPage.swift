import PolyclinicCore

/// The patient's page of an appointment with a doctor.
struct PatientAppointmentPage {
  let booking: Booking
  let placement: DoctorPlacement
  let purpose: String
  let entries: [HistoryEntry]
  /// Another appointment of the patient at the same time; nil if there is none, or if this one is
  /// over.
  let overlap: HTML?
  /// The notice that the patient still gets alerts for earlier times; nil if there are none.
  let alerts: HTML?
  /// True if the doctor has called the patient and sees nobody else.
  let isCalled: Bool
  let context: Context

  /// The seconds between two refreshes while the patient waits for the call.
  private static let refresh = 15

  var page: Page {
    get throws {
      let facts = AppointmentFacts(booking: booking, placement: placement, context: context)
      let visitor = try context.signedIn()
      // Staff book nearly always for somebody else, so the page names them.
      let patient: HTML? = visitor.worksForPatients ? "<bdi>\(visitor.name)</bdi>" : nil
      let list = facts.list([
        ("field.patient", patient), ("appointment.when", facts.when),
        ("appointment.status", facts.status),
        ("booking.doctor", try facts.doctor), ("booking.department", facts.specialization),
        ("booking.clinic", facts.clinic),
        ("appointment.phone", AppointmentFacts.phone(placement.clinic.phone)),
        ("field.purpose", AppointmentFacts.purpose(purpose)),
      ])
      let history = AppointmentHistory(
        entries: entries, zone: booking.zone, reader: .patient, context: context)
      return Page(
        BookingText.title(of: booking.local, context),
        """
        \(try turn)\(alerts)\(overlap)\(list)\(try actions)\
        \(isAhead ? context.calendarFileLink(of: booking.id) : nil)\
        \(isAhead ? BookingSummary.advice(nil, context) : nil)\(history.content)
        """,
        back: isAhead ? "" : Path("/appointments").query(["show": Agenda.Part.completed.rawValue]),
        assets: isWaiting ? [.call] : [], refresh: isWaiting ? Self.refresh : nil)
    }
  }

  /// True on the day of the appointment from the arrival until the doctor has finished.
  private var isWaiting: Bool {
    booking.status == .arrived
      && booking.local.date == LocalDateTime(context.now, in: booking.zone).date
  }

  /// The card of the call. While the patient waits for it, an element without content that the
  /// scripts watch; else nil.
  private var turn: HTML? {
    get throws {
      guard isWaiting else { return nil }
      guard isCalled else {
        return "<div id=\"call\" data-call=\"\" data-waiting=\"yes\" role=\"status\"></div>"
      }
      let doctor = ["doctor": try placement.doctor.name.shown(context)]
      return TurnCard(
        sentence: context.text(Text("booking.called", doctor)),
        call: placement.clock(booking.span.lowerBound, context), clinic: placement.clinic,
        decline: "/appointments/\(booking.id)/decline", isDeclined: booking.isDeclined
      ).html(context)
    }
  }

  private var isAhead: Bool { booking.isAhead(at: context.now) }

  /// The buttons to reschedule and to cancel. After the deadline it is a hint to call the clinic.
  /// For a booking that is over or cancelled, it is the link to book again.
  private var actions: HTML? {
    get throws {
      guard booking.status == .booked, booking.span.lowerBound > context.now else { return again }
      let hours = try context.portal.settings.integer("cancel_until_hours")
      if context.now + .hours(hours) > booking.span.lowerBound {
        let phone = placement.clinic.phone
        let call = context.callButton(Text("appointment.call", ["phone": phone]), phone)
        let text = BookingText.tooLate(by: hours, call == nil ? placement.clinic : nil)
        return "<p class=\"hint\">\(context.text(text))</p>\(actions: call)"
      }
      return """
        \(actions:
          context.button("appointment.move", to: "/appointments/\(booking.id)/edit"),
          context.button(
            "appointment.cancel", to: "/appointments/\(booking.id)/cancel",
            style: [.danger, .secondary]))
        """
    }
  }
}

extension PatientAppointmentPage {
  /// The link to the doctor's free times; nil if no time can be booked, or while the patient is
  /// there.
  private var again: HTML? {
    guard placement.isOpen, !isAhead else {
      return nil
    }
    let times = Path("/appointments/book").query(["doctor": placement.doctor.id.description])
    return """
      \(actions: context.button(
        booking.status == .cancelled ? "agenda.another" : "agenda.again", to: times))
      """
  }

  /// Shows the visitor's own booking.
  static func show(_ booking: Booking, _ context: Context) throws -> Response {
    let keys = try context.keys
    guard let placement = try DoctorPlacement.find(booking.doctor, in: context) else {
      throw Refusal.notFound
    }
    let overlap =
      booking.isAhead(at: context.now)
      ? try Overlap.find(booking.span, besides: booking.id, in: context) : nil
    let details = PatientAppointmentPage(
      booking: booking, placement: placement, purpose: try booking.details(by: keys).purpose,
      entries: try HistoryEntry.all(of: booking.id, in: context),
      overlap: try overlap?.remark(context),
      alerts: try booking.status == .booked && booking.isAhead(at: context.now)
        ? EarlierTimeAlertPages.reminder(after: booking, context) : nil,
      isCalled: try booking.isCalled
        && Booking.called(of: booking.doctor, in: context)?.id == booking.id,
      context: context)
    return .page(try details.page)
  }
}
