import PolyclinicCore

/// The card of the next appointments: the first one in large letters with what can be done, then
/// two more.
struct NextAppointmentCard {
  private let entry: Agenda.Entry
  private let context: Context

  /// Returns the card; nil if there are no appointments ahead. Those of today are due, and those of
  /// tomorrow, for which people prepare the day before.
  static func card(_ context: Context, _ due: inout [HTML]) throws -> HTML? {
    let entries = try Agenda(.upcoming, page: 1, in: context).entries
    guard let first = entries.first else { return nil }
    for entry in entries where entry.daysAhead(context) <= 1 {
      let nearness: Text = entry.daysAhead(context) == 1 ? "next.tomorrow" : "next.today"
      due.append(
        .row(
          to: entry.path, try entry.title(context), mark: context.badge(nearness, .now),
          detail: try entry.place(context), lead: context.icon(.calendarCheck),
          kind: Icon.Kind("appointments", .calendarCheck)))
    }
    let rest = entries.dropFirst().prefix(2)
    let others: HTML? =
      rest.isEmpty ? nil : "<ul>\(try rest.map { try $0.row(in: .upcoming, context) })</ul>"
    return """
      \(try NextAppointmentCard(entry: first, context: context).html)\(others)\
      \(context.moreLink("next.all", to: AppointmentList.path))
      """
  }

  private var html: HTML {
    get throws {
      """
      <p class="figure">\(nearness)</p>\
      <p><a href="\(entry.path)"><strong>\(try entry.title(context))</strong></a><br>\
      \(try entry.place(context))</p>\(try actions)
      """
    }
  }

  /// “today”, “tomorrow” or “in 10 days”, by the local time of the appointment.
  private var nearness: String {
    let days = entry.daysAhead(context)
    switch days {
    case ...0: return context.text("next.today")
    case 1: return context.text("next.tomorrow")
    default: return context.text("next.in-days", count: days)
    }
  }

  /// The buttons to move and to cancel, while the patient can, and the way to the clinic.
  private var actions: HTML? {
    get throws {
      guard case .booking(let booking, let place) = entry.kind else { return nil }
      let canChange = try booking.reasonAgainstChange(context) == nil
      let way = place.coordinates.flatMap(OutsideLink.directions(to:)).map {
        context.button("next.directions", to: $0, style: [.secondary, .small])
      }
      let move = context.button(
        "appointment.move", to: RescheduleForm.path(booking.id), style: [.secondary, .small])
      let cancel = context.button(
        "next.cancel", to: CancelForm.path(booking.id), style: [.plain, .danger, .small])
      return "\(actions: canChange ? move : nil, way, canChange ? cancel : nil)"
    }
  }
}

/// The next appointments as a browser stores them, for use on the way without a network.
extension Agenda {
  static func offlineCard(_ context: Context) throws -> HTML? {
    let appointments = try Agenda(.upcoming, page: 1, in: context).entries.map { entry in
      switch entry.kind {
      case .booking(let booking, _): try facts(booking, context)
      case .personal:
        try PersonalAppointment.records.find(ID(entry.id), in: context)?.facts(context) ?? HTML()
      // Never ahead.
      case .walkIn: HTML()
      }
    }
    return appointments.isEmpty ? nil : "\(appointments)"
  }

  private static func facts(_ booking: Booking, _ context: Context) throws -> HTML {
    guard let placement = try DoctorPlacement.find(booking.doctor, in: context) else {
      return HTML()
    }
    let facts = AppointmentFacts(booking: booking, placement: placement, context: context)
    let clinic = placement.clinic
    let language = context.language
    let lines =
      [BookingText.name(of: clinic, context)] + clinic.address(in: language).lines(in: language)
    return facts.list([
      ("booking.child", try booking.details(by: context.keys).child.shown(context)),
      ("appointment.when", facts.when),
      ("booking.doctor", "<bdi>\(try placement.doctor.name.shown(context))</bdi>"),
      ("booking.department", facts.specialization),
      ("booking.clinic", "<bdi>\(lines.joined(separator: "\n"))</bdi>"),
      ("appointment.phone", AppointmentFacts.phone(clinic.phone)),
    ])
  }
}
