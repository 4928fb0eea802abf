import PolyclinicCore

/// What lies in days on which nobody is there any longer, and what becomes of it in one step.
enum DisplacedPages {
  /// Why appointments are cancelled, as each patient reads it.
  struct Reason: Sendable {
    var reason = ""

    static let form = Form(
      Reason(),
      .lines(
        \.reason, "cancellation_reason", limit: 1_000, hint: "field.cancellation_reason.hint"))
  }

  static func show(_ context: Context) throws -> Response {
    let page = try context.database.read { connection in
      let (run, zone) = try ExceptionPages.find(context, on: connection)
      let displaced = try Displaced.by(run, in: zone, at: context.now, on: connection)
      let names = try displaced.doctors(on: connection)
      return DisplacedView(
        run: run, zone: zone, displaced: displaced, doctors: names, context: context
      ).page
    }
    return .page(page)
  }

  static func cancelQuestion(_ context: Context) throws -> HTML {
    try question("admin.displaced.cancel.question", context)
  }

  static func cancel(
    _ reason: Reason, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let (run, zone) = try ExceptionPages.find(context, on: connection)
    try Displaced.by(run, in: zone, at: context.now, on: connection)
      .cancel(because: reason.reason, context, on: connection)
    return "admin/exceptions/\(run.id)"
  }

  static func moveQuestion(_ context: Context) throws -> HTML {
    try question("admin.displaced.move.question", context)
  }

  private static func question(_ about: Text, _ context: Context) throws -> HTML {
    let count = try context.database.read { connection in
      let (run, zone) = try ExceptionPages.find(context, on: connection)
      return try Displaced.by(run, in: zone, at: context.now, on: connection).bookings.count
    }
    return """
      <p>\(context.text("admin.displaced.count", count: count))</p>\
      <p>\(context.text(about))</p>
      """
  }

  static func move(_ context: Context, _ connection: Connection) throws -> Path {
    let (run, zone) = try ExceptionPages.find(context, on: connection)
    try Displaced.by(run, in: zone, at: context.now, on: connection)
      .move(context, on: connection)
    return "admin/exceptions/\(run.id)"
  }
}
