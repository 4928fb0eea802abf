import PolyclinicCore

extension AppointmentsModule {
  func list(_ context: Context) throws -> Response {
    let query = context.request.query
    let part = Agenda.Part(rawValue: query["show"]) ?? .upcoming
    return try context.database.read { connection in
      let agenda = try Agenda.find(
        part, page: query.page, by: context.keys, at: context.now, on: connection)
      let notice = try PersonalAppointment.records.undoNotice(context, on: connection)
      let list = AppointmentList(agenda: agenda, part: part, context: context)
      return .page(try list.page(notice))
    }
  }

  /// The card of what comes next; nil when nothing does.
  func nextAppointment(_ context: Context) throws -> HTML? {
    let agenda = try context.database.read {
      try Agenda.find(.upcoming, page: 1, by: context.keys, at: context.now, on: $0)
    }
    guard !agenda.entries.isEmpty else { return nil }
    let list = AppointmentList(agenda: agenda, part: .upcoming, context: context)
    let links = try agenda.entries.prefix(3).map(list.link)
    return """
      <ul>\(each: links, { "<li>\($0)</li>" })</ul>\
      <a class="more" href="/appointments">\(context.text("next.all"))</a>
      """
  }
}

/// The list of appointments, in two parts.
struct AppointmentList {
  let agenda: Agenda
  let part: Agenda.Part
  let context: Context

  func page(_ notice: HTML?) throws -> Page {
    let actions: HTML = """
      <a class="button" href="\(new)">\(context.text("agenda.book"))</a> \
      <a class="button secondary" href="/appointments/new">\(context.text("agenda.personal"))</a>
      """
    let isEmpty = agenda.pagination.total == 0
    return Page(
      "appointments.title",
      "\(notice)\(parts)\(try isEmpty ? empty(actions) : rows)\(context.calendarFeedsLink)",
      actions: isEmpty && part == .upcoming ? nil : "<div class=\"actions\">\(actions)</div>")
  }

  private var new: Path { Path("/appointments/new").query(["with": "doctor"]) }

  private var parts: HTML {
    """
    <nav class="segments" aria-label="\(context.text("agenda.parts"))">\
    \(each: Agenda.Part.allCases, { one in
      let current: HTML? = one == part ? " aria-current=\"page\"" : nil
      return "<a href=\"\(path(one))\"\(current)>\(context.text(one.title))</a>"
    })</nav>
    """
  }

  private func path(_ part: Agenda.Part) -> Path {
    Path("/appointments").query(["show": part.rawValue])
  }

  private func empty(_ actions: HTML) -> HTML {
    let (title, hint): (Text, Text) =
      part == .upcoming
      ? ("agenda.empty", "agenda.empty.hint")
      : ("agenda.empty.completed", "agenda.empty.completed.hint")
    let ways: HTML? = part == .upcoming ? "<p class=\"actions\">\(actions)</p>" : nil
    return """
      <section class="empty">\(context.icon(.calendar))<h2>\(context.text(title))</h2>\
      <p>\(context.text(hint))</p>\(ways)</section>
      """
  }

  private var rows: HTML {
    get throws {
      let pages = context.pageLinks(agenda.pagination) {
        Path("/appointments").query(["show": part.rawValue, "page": String($0)])
      }
      let links = try agenda.entries.map(link)
      return """
        <p class="count" role="status">\(context.text("agenda.count", count: agenda.pagination.total))</p>\
        <ul class="rows">\(each: links, { "<li>\($0)</li>" })</ul>\(pages)
        """
    }
  }

  /// One appointment as a link: when, with whom or where, and what became of it.
  func link(_ entry: Agenda.Entry) throws -> HTML {
    """
    <a href="/appointments/\(entry.id)"><span><strong>\(title(entry))</strong>\(badge(entry))\
    <span class="secondary-text">\(try place(entry))</span></span></a>
    """
  }

  private func title(_ entry: Agenda.Entry) -> HTML {
    switch entry.kind {
    case .booking(let booking, _, _, _):
      let note: HTML? =
        booking.zone.offset(at: entry.startsAt)
          == context.formats.timeZone.offset(at: entry.startsAt)
        ? nil : " <span class=\"muted\">(\(booking.zone.identifier))</span>"
      let time = BookableTime(span: booking.span, zone: booking.zone)
      return "\(day(booking.local.date)), \(BookingWords.time(time, context))\(note)"
    case .personal(let local, _):
      let shown = local ?? LocalDateTime(entry.startsAt, in: context.formats.timeZone)
      return "\(day(shown.date)), \(context.formats.time(shown))"
    }
  }

  /// Without the year where it is this one.
  private func day(_ date: CalendarDate) -> String {
    date.year == context.today.year
      ? BookingWords.shortDay(date, context) : BookingWords.day(date, context)
  }

  private func place(_ entry: Agenda.Entry) throws -> HTML {
    switch entry.kind {
    case .booking(_, let doctor, let specialization, let clinic):
      let what: HTML? = specialization.map { " · \(context.text($0.title))" }
      let name = try doctor.opened(by: context.portal.keys)
      return "<bdi>\(name)</bdi>\(what) · <bdi>\(clinic.string(in: context.language))</bdi>"
    case .personal(_, let location): return "<bdi>\(location)</bdi>"
    }
  }

  /// What is to come by itself needs no word; all else has one.
  private func badge(_ entry: Agenda.Entry) -> HTML? {
    guard case .booking(let booking, _, _, _) = entry.kind,
      part == .completed || booking.status != .booked
    else { return nil }
    return " \(AppointmentDetails.badge(booking, context))"
  }
}
