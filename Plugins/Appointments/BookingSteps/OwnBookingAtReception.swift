import PolyclinicCore

/// A booking that a receptionist or a doctor makes for themselves.
///
/// Staff reach a free time by the same public pages as patients, but book nearly always for
/// somebody else. Therefore the last page of a booking leads receptionists of the clinic to the
/// search for the patient, unless they choose "for myself". It names all other staff, and refuses
/// doctors who would book with themselves.
enum OwnBookingAtReception {
  private static let field = "for"
  private static let myself = "myself"

  /// Returns the last page of a booking that is for the receptionist.
  static func link(to chosen: Fields) -> Path {
    var query = chosen
    query.append(field, myself)
    return Path("/appointments/new").query(query)
  }

  /// True if the visitor works at the reception of the requested doctor and has not said for whom
  /// they book.
  static func asksForWhom(_ context: Context) throws -> Bool {
    guard isReceptionist(context), context.request.query[field] != myself else { return false }
    return try isAtReception(context)
  }

  /// Leads to the search for the patient, with the doctor and the time kept.
  static func leadToSearch(_ context: Context) -> Response {
    .redirect(to: search(context))
  }

  private static func search(_ context: Context) -> Path {
    var query = RequestedTime.chosen(in: RequestedTime.fields(context))
    query.append("search", "1")
    return Path("/appointments/desk/book").query(query)
  }

  /// Returns the notice that a member of staff books for themselves, at their own reception with
  /// the link to book for a patient; nil for other visitors.
  static func notice(_ context: Context) throws -> HTML? {
    guard isStaff(context) else { return nil }
    let name = ["name": try context.signedIn().name]
    let way: HTML? =
      try isAtReception(context)
      ? context.button("reception.book", to: search(context), style: [.secondary, .small])
      : isReceptionist(context) ? "<p>\(context.text("reception.own-booking.elsewhere"))</p>" : nil
    return .notice(
      .remark, "<p>\(context.text("reception.own-booking", name))</p>\(way)", as: .warning)
  }

  /// Returns the sentence that names a member of staff who has booked for themselves; nil for other
  /// visitors.
  static func booked(_ context: Context) throws -> HTML? {
    guard isStaff(context) else { return nil }
    return "<p>\(context.text("reception.own-booked", ["name": try context.signedIn().name]))</p>"
  }

  /// True if patients' offers, such as alerts, do not concern the visitor: the reception of the
  /// doctor, and the doctor.
  static func isForOthers(_ doctor: ID<Doctor>, _ context: Context) throws -> Bool {
    guard isStaff(context) else { return false }
    return try works(for: doctor, context)
      || isThemselves(doctor, context)
  }

  private static func isStaff(_ context: Context) -> Bool {
    isReceptionist(context) || isDoctor(context)
  }

  private static func isReceptionist(_ context: Context) -> Bool {
    context.visitor?.roles.contains(.receptionist) == true
  }

  private static func isDoctor(_ context: Context) -> Bool {
    context.visitor?.roles.contains(.doctor) == true
  }

  private static func isAtReception(_ context: Context) throws -> Bool {
    guard let doctor = ID<Doctor>(RequestedTime.fields(context)["doctor"]) else { return false }
    return try works(for: doctor, context)
  }

  private static func works(
    for doctor: ID<Doctor>, _ context: Context
  ) throws -> Bool {
    guard let visitor = context.visitor, isReceptionist(context) else { return false }
    return try Receptionist.works(visitor.person, for: doctor, in: context)
  }
}

/// Doctors who would book with themselves.
extension OwnBookingAtReception {
  /// Throws ``Refusal/conflict(_:)`` if the visitor is this doctor.
  static func checkIsAnother(
    _ doctor: ID<Doctor>, _ context: Context
  ) throws {
    if try isThemselves(doctor, context) {
      throw Refusal.conflict("booking.own-times")
    }
  }

  /// True if the visitor is the doctor whom the query names.
  static func isWithThemselves(_ context: Context) throws -> Bool {
    guard isDoctor(context), let doctor = ID<Doctor>(context.request.query["doctor"]) else {
      return false
    }
    return try isThemselves(doctor, context)
  }

  /// Leads doctors who would book with themselves to their day, where they book for patients.
  static func leadToDay(_ context: Context) -> Response {
    .page(
      Page(
        "booking.title",
        context.notice(
          .remark, "booking.own-times", as: .warning,
          action: context.button(
            "day.card.more", to: "/appointments/day", style: [.secondary, .small])),
        back: BookingRequest.times(context.request.query)))
  }

  private static func isThemselves(
    _ doctor: ID<Doctor>, _ context: Context
  ) throws -> Bool {
    guard let visitor = context.visitor, isDoctor(context) else { return false }
    return try Doctor.of(visitor.person, in: context)?.id == doctor
  }
}
