import PolyclinicCore

/// The page on which the reception corrects the details of a patient without an account.
enum PatientCorrection {
  /// The details that the reception enters.
  static let form = Form(
    Portal.Newcomer(),
    .text(\.name, "name", required: true, limit: 100, autocomplete: "off")
      .labelled("reception.name"),
    .text(\.surname, "surname", limit: 100, autocomplete: "off")
      .labelled("reception.surname"),
    .telephone(\.phone, "phone", autocomplete: "off", hint: "reception.phone.hint")
      .labelled("reception.phone"),
    .date(\.birthDate, "birth_date", autocomplete: "off").labelled("reception.birth-date")
  ).doubting("phone") { isIncomplete($0.phone) ? "doubt.phone" : nil }

  /// True if the telephone number is more likely one with missing or surplus digits.
  ///
  /// E.164 allows 15 digits. With a country code, or with the 0 before an area code, most numbers
  /// have 9 or more.
  static func isIncomplete(_ phone: String) -> Bool {
    let digits = phone.count(where: \.isNumber)
    if digits == 0 { return false }
    let first = phone.first { $0.isNumber || $0 == "+" }
    return !((first == "+" || first == "0" ? 9 : 7)...15).contains(digits)
  }

  static let route = Route.form(
    "desk/patients/{id}/edit", form, title: "reception.correct.title", cancel: "desk",
    access: .role(.receptionist), origin: back, load: load, about: about,
    prepare: {
      try KnownPatients.check($0, besides: $1.id(), saying: "reception.correct.known", $1)
    }, save: save
  ).keeping("appointment").marking("desk")

  /// Returns the patients who may be the same, after an entry in the patient's access log.
  private static func about(_ context: Context) throws -> HTML? {
    let person: ID<Person> = try context.id()
    _ = try context.write {
      try context.portal.people.found(person, for: .reception, in: $0)
    }
    let hidden: HTML? = try origin(context).map {
      "<input type=\"hidden\" name=\"appointment\" value=\"\($0)\">"
    }
    return "\(hidden)\(try KnownPatients.notice(besides: person, context))"
  }

  /// Returns the page from which the form was opened: that of an appointment, or of the booking for
  /// the patient.
  private static func back(_ context: Context) throws -> Path {
    try origin(context).map { "\($0)" }
      ?? PatientSearchPage.path.query(SealedSearchValue.query(of: context.id(), context))
  }

  /// Returns the patient's appointment from whose page the form was opened; nil if it was opened
  /// elsewhere.
  private static func origin(_ context: Context) throws -> ID<Appointment>? {
    guard let id = ID<Appointment>(context.choices["appointment"]) else { return nil }
    let person: ID<Person> = try context.id()
    let booking = try Booking.find(id, in: context)
    return booking?.patient == person ? id : nil
  }

  /// Returns the link to the form; nil for a patient with an account, and for a patient without an
  /// appointment at the visitor's reception.
  static func link(for person: ID<Person>, _ context: Context) throws -> HTML? {
    let entered = try context.portal.people.entered(person, for: .reception, in: context)
    if entered == nil { return nil }
    return context.button("reception.correct", to: path(of: person), style: [.secondary, .small])
  }

  private static func path(of person: ID<Person>) -> Path {
    "/appointments/desk/patients/\(person)/edit"
  }

  /// Returns the path of the form, which leads back to the appointment.
  static func path(from booking: Booking) -> Path {
    path(of: booking.patient).query(["appointment": booking.id.description])
  }

  private static func load(_ context: Context) throws -> Portal.Newcomer {
    let person: ID<Person> = try context.id()
    let entered = try context.portal.people.entered(person, for: .reception, in: context)
    guard let entered else { throw Refusal.notFound }
    return entered
  }

  private static func save(
    _ details: Portal.Newcomer, _ context: Context
  ) throws -> Path {
    let person: ID<Person> = try context.id()
    try context.portal.people.correct(
      person, to: details, for: .reception, in: context)
    return try back(context)
  }
}
