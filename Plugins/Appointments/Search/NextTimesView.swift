import PolyclinicCore

/// The next free times of a doctor as links to their booking, one line a day.
struct NextTimesView {
  let days: [Availability.Day]
  let placement: DoctorPlacement
  let context: Context

  /// The list; a sentence if nothing can be booked.
  var html: HTML {
    if days.isEmpty { return "<p class=\"muted\">\(context.text("find.times.none"))</p>" }
    return "<dl class=\"slots\">\(each: days, line)</dl>"
  }

  private func line(_ day: Availability.Day) -> HTML {
    let rest = day.count - day.times.count
    let more: HTML? =
      rest <= 0
      ? nil
      : context.button(
        showing: "\(context.text("find.times.more", count: rest))",
        to: Path("/appointments/book").query([
          "doctor": placement.doctor.id.description, "date": day.date.description,
        ]), style: [.plain, .small])
    return """
      <div><dt>\(name(of: day.date))</dt><dd>\(each: day.times, button)\(more)</dd></div>
      """
  }

  private func button(_ time: Slot) -> HTML {
    context.button(
      showing: "\(BookingText.time(time, context))",
      to: time.confirmation(with: placement.doctor.id), style: [.secondary, .small])
  }

  /// Returns “Today”, “Tomorrow”, or a short date.
  private func name(of date: CalendarDate) -> String {
    let today = placement.local(context.now).date
    if date == today { return context.text("find.today") }
    if date == today.adding(days: 1) { return context.text("find.tomorrow") }
    let weekday = context.text(Text("weekday.short.\(date.weekday)"))
    return "\(weekday) \(context.formats.shortMonthDay(date))"
  }
}
