import PolyclinicCore

/// The form with which the reception corrects the details of a patient without an account.
struct PatientCorrection: RoutedForm {
  static let address: Address<ID<Person>> = "/appointments/desk/patients/{id}/edit"
  static let access = Access.role(.receptionist)
  static let title: Text = "reception.correct.title"
  static let cancel = ReceptionDay.path
  static let preparesOnce = true
  static let isVersioned = true
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
  static var route: Route { Route(Self.self).keeping("appointment").marking(cancel) }

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

  /// The stored details.
  let start: Portal.Newcomer
  private let person: ID<Person>
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    person = try Self.address.value(in: context)
    let entered = try context.portal.people.entered(person, for: .reception, in: context)
    guard let entered else { throw Refusal.notFound }
    start = entered
  }

  /// Returns the page from which the form was opened: that of an appointment, or of the booking for
  /// the patient.
  static func origin(_ context: Context) throws -> Path? {
    try appointment(context).map { StaffAppointmentPage.path($0) }
      ?? ReceptionBooking.path.query(
        SealedSearchValue.query(of: address.value(in: context), context))
  }

  /// Returns the patient's appointment from whose page the form was opened; nil if it was opened
  /// elsewhere.
  private static func appointment(_ context: Context) throws -> ID<Appointment>? {
    guard let id = ID<Appointment>(context.choices["appointment"]) else { return nil }
    let person = try address.value(in: context)
    return try Booking.find(id, of: person, in: context)?.id
  }

  /// The patients who may be the same, after an entry in the patient's access log, and the question
  /// about the birth date.
  var about: HTML? {
    get throws {
      _ = try PatientSearch.told([person], context)
      let hidden: HTML? = try Self.appointment(context).map {
        "<input type=\"hidden\" name=\"appointment\" value=\"\($0)\">"
      }
      return """
        \(hidden)\(try KnownPatients(corrected: person, context: context).notice())\
        \(try BirthDateQuestion(person: person, context: context).notice())
        """
    }
  }

  func prepare(_ details: inout Portal.Newcomer, in context: Context) throws {
    try KnownPatients(corrected: person, context: context).check(
      details, saying: "reception.correct.known")
  }

  func save(_ details: Portal.Newcomer, in context: Context) throws -> Redirect {
    try BirthDateQuestion(person: person, context: context).requireConfirmed(details)
    try context.portal.people.correct(person, to: details, for: .reception, in: context)
    return Redirect(to: try Self.origin(context) ?? Self.cancel)
  }
}

/// Links to the form.
extension PatientCorrection {
  /// Returns the link to the form; nil for a patient with an account, and for a patient without an
  /// appointment at the visitor's reception.
  static func link(for person: ID<Person>, _ context: Context) throws -> HTML? {
    let entered = try context.portal.people.entered(person, for: .reception, in: context)
    if entered == nil { return nil }
    return context.button("reception.correct", to: path(person), style: [.secondary, .small])
  }

  /// Returns the path of the form, which leads back to the appointment.
  static func path(from booking: Booking) -> Path {
    path(booking.patient).query(["appointment": booking.id.description])
  }
}
