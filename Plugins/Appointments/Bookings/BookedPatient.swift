import PolyclinicCore

/// The patient of a booking, as staff sees them.
struct BookedPatient {
  let name: String
  let account: Account

  /// The patient's account, without which the portal cannot notify the patient.
  enum Account {
    case some
    /// The patient has no account, so notices would have no reader. `phone` was entered at the reception; it may be empty.
    case none(phone: String)
  }

  /// Returns the patient who owns these keys.
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
  /// The patient's name, as the heading of a form about the appointment.
  var heading: HTML { "<p class=\"lead\"><bdi>\(name)</bdi></p>" }

  /// Returns `text`, which says that the patient is notified. For a patient without an account it asks staff
  /// to call, or says that no phone number is known.
  func notice(_ text: Text, _ context: Context) -> HTML {
    guard case .none(let phone) = account else { return "<p>\(context.text(text))</p>" }
    guard let number = AppointmentFacts.phone(phone) else {
      return "<p>\(context.text("desk.untold.no-phone"))</p>"
    }
    return "<p>\(context.text("desk.untold")) \(number)</p>"
  }
}

extension BookedPatient {
  /// Returns the patient of a booking; nil if the visitor may not see it any more. Needs a write transaction,
  /// because reading the patient's name adds an entry to their access log.
  static func find(
    of booking: Booking, for staff: Booking.Staff, _ context: Context, on connection: Connection
  ) throws -> BookedPatient? {
    guard booking.isVisible(for: staff.reason, at: context.now) else { return nil }
    let keys = try context.keys(of: [booking.patient], for: staff.reason, on: connection)
    return try keys[booking.patient].map {
      try find(by: $0, context, on: connection)
    }
  }
}
