import PolyclinicCore

/// The days on which a doctor's or a clinic's hours differ.
enum ExceptionPages {
  static func blankForDoctor(_ context: Context) throws -> ExceptionDraft {
    _ = try context.database.read { try DoctorPages.find(context, on: $0) }
    return ExceptionDraft()
  }

  static func blankForClinic(_ context: Context) throws -> ExceptionDraft {
    _ = try context.database.read { try ClinicPages.find(context, on: $0) }
    return ExceptionDraft()
  }

  static func createForDoctor(
    _ draft: ExceptionDraft, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let (doctor, _, clinic) = try DoctorPages.find(context, on: connection)
    let id = try draft.insert(
      of: .doctor(doctor.id), in: clinic.zone, at: context.now, on: connection)
    return try displaced(by: id, context, connection).next
  }

  static func createForClinic(
    _ draft: ExceptionDraft, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let clinic = try ClinicPages.find(context, on: connection)
    let id = try draft.insert(
      of: .clinic(clinic.id), in: clinic.zone, at: context.now, on: connection)
    return try displaced(by: id, context, connection).next
  }

  /// Days on which hours differ, with what is booked in them.
  static func show(_ context: Context) throws -> Response {
    let (run, view) = try context.database.read { connection in
      let (run, zone) = try find(context, on: connection)
      let displaced = try Displaced.by(run, in: zone, at: context.now, on: connection)
      return (run, try DisplacedView(displaced, context, on: connection))
    }
    let heading: HTML? =
      view.displaced.bookings.isEmpty
      ? nil : "<h2>\(context.text("admin.displaced.title"))</h2>"
    return .page(
      Page(
        "admin.exception.title",
        """
        <dl class="details"><div><dt>\(context.text("admin.exception.days"))</dt>\
        <dd>\(ExceptionViews.days(of: run, context))</dd></div>\
        <div><dt>\(context.text(Text("exception.\(run.kind.rawValue)")))</dt>\
        <dd>\(ExceptionViews.time(of: run, context))</dd></div></dl>\
        \(heading)\(view.content(empty: "admin.displaced.none"))\
        <p class="actions"><a class="button danger secondary" \
        href="/appointments/admin/exceptions/\(run.id)/delete">\
        \(context.text("admin.exception.delete"))</a></p>
        """,
        back: run.owner.page))
  }

  static func deleteQuestion(_ context: Context) throws -> HTML {
    let (run, zone) = try context.database.read { try find(context, on: $0) }
    return """
      <p>\(context.text("admin.exception.delete.question"))</p>\
      <p><strong>\(ExceptionViews.days(of: run, context))</strong> \
      \(ExceptionViews.time(of: run, context))</p>\
      <p class="hint">\(context.text("admin.hours.zone", ["zone": zone.identifier]))</p>
      """
  }

  static func delete(_ context: Context, _ connection: Connection) throws -> Path {
    let (run, _) = try find(context, on: connection)
    try run.delete(at: context.now, on: connection)
    return run.owner.page
  }

  /// The run that the `{id}` of the path names, and the clocks by which its days are told.
  static func find(
    _ context: Context, on connection: Connection
  ) throws -> (ExceptionRun, Zone) {
    try find(context.id(), on: connection)
  }

  private static func find(
    _ id: ID<ExceptionRun>, on connection: Connection
  ) throws -> (ExceptionRun, Zone) {
    guard let run = try ExceptionRun.find(id, on: connection) else { throw Refusal.notFound }
    return (run, try zone(of: run.owner, on: connection))
  }

  /// What is booked in days that were entered just now.
  private static func displaced(
    by id: ID<ExceptionRun>, _ context: Context, _ connection: Connection
  ) throws -> Displaced {
    let (run, zone) = try find(id, on: connection)
    return try Displaced.by(run, in: zone, at: context.now, on: connection)
  }

  private static func zone(
    of owner: ExceptionRun.Owner, on connection: Connection
  ) throws -> Zone {
    let clinic: Clinic?
    switch owner {
    case .clinic(let id): clinic = try Clinic.find(id, on: connection)
    case .doctor(let id):
      let department = try Doctor.find(id, on: connection).flatMap {
        try Department.find($0.department, on: connection)
      }
      clinic = try department.flatMap { try Clinic.find($0.clinic, on: connection) }
    }
    guard let clinic else { throw Refusal.notFound }
    return clinic.zone
  }
}
