import PolyclinicCore

/// The doctor's own day: the next patient, and the patients with the free time and the breaks
/// between them.
struct OwnDayView {
  let day: ClinicDay
  let staffDay: StaffDay
  private var context: Context { staffDay.context }

  /// The clinic, the number of patients and the time off; nil without a doctor.
  var summary: HTML? {
    guard let doctor = day.doctors.first else { return nil }
    let coming = doctor.bookings.count { $0.status != .cancelled }
    let patients: HTML? =
      coming == 0 ? nil : " · \(context.text("day.patients", count: coming))"
    return """
      <p class="lead"><bdi>\(BookingText.name(of: day.clinic, context))</bdi>\(patients)\
      \(doctor.off?.badge(context))</p>
      """
  }

  var html: HTML {
    guard let doctor = day.doctors.first else { return HTML() }
    let rows = StaffDayRows(doctor: doctor, day: day, staffDay: staffDay)
    let shown = day.isToday ? current(of: doctor) : nil
    let list = rows.timeline(
      with: gaps(of: doctor, rows) + breaks(of: doctor, rows), besides: shown?.id)
    let hasList = !doctor.bookings.isEmpty || !doctor.free.isEmpty
    return """
      \(doctor.off?.notice(for: staffDay.reason, context))\
      \(doctor.bookings.isEmpty ? empty(doctor) : nil)\
      <div class="own-day">\(shown.map { panel($0, rows) })<div>\(hasList ? list : nil)</div></div>
      """
  }

  /// Returns the patient who is with the doctor, or the next one: the first who has arrived, or who
  /// is booked. Nil if nobody comes any more.
  private func current(of doctor: ClinicDay.OfDoctor) -> Booking? {
    let open = doctor.bookings.filter {
      $0.status.isOpen && staffDay.patients[$0.patient] != nil
    }
    return open.first { staffDay.called.contains($0.id) } ?? open.first { $0.status == .arrived }
      ?? open.first { $0.span.upperBound > context.now }
  }

  /// Returns the patient above the list, with the whole reason for the visit.
  private func panel(_ booking: Booking, _ rows: StaffDayRows) -> HTML {
    let time = BookingText.time(Slot(span: booking.span, zone: booking.zone), context)
    let heading: Text = staffDay.called.contains(booking.id) ? "queue.current" : "day.next"
    return """
      <section class="panel next-patient"><h2>\(context.text(heading))</h2>\
      <p class="figure">\(time)</p>\
      <p class="name"><a href="\(StaffAppointmentPage.path(booking.id))">\
      <bdi>\(staffDay.patients[booking.patient]?.name ?? "")</bdi></a>\(rows.marks(of: booking))</p>\
      \(rows.facts(of: booking).map { "<p class=\"secondary-text\">\($0)</p>" })\
      \(rows.reason(of: booking, limit: 2_000))\
      \(actions: rows.buttons(of: booking, isInList: false))</section>
      """
  }

  /// Returns the rows of the free time, each from one appointment or break to the next.
  private func gaps(
    of doctor: ClinicDay.OfDoctor, _ rows: StaffDayRows
  ) -> [(start: Instant, row: HTML)] {
    var spans = Spans<Instant>()
    for time in doctor.free { spans.insert(time.span) }
    return spans.ranges.map { span in
      let count = doctor.free.count { span.contains($0.span.lowerBound) }
      return gap(span, context.text("times.free", count: count), rows)
    }
  }

  /// Returns the rows of the time between working periods: breaks, and time off.
  private func breaks(
    of doctor: ClinicDay.OfDoctor, _ rows: StaffDayRows
  ) -> [(start: Instant, row: HTML)] {
    doctor.breaks.map { span in
      let isOff = doctor.off?.spans.contains { $0.overlaps(span) } == true
      return gap(span, context.text(isOff ? "exception.off" : "day.break"), rows)
    }
  }

  private func gap(
    _ span: Range<Instant>, _ words: String, _ rows: StaffDayRows
  ) -> (start: Instant, row: HTML) {
    let row: HTML = """
      <li class="gap"><span class="at">\(rows.span(span)) </span>\(words)</li>
      """
    return (span.lowerBound, row)
  }

  /// Returns the sentence that nobody comes, with the link to the next day with patients.
  private func empty(_ doctor: ClinicDay.OfDoctor) -> HTML {
    let later = staffDay.next.first.map { first in
      context.button(
        StaffDay.later(staffDay.next, from: first, context), to: staffDay.path(first.local.date),
        style: .secondary)
    }
    return context.emptyState(
      .calendar, doctor.off?.isWholeDay == true ? "reception.off" : "reception.nobody",
      actions: later)
  }
}
