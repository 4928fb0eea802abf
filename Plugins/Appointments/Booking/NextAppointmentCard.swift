import PolyclinicCore

/// The card of the next appointments: the first one in large letters with what can be done, then
/// two more.
struct NextAppointmentCard {
  let context: Context

  /// Returns the card; nil if there are no appointments ahead.
  static func card(_ context: Context) throws -> HTML? {
    let card = NextAppointmentCard(context: context)
    let agenda = try Agenda.find(.upcoming, page: 1, in: context)
    guard let first = agenda.entries.first else { return nil }
    let list = AppointmentList(agenda: agenda, part: .upcoming, context: context)
    let rest = agenda.entries.dropFirst().prefix(2)
    let others: HTML? = rest.isEmpty ? nil : "<ul>\(try rest.map(list.row))</ul>"
    return """
      \(try card.first(first, in: context))\(others)\
      \(context.moreLink("next.all", to: "/appointments"))
      """
  }

  private func first(_ entry: Agenda.Entry, in work: Work) throws -> HTML {
    let when = nearness(of: entry)
    let list = AppointmentList(
      agenda: Agenda(entries: [], pagination: .init(page: 1, total: 0)), part: .upcoming,
      context: context)
    return """
      <p class="figure">\(when)</p>\
      <p><a href="/appointments/\(entry.id)"><strong>\(list.title(entry))</strong></a><br>\
      \(try list.place(entry))</p>\(try actions(of: entry, in: work))
      """
  }

  /// Returns “today”, “tomorrow” or “in 10 days”, by the local time of the appointment.
  private func nearness(of entry: Agenda.Entry) -> String {
    let (day, zone): (CalendarDate, Zone) =
      switch entry.kind {
      case .booking(let booking, _, _, _): (booking.local.date, booking.zone)
      case .personal(let local, _):
        (local?.date ?? context.formats.day(of: entry.startsAt), context.formats.timeZone)
      case .walkIn(let local, _, _, _): (local.date, context.formats.timeZone)
      }
    let days = day.daysSince1970 - LocalDateTime(context.now, in: zone).date.daysSince1970
    switch days {
    case ...0: return context.text("next.today")
    case 1: return context.text("next.tomorrow")
    default: return context.text("next.in-days", count: days)
    }
  }

  /// Returns the buttons to move and to cancel, while the patient can, and the way to the clinic.
  private func actions(of entry: Agenda.Entry, in work: Work) throws -> HTML? {
    guard case .booking(let booking, _, _, _) = entry.kind,
      let placement = try DoctorPlacement.find(booking.doctor, in: work)
    else { return nil }
    let canChange = try booking.reasonAgainstChange(context) == nil
    let way = placement.clinic.coordinates.flatMap(OutsideLink.webMap).map {
      context.button("next.directions", to: $0, style: [.secondary, .small])
    }
    let move = context.button(
      "appointment.move", to: "/appointments/\(booking.id)/edit", style: [.secondary, .small])
    let cancel = context.button(
      "next.cancel", to: "/appointments/\(booking.id)/cancel", style: [.plain, .danger, .small])
    return "\(actions: canChange ? move : nil, way, canChange ? cancel : nil)"
  }
}
