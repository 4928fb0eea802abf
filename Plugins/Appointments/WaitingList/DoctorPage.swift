import PolyclinicCore

/// The page of a doctor: the name, the waiting list in numbers, and how to see the doctor.
struct DoctorPage {
  let practice: Practice
  let line: WaitingLine
  /// The visitor's own place; nil for one who stands in no line, or has not signed in.
  let own: OwnPlace?
  let looker: Looker
  let hours: WeeklyHours
  /// Nil where nothing can be booked in the days to come.
  let nextTime: BookableTime?
  let context: Context

  /// Who looks at it.
  enum Looker {
    case anybody
    /// The doctor whose page it is.
    case doctor
    /// A receptionist of the clinic, who joins no line in a patient's place.
    case desk
  }

  private var doctor: Doctor { practice.doctor }
  private var now: Instant { context.now }

  var page: Page {
    get throws {
      let name = try doctor.name.opened(by: context.portal.keys)
      return Page(
        "line.page",
        """
        <div class="title"><div class="with-initial"><span class="initial" aria-hidden="true">\
        \(initial(of: name))</span><h1><bdi>\(name)</bdi></h1></div></div>\
        <p class="lead">\(place)</p>\(try own?.notice(context))\
        <section class="panel"><h2>\(context.text("line.title"))</h2>\
        <p>\(status)</p>\(current)\(joining)</section>\
        \(waiting)\(booking)\(week)
        """,
        back: "doctors", hasOwnHeading: true)
    }
  }

  private var place: HTML {
    """
    \(context.text(practice.department.specialization.title)) · \
    <a href="/appointments/clinics/\(practice.clinic.id)">\
    <bdi>\(practice.clinic.name.string(in: context.language))</bdi></a>
    """
  }

  /// Whether the line can be joined, and when whoever joins now is seen.
  private var status: String {
    guard practice.isOpen else { return context.text("line.gone") }
    guard line.isOpen(at: now) else { return context.text("line.closed") }
    guard let call = line.call(joiningAt: now) else { return context.text("line.open.unknown") }
    if call == now { return context.text("line.open.free") }
    return context.text("line.open.later", ["time": practice.clock(call, context)])
  }

  private var current: HTML? {
    line.treated(at: now).map { place in
      let number = ["number": context.formats.number(place.ticket.number)]
      return "<p>\(context.text("line.current", number))</p>"
    }
  }

  /// The one thing that the visitor can do now.
  private var joining: HTML? {
    let path: Path = "/appointments/doctors/\(doctor.id)"
    if let own {
      if own.isCalled { return nil }
      return """
        <div class="actions">\(context.button(
          "line.leave", posts: "\(path)/queue/leave", style: "button danger secondary"))</div>
        """
    }
    guard line.isOpen(at: now) else { return nil }
    if context.visitor == nil {
      let signIn = Path("/login").query(["next": path.description])
      return """
        <p class="actions"><a class="button" href="\(signIn)">\
        \(context.text("line.join.sign-in"))</a></p>
        """
    }
    switch looker {
    case .anybody:
      return """
        <div class="actions">\(context.button("line.join", posts: "\(path)/queue"))</div>
        """
    case .doctor: return way(to: "/appointments/queue", "queue.title")
    case .desk: return way(to: "/appointments/desk", "desk.title")
    }
  }

  /// Where the visitor sees who waits by name.
  private func way(to path: Path, _ label: Text) -> HTML {
    """
    <p class="actions"><a class="button secondary" href="\(path)">\(context.text(label))</a></p>
    """
  }

  /// The next free time, and all others.
  private var booking: HTML? {
    guard practice.isOpen else { return nil }
    let all: Path = "/appointments/new"
    let others: HTML = """
      <a class="button secondary" href="\(all.query(["doctor": doctor.id.description]))">\
      \(context.text("line.book.all"))</a>
      """
    guard let nextTime else {
      return """
        <section class="panel"><h2>\(context.text("line.book"))</h2>\
        <p>\(context.text("line.book.none"))</p><p class="actions">\(others)</p></section>
        """
    }
    let path = all.query([
      "doctor": doctor.id.description, "date": nextTime.local.date.description,
      "time": String(nextTime.local.description.suffix(5)),
      "offset": nextTime.offset ?? "",
    ])
    let time = ["time": practice.dateTime(nextTime.span.lowerBound, context)]
    return """
      <section class="panel"><h2>\(context.text("line.book"))</h2>\
      <p>\(context.text("line.book.next", time))</p><p class="actions">\
      <a class="button secondary" href="\(path)">\(context.text("line.book.this"))</a>\
      \(others)</p></section>
      """
  }

  /// The weekly hours; nil for a doctor with whom nothing can be booked.
  private var week: HTML? {
    guard practice.isOpen else { return nil }
    let lines: HTML =
      hours.isEmpty
      ? "<dd>\(context.text("line.hours.none"))</dd>"
      : "\(hours.lines(context))\(WeeklyHours.zoneNote(practice.clinic.zone, context))"
    return """
      <dl class="details"><div><dt>\(context.text("line.hours"))</dt>\(lines)</div></dl>
      """
  }

  /// Numbers and times of arrival, and nothing else: the page is public.
  private var waiting: HTML? {
    guard line.isOpen(at: now) else { return nil }
    let waiting = line.waiting(at: now)
    let display: HTML = """
      <p><a href="/appointments/doctors/\(doctor.id)/display">\(context.text("line.display"))</a></p>
      """
    if waiting.isEmpty {
      return "<p class=\"muted\">\(context.text("line.nobody"))</p>\(display)"
    }
    return """
      <div class="scroll"><table class="data"><caption>\
      \(context.text("line.waiting", count: waiting.count))</caption>\
      <thead><tr><th scope="col">\(context.text("line.number"))</th>\
      <th scope="col">\(context.text("line.joined"))</th></tr></thead>\
      <tbody>\(each: waiting, row)</tbody></table></div>\(display)
      """
  }

  private func row(_ place: WaitingLine.Place) -> HTML {
    let isOwn = place.ticket.id == own?.place.ticket.id
    let mark: HTML? = isOwn ? " <span class=\"badge\">\(context.text("line.you"))</span>" : nil
    return """
      <tr><th scope="row">\(context.formats.number(place.ticket.number))\(mark)</th>\
      <td>\(practice.clock(place.ticket.joinedAt, context))</td></tr>
      """
  }
}
