import PolyclinicCore

/// The patient of a booking, as staff sees them.
struct BookedPatient {
  let name: String
  /// False if the portal cannot notify the patient, because notices would have no reader.
  let hasAccount: Bool
  /// The telephone number from the profile, or as entered at the reception; empty if unknown.
  let phone: String

  /// Returns the patient who owns these keys.
  static func find(_ context: Context, in work: Work) throws -> BookedPatient {
    let people = context.portal.people
    let language = try people.language(of: work.keys.person, in: context)
    return try BookedPatient(people, hasAccount: language != nil, in: work)
  }

  private init(
    _ people: any Portal.PeopleDirectory, hasAccount: Bool, in work: Work
  ) throws {
    name = try people.name(in: work) ?? ""
    self.hasAccount = hasAccount
    phone = try people.phone(in: work) ?? ""
  }
}

extension BookedPatient {
  /// The patient's name, as the heading of a form about the appointment.
  var heading: HTML { "<p class=\"lead\"><bdi>\(name)</bdi></p>" }

  /// Returns `text`, which says that the patient is notified. If no e-mail reaches the patient, it
  /// asks staff to call, or says that no phone number is known.
  func notice(_ text: Text, _ context: Context) -> HTML {
    guard hasAccount else {
      return "<p>\(call("reception.untold", or: "reception.untold.no-phone", context))</p>"
    }
    if context.portal.sendsMail { return "<p>\(context.text(text))</p>" }
    return """
      <p>\(context.text(text)) \(call("reception.unread", or: "reception.unread.no-phone", context))</p>
      """
  }

  /// Returns the request to call the patient's number, or `unknown` without a number.
  private func call(_ request: Text, or unknown: Text, _ context: Context) -> HTML {
    guard let number = AppointmentFacts.phone(phone) else { return "\(context.text(unknown))" }
    return "\(context.text(request)) \(number)"
  }
}

extension BookedPatient {
  /// Returns those people whom the portal cannot notify, because they have no account.
  static func withoutAccount(
    _ people: [ID<Person>], _ context: Context
  ) throws -> Set<ID<Person>> {
    let languages = try context.portal.people.languages(of: people, in: context)
    return Set(people).filter { languages[$0] == nil }
  }

  /// Returns the patients among people without an account. Needs a write transaction, because it
  /// adds an entry to each one's access log.
  static func untold(
    _ people: Set<ID<Person>>, for reason: AccessReason, _ context: Context
  ) throws -> [ID<Person>: BookedPatient] {
    if people.isEmpty { return [:] }
    return try context.of(
      people.sorted(), for: reason, reading: "log.viewed.phone"
    ).mapValues {
      try BookedPatient(context.portal.people, hasAccount: false, in: $0)
    }
  }

  /// Returns the row of a patient whom staff has to tell, with `detail` and the telephone number.
  func row(_ detail: String, _ context: Context) -> HTML {
    let phone = AppointmentFacts.phone(phone) ?? "\(context.text("reception.no-phone"))"
    return .row("<bdi>\(name)</bdi>", detail: "\(detail) · \(phone)")
  }

  /// Returns the patient of a booking; nil if the visitor may not see it any more. Needs a write
  /// transaction, because reading the patient's name adds an entry to their access log.
  static func find(
    of booking: Booking, for staff: Booking.Staff, _ context: Context
  ) throws -> BookedPatient? {
    guard booking.isVisible(for: staff.reason, at: context.now) else { return nil }
    return try staff.work(on: booking.patient, context).map { try find(context, in: $0) }
  }
}
