import PolyclinicCore

/// What the home page tells of the appointments ahead. Those of today and tomorrow are due, because
/// people prepare the day before. The card has those after them; the first is in large letters if it
/// is the next one.
struct NextAppointmentCard {
  private let entry: Agenda.Entry
  private let context: Context

  /// Returns the card; nil without an appointment that is not due yet.
  static func card(_ context: Context, _ due: inout [HTML]) throws -> HTML? {
    let entries = try Agenda(.upcoming, page: 1, in: context).entries
    // A guardian plans for somebody else's appointments a week ahead.
    let horizon = context.visitor?.inCare == nil ? 1 : 7
    let near = entries.prefix { $0.daysAhead(context) <= horizon }
    due += try near.map { try Self(entry: $0, context: context).row }
    let later = entries.dropFirst(near.count)
    guard let first = later.first else { return nil }
    let rest = later.dropFirst(near.isEmpty ? 1 : 0).prefix(2)
    let others: HTML? =
      rest.isEmpty ? nil : "<ul>\(try rest.map { try $0.row(in: .upcoming, context) })</ul>"
    let large = near.isEmpty ? try Self(entry: first, context: context).html : nil
    return "\(large)\(others)\(context.moreLink("next.all", to: AppointmentList.path))"
  }

  /// The appointment among what is due.
  private var row: HTML {
    get throws {
      let actions = try actions
      return .row(
        "<a href=\"\(entry.path)\">\(try entry.title(context))</a>",
        mark: context.badge(nearness, .now), detail: try entry.place(context),
        lead: context.icon(.calendarCheck), kind: Icon.Kind("appointments", .calendarCheck),
        actions: actions.move, actions.way)
    }
  }

  private var html: HTML {
    get throws {
      let actions = try actions
      return """
        <p class="figure">\(context.text(nearness))</p>\
        <p><a href="\(entry.path)"><strong>\(try entry.title(context))</strong></a><br>\
        \(try entry.place(context))</p>\
        \(actions: actions.move, actions.way, actions.cancel)
        """
    }
  }

  /// “today”, “tomorrow” or “in 10 days”, by the local time of the appointment.
  private var nearness: Text {
    let days = entry.daysAhead(context)
    return switch days {
    case ...0: "next.today"
    case 1: "next.tomorrow"
    default: Text("next.in-days", count: days)
    }
  }

  /// The buttons to move and to cancel, while the patient can, and the way to the clinic.
  private var actions: (move: HTML?, way: HTML?, cancel: HTML?) {
    get throws {
      guard case .booking(let booking, let place) = entry.kind else { return (nil, nil, nil) }
      let way = place.coordinates.flatMap(OutsideLink.directions(to:)).map {
        context.button("next.directions", to: $0, style: [.secondary, .small])
      }
      guard try booking.reasonAgainstChange(context) == nil else { return (nil, way, nil) }
      return (
        context.button(
          "appointment.move", to: RescheduleForm.path(booking.id), style: [.secondary, .small]),
        way,
        context.button(
          "next.cancel", to: CancelForm.path(booking.id), style: [.plain, .danger, .small])
      )
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
