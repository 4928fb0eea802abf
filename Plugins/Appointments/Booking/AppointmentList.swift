import PolyclinicCore

/// The page of a person's appointments, upcoming or completed.
struct AppointmentList {
  let agenda: Agenda
  let part: Agenda.Part
  /// True if the person waits for an earlier time of a doctor.
  var hasAlerts = false
  let context: Context

  func page(_ notice: HTML?) throws -> Page {
    let isEmpty = agenda.pagination.total == 0
    let alerts: HTML? =
      hasAlerts
      ? """
      <p><a href="/appointments/wishes">\(context.text("alerts.link"))</a></p>
      """ : nil
    return Page(
      "appointments.title",
      "\(notice)\(parts)\(try isEmpty ? empty : rows)\(alerts)\(context.calendarFeedsLink)",
      actions: isEmpty && part == .upcoming ? nil : "\(actions: ways)")
  }

  private var ways: [HTML] {
    [
      context.button(
        "agenda.book", to: Path("/appointments/new").query(["with": "doctor"])),
      context.button(
        "agenda.personal", to: Path("/appointments/new").query(["with": "personal"]),
        style: .secondary),
    ]
  }

  private var parts: HTML {
    context.tabs(
      "agenda.parts", Agenda.Part.allCases, current: part, title: \.title, to: path)
  }

  private func path(_ part: Agenda.Part) -> Path {
    Path("/appointments").query(["show": part.rawValue])
  }

  private var empty: HTML {
    switch part {
    case .upcoming:
      context.emptyState(
        .calendar, "agenda.empty", hint: "agenda.empty.hint", content: "\(actions: ways)")
    case .completed:
      context.emptyState(
        .calendar, "agenda.empty.completed", hint: "agenda.empty.completed.hint")
    }
  }

  private var rows: HTML {
    get throws {
      let pages = context.pageLinks(agenda.pagination) {
        Path("/appointments").query(["show": part.rawValue, "page": String($0)])
      }
      return """
        \(context.resultCount(Text("agenda.count", count: agenda.pagination.total)))\
        \(rows: try agenda.entries.map(row))\(pages)
        """
    }
  }

  /// Returns an appointment as a link, with its time, its doctor or location, and its status. A
  /// visit without an appointment has no page.
  func row(_ entry: Agenda.Entry) throws -> HTML {
    if case .walkIn = entry.kind {
      return .row(
        title(entry), mark: context.badge("agenda.walk-in", .neutral), detail: try place(entry))
    }
    return .row(
      to: "/appointments/\(entry.id)", title(entry), mark: badge(entry),
      detail: try place(entry))
  }

  func title(_ entry: Agenda.Entry) -> HTML {
    switch entry.kind {
    case .booking(let booking, _, _, _):
      let note: HTML? =
        booking.zone.offset(at: entry.startsAt)
          == context.formats.timeZone.offset(at: entry.startsAt)
        ? nil : " <span class=\"muted\">(\(booking.zone.identifier))</span>"
      let time = Slot(span: booking.span, zone: booking.zone)
      return "\(day(booking.local.date)), \(BookingText.time(time, context))\(note)"
    case .personal(let local, _):
      let shown = local ?? LocalDateTime(entry.startsAt, in: context.formats.timeZone)
      return "\(day(shown.date)), \(context.formats.time(shown))"
    case .walkIn(let local, _, _, _):
      return "\(day(local.date)), \(context.formats.time(local))"
    }
  }

  /// Returns the day, without the year if it is the current one.
  private func day(_ date: CalendarDate) -> String {
    date.year == context.today.year
      ? BookingText.shortDay(date, context) : BookingText.day(date, context)
  }

  func place(_ entry: Agenda.Entry) throws -> HTML {
    switch entry.kind {
    case .booking(_, let doctor, let specialization, let clinic),
      .walkIn(_, let doctor, let specialization, let clinic):
      let what: HTML? = specialization.map { " · \(context.text($0.title))" }
      let name = try doctor.shown(context)
      return "<bdi>\(name)</bdi>\(what) · <bdi>\(clinic.string(in: context.language))</bdi>"
    case .personal(_, let location): return "<bdi>\(location)</bdi>"
    }
  }

  /// Returns the status badge of a booking. Nil for an upcoming one with the status booked, because
  /// the list implies it, and for an appointment elsewhere.
  private func badge(_ entry: Agenda.Entry) -> HTML? {
    guard case .booking(let booking, _, _, _) = entry.kind,
      part == .completed || booking.status != .booked
    else { return nil }
    return AppointmentFacts.badge(booking, context)
  }
}

extension AppointmentList {
  static func show(_ context: Context) throws -> Response {
    let query = context.request.query
    let part = Agenda.Part(rawValue: query["show"]) ?? .upcoming
    let agenda = try Agenda.find(part, page: query.page, in: context)
    let notice = try PersonalAppointment.records.undoNotice(context)
    let hasAlerts = try !EarlierTimeAlert.doctors(of: context.keys.person, in: context).isEmpty
    let list = AppointmentList(
      agenda: agenda, part: part, hasAlerts: hasAlerts, context: context)
    return .page(try list.page(notice))
  }
}
