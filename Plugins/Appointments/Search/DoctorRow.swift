import PolyclinicCore

/// A doctor's row in a list: the name, the place, the languages and the next free times.
struct DoctorRow {
  let listed: ListedDoctor
  let times: [Availability.Day]
  /// The query that leads back to the list.
  let wayBack: Fields
  let heading: Heading
  /// The place from which the distance is measured; nil to show none.
  let home: StartingPoint?
  /// False on the page of the clinic itself.
  var showsClinic = true
  let context: Context

  /// The heading below which the name stands, as a heading of the next level.
  enum Heading { case page, section, department }

  private var placement: DoctorPlacement { listed.placement }

  var html: HTML {
    let marks: [HTML] = [
      placement.childrenBadge(context), listed.profile.newPatientsBadge(context), state,
    ].compactMap(\.self)
    let languages = listed.profile.languageNames(in: context.language)
    let spoken: HTML? =
      languages.isEmpty ? nil : "<span class=\"secondary-text\"><bdi>\(languages)</bdi></span>"
    return .row(
      content: """
        <div class="doctor\(attribute: " across", if: showsClinic)"><div class="with-initial">\
        \(HTML.avatar(of: listed.name, photo: placement.doctor.name.photo))\
        <div>\(name)\(each: marks, { " \($0)" })\(specialization)\
        \(place.isEmpty ? nil : "<span class=\"secondary-text\">\(place)</span>")\
        \(spoken)</div></div>\
        \(listed.refusesVisitor ? refusal : next)</div>
        """)
  }

  private var refusal: HTML { "<div class=\"muted\">\(placement.refusal(context))</div>" }

  private var next: HTML {
    NextTimesView(
      days: times, placement: placement, name: listed.name, wayBack: wayBack, context: context
    ).html
  }

  /// The name as a heading, so that screen readers jump from doctor to doctor.
  private var name: HTML {
    let link: HTML = """
      <a href="\(DoctorPage.path(placement.doctor.id).query(wayBack))"><bdi>\(listed.name)</bdi></a>
      """
    switch heading {
    case .page: return "<h2>\(link)</h2>"
    case .section: return "<h3>\(link)</h3>"
    case .department: return "<h4>\(link)</h4>"
    }
  }

  /// The specialization; nil below its own heading.
  private var specialization: HTML? {
    let title = context.text(listed.specialization.title)
    return heading == .department
      ? nil : "<span class=\"secondary-text\"><strong>\(title)</strong></span>"
  }

  /// “First Clinic, Minsk · 2 km · 60 BYN”.
  private var place: HTML {
    let distance = home.flatMap { FoundClinic(placement.clinic, from: $0.coordinates).distance }
    let parts = [
      showsClinic ? placement.clinic.nameAndTown(context) : "",
      distance.map(context.distance) ?? "", listed.profile.fee,
    ].filter { !$0.isEmpty }
    return "\(each: parts.indices, { "\($0 == 0 ? "" : " · ")<bdi>\(parts[$0])</bdi>" })"
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

extension DoctorProfile {
  /// The badge of a doctor who accepts no new patients, because most do; nil for others.
  func newPatientsBadge(_ context: Context) -> HTML? {
    refusesNewPatients ? context.badge("doctor.new-patients.refused", .off) : nil
  }
}

/// The next free times of a doctor as links to their booking, one line of a tile and four cells a
/// day.
struct NextTimesView {
  let days: [Availability.Day]
  let placement: DoctorPlacement
  /// The doctor's name in the reader's language.
  let name: String
  /// The query that leads back to the list in which the visitor has found the doctor.
  let wayBack: Fields
  let context: Context

  /// The number of cells in a line. The last one leads to all times of a day that has more.
  static let cells = 4

  /// The list; a sentence if nothing can be booked.
  var html: HTML {
    if days.isEmpty { return "<p class=\"muted\">\(context.text("find.times.none"))</p>" }
    let today = placement.local(context.now).date
    return "<dl class=\"slots\">\(each: days, { line($0, today: today) })</dl>"
  }

  private func line(_ day: Availability.Day, today: CalendarDate) -> HTML {
    let isCut = day.count > Self.cells
    let shown = isCut ? day.times.prefix(Self.cells - 1) : day.times[...]
    let title = dayName(of: day.date, today: today)
    let path = BookingForm.path.query(wayBack).query([
      "doctor": placement.doctor.id.description, "date": day.date.description,
    ])
    // A screen reader that lists links reads the day and the doctor with each time.
    let times = context.buttons(
      forTimes: shown.map { ($0.local, $0.offset) }, of: path, style: [.secondary, .small],
      after: "<span class=\"hidden-text\">\(title), \(name), </span>")
    let tile = BookingText.tile(of: day.date, today: today, context)
    let more: HTML? = isCut ? more(day.count - shown.count, on: title, to: path) : nil
    return """
      <div><dt>\(tile)<span class="hidden-text">\(title)</span></dt><dd>\(times)\(more)</dd></div>
      """
  }

  /// Returns the link to all times of a day: “+9”.
  private func more(_ rest: Int, on day: String, to path: Path) -> HTML {
    let words = "\(context.text("find.times.more", count: rest)), \(day), \(name)"
    return context.button(
      showing: """
        <bdi dir="ltr" aria-hidden="true">+\(context.formats.number(rest))</bdi>\
        <span class="hidden-text">\(words)</span>
        """,
      to: path, style: [.secondary, .small])
  }

  /// Returns “Today”, “Tomorrow”, or a short date.
  private func dayName(of date: CalendarDate, today: CalendarDate) -> String {
    if date == today { return context.text("find.today") }
    if date == today.adding(days: 1) { return context.text("find.tomorrow") }
    let weekday = context.text(Text("day.short.\(date.weekday)"))
    return "\(weekday) \(context.formats.shortMonthDay(date))"
  }
}
