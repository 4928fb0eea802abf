import PolyclinicCore

/// Whose booking it is, as those read it who work for the patient.
struct BookedPatient {
  let name: String
  let account: Account

  /// Whether the patient can be told anything here.
  enum Account {
    case some
    /// Nobody reads what the portal would tell: there is the phone that was entered at the desk, if any.
    case none(phone: String)
  }

  /// The person whose keys these are.
  static func find(
    by keys: Keys, _ context: Context, on connection: Connection
  ) throws -> BookedPatient {
    let people = context.portal.people
    let hasAccount = try people.language(of: keys.person, on: connection) != nil
    return BookedPatient(
      name: try people.name(by: keys, on: connection) ?? "",
      account: hasAccount
        ? .some : .none(phone: try people.phone(by: keys, on: connection) ?? ""))
  }
}

extension BookedPatient {
  /// The name, above what is said of the appointment.
  var heading: HTML { "<p class=\"lead\"><bdi>\(name)</bdi></p>" }

  /// That the patient is told, or that somebody has to call.
  func telling(_ told: Text, _ context: Context) -> HTML {
    guard case .none(let phone) = account else { return "<p>\(context.text(told))</p>" }
    guard let number = AppointmentFacts.phone(phone) else {
      return "<p>\(context.text("desk.untold.no-phone"))</p>"
    }
    return "<p>\(context.text("desk.untold")) \(number)</p>"
  }
}

extension AppointmentsModule {
  /// Whose booking it is; nil where it does not concern the visitor any more. For a `write`: the patient
  /// reads of the look.
  func patient(
    of booking: Booking, for staff: Booking.Staff, _ context: Context, on connection: Connection
  ) throws -> BookedPatient? {
    guard booking.concerns(staff.reason, at: context.now) else { return nil }
    let keys = try context.keys(of: [booking.patient], for: staff.reason, on: connection)
    return try keys[booking.patient].map {
      try BookedPatient.find(by: $0, context, on: connection)
    }
  }
}
