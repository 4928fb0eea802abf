import PolyclinicCore

/// The rows of a doctor's patients on one day.
struct StaffDayRows {
  let doctor: ClinicDay.OfDoctor
  let day: ClinicDay
  let staffDay: StaffDay
  private var context: Context { staffDay.context }

  /// Returns the rows of the bookings and of further parts of the day, in the order of their times.
  /// Today, a line between them marks the present time. `shown` is the booking whose buttons stand
  /// above the list.
  func timeline(
    with parts: [(start: Instant, row: HTML)] = [], besides shown: ID<Appointment>? = nil
  ) -> HTML {
    let bookings = doctor.bookings.map { booking -> (start: Instant, row: HTML) in
      let row = row(booking, hasButtons: booking.id != shown)
      return (booking.span.lowerBound, "\(done(booking))\(row)")
    }
    let all = (bookings + parts).sorted { $0.start < $1.start }
    guard day.isToday else { return "\(rows: all.map(\.row))" }
    let begun = all.prefix { $0.start <= context.now }.count
    let time = context.formats.time(LocalDateTime(context.now, in: day.clinic.zone))
    let now: HTML = """
      <li class="now-line unprinted">\(context.badge(Text("day.now", ["time": time]), .now))</li>
      """
    return "\(rows: all.prefix(begun).map(\.row) + [now] + all.dropFirst(begun).map(\.row))"
  }

  /// Returns the notice of the change that was just made to this booking; nil for the other ones.
  /// It stands beside the booking, because on a phone the list is many screens long.
  private func done(_ booking: Booking) -> HTML? {
    guard booking.id == ID<Appointment>(context.request.query["changed"]) else { return nil }
    let what = [
      staffDay.patients[booking.patient]?.name, staffDay.names[doctor.doctor.id] ?? "",
      BookingText.span(booking.span, in: booking.zone, context),
    ].compactMap(\.self).joined(separator: " · ")
    let isUndone = context.request.query["undone"] == "1"
    let text: Text =
      switch booking.status {
      case _ where isUndone: "reception.done.undone"
      case .booked where booking.sequence > 0: "reception.done.moved"
      case let status: Text("reception.done.\(status.rawValue)")
      }
    let notice = HTML.notice(.outcome, "<p>\(context.text(text, ["what": what]))</p>")
    return "<li id=\"changed\">\(notice)</li>"
  }

  /// Returns the row of a booking: the time, the patient, for the doctor the telephone number and the
  /// reason for the visit, and the buttons unless they stand above the list.
  private func row(_ booking: Booking, hasButtons: Bool) -> HTML {
    let facts: HTML? = facts(of: booking).map { "<span class=\"secondary-text\">\($0)</span>" }
    let visit: HTML =
      "<div><strong>\(who(booking))</strong>\(marks(of: booking)) \(facts)</div>"
    return .row(
      content: "<div class=\"visit\">\(visit)\(reason(of: booking))</div>",
      actions: hasButtons ? buttons(of: booking, isInList: true) : nil)
  }

  /// Returns the age, the sex and the telephone number, as far as the visitor may see them; nil if
  /// none is known.
  func facts(of booking: Booking) -> HTML? {
    guard let patient = staffDay.patients[booking.patient] else { return nil }
    let age: HTML? = patient.ageAndSex(context).map { "\($0)" }
    let phone = AppointmentFacts.phone(patient.phone)
    guard let age, let phone else { return age ?? phone }
    return "\(age) · \(phone)"
  }

  /// Returns the child who comes, and the reason for the visit in the patient's words, for the doctor
  /// alone; nil without either. `limit` shortens the reason.
  func reason(of booking: Booking, limit: Int = 140) -> HTML? {
    guard let details = staffDay.details[booking.id] else { return nil }
    let purpose = details.purpose
    let shown = purpose.count > limit ? "\(purpose.prefix(limit))…" : purpose
    let child = details.child.shown(context)
    let words = AppointmentFacts.purpose(shown)
    if child == nil && words == nil { return nil }
    let between: HTML? = child == nil || words == nil ? nil : " · "
    return "<div class=\"reason\">\(child)\(between)\(words)</div>"
  }

  /// Returns the status if it is not simply booked, and “New patient”, as badges, each after a space.
  func marks(of booking: Booking) -> HTML {
    let state: HTML? =
      if staffDay.called.contains(booking.id) {
        AppointmentFacts.calledBadge(context)
      } else {
        booking.status == .booked ? nil : AppointmentFacts.badge(booking, context)
      }
    let isNew =
      booking.status.isOpen && staffDay.patients[booking.patient] != nil
      && staffDay.firstVisits.contains(booking.id)
    return """
      \(state.map { " \($0)" })\(isNew ? " \(context.badge("day.new-patient"))" : nil)
      """
  }

  func buttons(of booking: Booking, isInList: Bool) -> HTML {
    BookingButtons(
      booking: booking, reason: staffDay.reason,
      name: staffDay.patients[booking.patient]?.name ?? "", context: context, isInList: isInList
    ).content
  }

  /// Returns the time and the name, linked to the appointment while staff may see it; only the time
  /// afterwards. The doctor sees the end as well, beside the free time.
  private func who(_ booking: Booking) -> HTML {
    let time: HTML =
      staffDay.isReception
      ? "\(BookingText.time(Slot(span: booking.span, zone: booking.zone), context))"
      : span(booking.span)
    guard booking.isVisible(for: staffDay.reason, at: context.now) else {
      return "<span class=\"at\">\(time)</span>"
    }
    return
      """
      <a href="\(StaffAppointmentPage.path(booking.id))"><span class="at">\(time) </span>\
      <bdi>\(staffDay.patients[booking.patient]?.name ?? "")</bdi></a>
      """
  }

  /// Returns a span as “09:00–09:20”, in the clinic's local time.
  func span(_ span: Range<Instant>) -> HTML {
    let ends = [span.lowerBound, span.upperBound].map {
      BookingText.time(Slot(span: $0..<$0, zone: day.clinic.zone), context)
    }
    return "<bdi>\(ends[0])–\(ends[1])</bdi>"
  }
}
