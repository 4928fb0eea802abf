import PolyclinicCore

/// A doctor's row in the public list: the name, the place, the languages and the next free times.
struct DoctorRow {
  let listed: ListedDoctor
  let times: [Availability.Day]
  /// The query that leads back to the list.
  let wayBack: Fields
  let context: Context

  private var placement: DoctorPlacement { listed.placement }

  var html: HTML {
    let marks: [HTML] = [placement.childrenBadge(context), state].compactMap(\.self)
    let languages = listed.profile.languageNames(in: context.language)
    let spoken: HTML? =
      languages.isEmpty ? nil : "<span class=\"secondary-text\"><bdi>\(languages)</bdi></span>"
    return .row(
      content: """
        <div class="doctor"><div class="with-initial"><span class="initial" aria-hidden="true">\
        \(initial(of: listed.name))</span>\
        <div><strong><a href="\(DoctorPage.path(placement.doctor.id).query(wayBack))">\
        <bdi>\(listed.name)</bdi></a></strong>\(each: marks, { " \($0)" })\
        <span class="secondary-text">\(context.text(listed.specialization.title)) · \
        <bdi>\(placement.clinic.nameAndTown(context))</bdi></span>\(spoken)</div></div>\
        \(NextTimesView(days: times, placement: placement, context: context).html)</div>
        """)
  }

  /// The state of the waiting list; nil while the doctor has opened none.
  private var state: HTML? {
    guard let waitingList = listed.waitingList, waitingList.isOpen(at: context.now) else {
      return nil
    }
    if !waitingList.canJoin(at: context.now) { return context.badge("display.closed", .off) }
    if waitingList.isFree(at: context.now) { return context.badge("line.free", .good) }
    let waiting = Text("line.waiting", count: waitingList.waiting(at: context.now).count)
    guard let call = waitingList.call(joiningAt: context.now) else {
      return context.badge(waiting, .waiting)
    }
    return context.badge(
      Text(
        "line.walk-in",
        ["waiting": context.text(waiting), "time": placement.clock(call, context)]), .waiting)
  }
}

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
        to: BookingForm.path.query([
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
