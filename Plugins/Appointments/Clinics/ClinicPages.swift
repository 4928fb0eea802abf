import PolyclinicCore

/// The clinics, as an administrator keeps them.
enum ClinicPages {
  static func list(_ context: Context) throws -> Response {
    let clinics = try context.database.read(Clinic.all)
    return .page(ClinicList(clinics: clinics, context: context).page)
  }

  static func show(_ context: Context) throws -> Response {
    let details = try context.database.read { connection in
      let clinic = try find(context, on: connection)
      return ClinicDetails(
        clinic: clinic, departments: try Department.all(of: clinic.id, on: connection),
        closedDays: try ExceptionRun.upcoming(
          of: .clinic(clinic.id), in: clinic.zone, context, on: connection),
        booked: try Booked.at(clinic.id, after: context.now, on: connection),
        displaced: try DisplacedPages.ofClinic.find(context, connection),
        isInUse: try Clinic.isInUse(clinic.id, on: connection), context: context)
    }
    return .page(details.page)
  }

  /// A new clinic is most often where the portal's own clocks are.
  static func blank(_ context: Context) -> ClinicDraft {
    var draft = ClinicDraft()
    draft.zone = context.portal.clinic.zone.identifier
    return draft
  }

  static func load(_ context: Context) throws -> ClinicDraft {
    ClinicDraft(try context.database.read { try find(context, on: $0) })
  }

  static func create(
    _ draft: ClinicDraft, _ context: Context, _ connection: Connection
  ) throws -> Path {
    "admin/clinics/\(try draft.insert(on: connection))"
  }

  static func update(
    _ draft: ClinicDraft, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let id: ID<Clinic> = try context.id()
    try draft.update(id, at: context.now, on: connection)
    return try DisplacedPages.ofClinic.find(context, connection).next
  }

  static func closeQuestion(_ context: Context) throws -> HTML {
    try context.database.read { connection in
      let clinic = try find(context, on: connection)
      let booked = try Booked.at(clinic.id, after: context.now, on: connection)
      return """
        <p>\(context.text("admin.clinic.close.question", ["name": clinic.name.string(in: context.language)]))</p>\
        \(booked.sentence(in: clinic.zone, context))\
        <p class="hint">\(context.text("admin.close.hint"))</p>
        """
    }
  }

  static func close(_ context: Context, _ connection: Connection) throws -> Path {
    let clinic = try find(context, on: connection)
    try Clinic.close(clinic.id, at: context.now, on: connection)
    return "admin/clinics/\(clinic.id)"
  }

  static func reopen(_ context: Context) throws -> Response {
    let clinic = try context.database.write { connection in
      let clinic = try find(context, on: connection)
      try Clinic.reopen(clinic.id, on: connection)
      return clinic.id
    }
    return .redirect(to: "admin/clinics/\(clinic)")
  }

  static func deleteQuestion(_ context: Context) throws -> HTML {
    try context.database.read { connection in
      let clinic = try find(context, on: connection)
      let booked = try Booked.at(clinic.id, after: context.now, on: connection)
      return """
        <p>\(context.text("admin.clinic.delete.question", ["name": clinic.name.string(in: context.language)]))</p>\
        \(booked.obstacle(
          in: clinic.zone, instead: "admin.close",
          at: clinic.closedAt == nil
            ? "/appointments/admin/clinics/\(clinic.id)/close" : nil, context))
        """
    }
  }

  static func delete(_ context: Context, _ connection: Connection) throws -> Path {
    try Clinic.delete(find(context, on: connection).id, on: connection)
    return "admin/clinics"
  }

  /// The clinic that the `{id}` of the path names.
  static func find(_ context: Context, on connection: Connection) throws -> Clinic {
    guard let clinic = try Clinic.find(context.id(), on: connection) else {
      throw Refusal.notFound
    }
    return clinic
  }
}
