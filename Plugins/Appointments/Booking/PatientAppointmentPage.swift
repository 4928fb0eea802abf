import PolyclinicCore

/// The patient's page of an appointment with a doctor. It stands at ``Appointment/page``.
struct PatientAppointmentPage {
  private let booking: Booking
  private let placement: DoctorPlacement
  private let doctor: String
  private let details: Booking.Details
  /// True if there is a purpose that the visitor, a guardian who only books, may not read.
  private let hasUnreadPurpose: Bool
  /// The price of a visit in the clinic's own words; empty if it is unknown.
  private let fee: String
  private let entries: [HistoryEntry]
  /// The patient, whom the page names for somebody who acts for others, and for a member of staff,
  /// because staff book nearly always for somebody else; nil for everyone else.
  private let patient: HTML?
  /// The name of the person whom the doctor sees, before the time; nil if it is the visitor.
  private let whom: HTML?
  private let reader: AppointmentHistory.Reader
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

  /// True right after the booking, when the page confirms it above all else.
  private let isNew: Bool

  /// The field of the query with which the page confirms a booking.
  private static let booked = "booked"

  /// Returns the path of the page that confirms a booking.
  static func confirmation(of booking: Booking) -> Path { booking.path.query([booked: "1"]) }

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
    details = try booking.details(shownIn: context)
    hasUnreadPurpose =
      try !context.mayReadRecords && !booking.details(by: context.keys).purpose.isEmpty
    fee = try placement.doctor.name.profile(by: context.portal.keys).fee
    let visitor = try context.signedIn()
    let inCare = try context.nameInCare
    reader = inCare.map { .other(patient: $0) } ?? .patient
    let isNamed =
      try inCare == nil && (visitor.worksForPatients || !context.patients().isEmpty)
    patient = (isNamed ? visitor.name : inCare).map { "<bdi>\($0)</bdi>" }
    whom = (details.child.name.isEmpty ? inCare : details.child.name).map { "<bdi>\($0)</bdi> · " }
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
    isNew =
      isAhead && booking.status == .booked && context.request.query[Self.booked] == "1"
    deadline = try context.portal.settings.integer("cancel_until_hours")
  }

  var page: Page {
    let facts = AppointmentFacts(booking: booking, placement: placement, context: context)
    let advice: HTML? = isAhead ? BookingSummary.advice(isNew ? reminders : [], context) : nil
    if isNew {
      return Page(
        "booked.title",
        "\(confirmation(facts))\(alerts)\(overlap)\(hint)\(advice)\(folded(facts))",
        back: AppointmentList.path, assets: [.freeTimes])
    }
    return Page(
      BookingText.title(of: booking.local, context),
      "\(turn)\(heading)\(alerts)\(overlap)\(hint)\(visit(facts))\(advice)\(folded(facts))",
      back: isAhead ? AppointmentList.path : AppointmentList.show(.completed),
      assets: isWaiting ? [.call] : [], hasOwnHeading: true,
      refresh: isWaiting ? Self.refresh : nil)
  }

  /// The person whom the doctor sees, if it is not the visitor, and the day and the time beside the
  /// day as a tile.
  private var heading: HTML {
    let status: HTML? =
      isAhead && booking.status == .booked
      ? nil : "<p>\(AppointmentFacts.badge(booking, context))</p>"
    return """
      <div class="title"><div class="with-date">\
      \(BookingText.tile(of: booking.local.date, today: today, context))\
      <div><h1>\(whom)<span class="unprinted">\(nearness), </span>\
      \(BookingText.time(Slot(span: booking.span, zone: booking.zone), context))</h1></div></div>\
      \(status)\(actions)</div>
      """
  }

  /// “Today” or “Tomorrow” by the clinic's local time, or the day.
  private var nearness: String {
    let day = booking.local.date
    if isAhead, day == today { return context.text("next.today") }
    if isAhead, day == today.adding(days: 1) { return context.text("next.tomorrow") }
    return BookingText.shortDay(day, context)
  }

  /// The present day at the clinic.
  private var today: CalendarDate { LocalDateTime(context.now, in: booking.zone).date }

  /// The facts of an appointment: when, with whom and where, for how much, and the way there.
  private func visit(_ facts: AppointmentFacts) -> HTML {
    let avatar = HTML.avatar(of: doctor, photo: placement.doctor.name.photo)
    return facts.list([
      (
        "booking.doctor",
        """
        <span class="with-initial">\(avatar)<span>\(facts.link(named: doctor)) \
        <span class="secondary-text">\(facts.specialization)</span></span></span>
        """
      ),
      ("appointment.when", isNew ? nil : facts.when),
      ("booking.where", "\(facts.clinic)\(isNew ? nil : way.map { "\(actions: $0)" })"),
      ("doctor.fee", fee.isEmpty ? nil : "<bdi>\(fee)</bdi>"),
      ("appointment.phone", AppointmentFacts.phone(placement.clinic.phone)),
    ])
  }

  /// The panel after the booking: for whom and when, with whom, where and for how much, and the next
  /// steps.
  private func confirmation(_ facts: AppointmentFacts) -> HTML {
    """
    <section class="panel booked" role="status"><div class="tick">\(context.icon(.check))\
    <h2>\(whom)\(BookingText.unbrokenSpan(booking.span, in: booking.zone, context))</h2></div>\
    \(BookingText.zoneNote(booking.zone, at: booking.span.lowerBound, context))\(visit(facts))\
    \(actions: [context.calendarFileLink(of: booking.id, style: []), way] + changes)</section>
    """
  }

  /// The link to the way there; nil if the appointment is over.
  private var way: HTML? {
    guard isAhead else { return nil }
    return placement.clinic.coordinates.flatMap(OutsideLink.directions(to:)).map {
      context.button(
        "next.directions", to: $0, style: isNew ? .secondary : [.secondary, .small])
    }
  }

  /// The other facts and the history, folded up.
  private func folded(_ facts: AppointmentFacts) -> HTML {
    let list = facts.list([
      ("field.patient", patient), ("booking.child", details.child.shown(context)),
      ("appointment.when", isNew ? facts.when : nil), ("appointment.status", facts.status),
      (
        "field.purpose",
        hasUnreadPurpose
          ? "\(context.text("appointment.purpose.given"))"
          : AppointmentFacts.purpose(details.purpose)
      ),
    ])
    let history = AppointmentHistory(
      entries: entries, zone: booking.zone, reader: reader, context: context)
    return """
      <details class="fold"><summary>\(context.text("booked.details"))</summary>\
      \(list)\(history.content)</details>
      """
  }

  /// The sentences that say whether the patient will be reminded, and how.
  private var reminders: [Text] {
    let number = Booking.remindersAhead(of: booking.span.lowerBound, at: context.now)
    let way: Text = context.portal.sendsMail ? "booked.reminder.mail" : "booked.reminder.portal"
    return [Text("booked.reminder.\(number)")] + (number == 0 ? [] : [way])
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

  /// True while the booking has not begun and nothing has changed its status.
  private var isToCome: Bool {
    booking.status == .booked && booking.span.lowerBound > context.now
  }

  /// True if the patient can still move and cancel the booking here.
  private var canChange: Bool {
    isToCome && context.now + .hours(deadline) <= booking.span.lowerBound
  }

  private var call: HTML? {
    let phone = placement.clinic.phone
    return context.callButton(Text("appointment.call", ["phone": phone]), phone)
  }

  /// The reason why the patient cannot change a booking that is to come; nil if they can.
  private var hint: HTML? {
    guard isToCome, !canChange else { return nil }
    let text = BookingText.tooLate(by: deadline, call == nil ? placement.clinic : nil)
    return "<p class=\"hint\">\(context.text(text))</p>"
  }

  /// The buttons beside the heading. For a booking that is over or cancelled, it is the link to book
  /// again.
  private var actions: HTML? {
    let file: HTML? = isAhead ? context.calendarFileLink(of: booking.id) : nil
    guard isToCome else { return again ?? file.map { "\(actions: $0)" } }
    var all = changes
    all.insert(file, at: 1)
    return "\(actions: all)"
  }

  /// The buttons to reschedule and to cancel, and after the deadline the one that calls the clinic.
  private var changes: [HTML?] {
    if !canChange { return [call] }
    return [
      context.button(
        "appointment.move", to: RescheduleForm.path(booking.id), style: isNew ? .secondary : []),
      context.button(
        "appointment.cancel", to: CancelForm.path(booking.id), style: [.danger, .secondary]),
    ]
  }

  /// The link to the doctor's free times; nil if no time can be booked, or while the patient is
  /// there.
  private var again: HTML? {
    guard placement.isOpen, !isAhead else { return nil }
    let label: Text = booking.status == .cancelled ? "agenda.another" : "agenda.again"
    return "\(actions: context.button(label, to: BookingForm.times(of: placement.doctor.id)))"
  }
}
