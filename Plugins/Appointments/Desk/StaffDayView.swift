import PolyclinicCore

/// The page of a day for the reception or the doctor: the title, the bar with the links to other
/// days, and below it the clinics or the doctor's day.
struct StaffDayView {
  let staffDay: StaffDay
  private var context: Context { staffDay.context }
  private var base: Path { Booking.days(for: staffDay.reason) }

  var page: Page {
    let book = context.button("reception.new", to: NewPatientBooking.path, style: .secondary)
    let hours = context.button("hours.title", to: OwnHours.path, style: .secondary)
    let refresh = AutoRefresh(path: base, context: context)
    let nowhere = context.emptyState(.screen, "reception.none", hint: "reception.none.hint")
    let (days, isToday) = (staffDay.days, staffDay.isToday)
    return Page(
      heading, days.isEmpty ? nowhere : "\(bar)\(content)",
      actions: days.isEmpty
        ? nil
        : "\(actions: isToday ? refresh.button : nil, staffDay.isReception ? book : hours)",
      assets: [.desk], width: .wide, refresh: isToday ? refresh.seconds : nil)
  }

  /// The doctor's page is headed by its day; the reception's day stands in its bar.
  private var heading: Text {
    guard !staffDay.isReception, let date = staffDay.days.first?.date else {
      return "reception.title"
    }
    return Text("day.heading", ["day": BookingText.day(date, context)])
  }

  private var content: HTML {
    if staffDay.isReception { return ReceptionClinics(staffDay: staffDay).html }
    return "\(staffDay.days.map { OwnDayView(day: $0, staffDay: staffDay).html })"
  }

  /// The row above the content: the days, and beside them the search of the reception or the summary
  /// of the doctor's day.
  private var bar: HTML {
    let aside: HTML =
      staffDay.isReception
      ? PatientSearchPage.form(context, hint: "reception.search.hint.short")
      : "\(staffDay.days.compactMap { OwnDayView(day: $0, staffDay: staffDay).summary })"
    return "<div class=\"day-bar\">\(turns)\(aside)</div>"
  }

  /// The links to the neighbouring days and to today, and the form that leads to any other day. On
  /// paper it is the day alone.
  private var turns: HTML? {
    guard let date = staffDay.days.first?.date else { return nil }
    func turn(_ days: Int, _ word: Text, _ rel: StaticString) -> HTML {
      context.button(
        showing: "<span class=\"hidden-text\">\(context.text(word))</span>",
        to: staffDay.path(date.adding(days: days)), style: .secondary, rel: rel)
    }
    let shown: HTML? =
      staffDay.isReception ? "<strong>\(BookingText.day(date, context))</strong>" : nil
    let today: HTML? =
      staffDay.isToday ? nil : context.button("times.today", to: base, style: .secondary)
    return """
      <nav class="days" aria-label="\(context.text("reception.days"))">\
      \(turn(-1, "reception.previous", "prev"))\(shown)\(turn(1, "reception.next", "next"))\(today)\
      <details class="fold unprinted"><summary>\(context.text("reception.day.other"))</summary>\
      <form class="search" method="get" action="\(base)"><div class="filters"><div class="field short">\
      <label for="date">\(context.text("reception.day"))</label>\
      <input type="date" id="date" name="date" value="\(date.description)" required></div>\
      \(context.submit("reception.day.show", style: .secondary))</div></form></details></nav>
      """
  }
}

extension Page.Asset {
  /// The style of the day of the reception and of the doctor.
  static let desk = Page.Asset("desk.css", PackageResources.desk_css)
}
