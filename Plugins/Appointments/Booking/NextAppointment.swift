import PolyclinicCore

/// An appointment under “What is next” of the home page.
struct NextAppointment {
  private let entry: Agenda.Entry
  private let context: Context

  /// Appends the next appointment to what is due, and all those of today and tomorrow, because
  /// people prepare the day before. The last of them tells when the others are. Returns no card.
  static func due(_ context: Context, _ due: inout [HTML]) throws -> HTML? {
    let agenda = try Agenda(.upcoming, page: 1, in: context)
    // A guardian plans for somebody else's appointments a week ahead.
    let horizon = context.visitor?.inCare == nil ? 1 : 7
    let near = agenda.entries.prefix { $0.daysAhead(context) <= horizon }
    let shown = agenda.entries.prefix(max(1, near.count))
    let rest = agenda.entries.dropFirst(shown.count)
    let later = try later(rest.first, more: agenda.pagination.total - shown.count - 1, context)
    due += try shown.enumerated().map { place, entry in
      try Self(entry: entry, context: context)
        .row(isFirst: place == 0, place == shown.count - 1 ? later : nil)
    }
    return nil
  }

  /// Returns the time of the first appointment that is not shown, and how many `more` there are; nil
  /// without one.
  private static func later(
    _ first: Agenda.Entry?, more: Int, _ context: Context
  ) throws -> HTML? {
    guard let first else { return nil }
    let others: HTML? =
      more > 0
      ? " <a href=\"\(AppointmentList.path)\">\(context.text("next.more", count: more))</a>" : nil
    return """
      <span class="secondary-text later"><a href="\(first.path)">\
      \(context.text("next.later")): \(try first.title(context))</a>\(others)</span>
      """
  }

  /// Returns the row, which is larger if it is the first: the tile of the day, the time, and where
  /// and with whom.
  private func row(isFirst: Bool, _ later: HTML?) throws -> HTML {
    let kind = Icon.Kind("appointments", .calendarCheck)
    let near = entry.nearness(context)
    let title = try near.map { try entry.title(after: $0, context) } ?? entry.title(context)
    let mark: HTML? =
      near == nil
      ? " \(context.badge(Text("next.in-days", count: entry.daysAhead(context)), .neutral))" : nil
    return .row(
      content: """
        <span class="with-date\(attribute: " first", if: isFirst)\(kind.style)">\
        \(entry.tile(context))\
        <span><strong><a href="\(entry.path)">\(title)</a></strong>\(mark)\
        \(each: try entry.places(context), { "<span class=\"secondary-text\">\($0)</span>" })\
        \(later)</span></span>
        """,
      actions: try entry.nextSteps(context))
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
