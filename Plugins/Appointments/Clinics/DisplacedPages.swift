import PolyclinicCore

/// What lies where nobody works any longer, and what becomes of it in one step.
struct DisplacedPages: Sendable {
  /// What the `{id}` of the path names.
  let find: @Sendable (Context, Connection) throws -> Displaced

  /// Days off of a doctor or of a clinic.
  static let ofDaysOff = DisplacedPages { context, connection in
    let (run, zone) = try ExceptionPages.find(context, on: connection)
    return try Displaced.by(run, in: zone, at: context.now, on: connection)
  }

  /// A doctor's hours as they are now.
  static let ofDoctor = DisplacedPages { context, connection in
    let (doctor, _, clinic) = try DoctorPages.find(context, on: connection)
    return try Displaced.byHours(
      of: .doctor(doctor.id), in: clinic.zone, at: context.now, on: connection)
  }

  /// The hours of all doctors of a clinic as they are now, by its clocks.
  static let ofClinic = DisplacedPages { context, connection in
    let clinic = try ClinicPages.find(context, on: connection)
    return try Displaced.byHours(
      of: .clinic(clinic.id), in: clinic.zone, at: context.now, on: connection)
  }

  /// Why appointments are cancelled, as each patient reads it.
  struct Reason: Sendable {
    var reason = ""

    static let form = Form(
      Reason(),
      .lines(
        \.reason, "cancellation_reason", limit: 1_000, hint: "field.cancellation_reason.hint"))
  }

  func cancelling(at path: StaticString, page: Path, access: Access) -> Route {
    .confirm(
      path, Reason.form, title: "admin.displaced.cancel.title",
      question: { try question("admin.displaced.cancel.question", $0) },
      yes: "admin.displaced.cancel.yes", cancel: page, access: access,
      save: { reason, context, connection in
        let displaced = try shown(context, connection)
        try displaced.cancel(because: reason.reason, context, on: connection)
        return displaced.page
      })
  }

  func moving(at path: StaticString, page: Path, access: Access) -> Route {
    .confirm(
      path, title: "admin.displaced.move.title",
      question: { try question("admin.displaced.move.question", $0) },
      yes: "admin.displaced.move.yes", cancel: page, access: access,
      save: { context, connection in
        let displaced = try shown(context, connection)
        try displaced.move(context, on: connection)
        return displaced.page
      })
  }

  /// What lies outside hours, and nothing besides.
  @Sendable
  func show(_ context: Context) throws -> Response {
    let view = try context.database.read { connection in
      try DisplacedView(find(context, connection), context, on: connection)
    }
    return .page(
      Page(
        "admin.outside.title", view.content(empty: "admin.outside.none"),
        back: view.displaced.back))
  }

  /// What the question was about; throws ``Refusal/conflict(_:)`` where other bookings lie there now, since
  /// hours were changed again, say.
  private func shown(_ context: Context, _ connection: Connection) throws -> Displaced {
    let displaced = try find(context, connection)
    guard context.request.fields[Self.field] == displaced.fingerprint else {
      throw Refusal.conflict("admin.displaced.changed")
    }
    return displaced
  }

  private static let field = "bookings"

  private func question(_ about: Text, _ context: Context) throws -> HTML {
    let displaced = try context.database.read { try find(context, $0) }
    return """
      <p>\(context.text(displaced.count))</p>\
      <p>\(context.text(about))</p>\
      <input type="hidden" name="\(Self.field)" value="\(displaced.fingerprint)">
      """
  }
}
