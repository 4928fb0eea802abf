import PolyclinicCore

/// The administrator's pages for clinics.
enum ClinicAdministration {
  static func list(_ context: Context) throws -> Response {
    let clinics = try context.database.read(Clinic.all)
    return .page(ClinicList(clinics: clinics, context: context).page)
  }

  static func show(_ context: Context) throws -> Response {
    let details = try context.database.read { connection in
      let clinic = try Clinic.inPath(context, on: connection)
      return ClinicAdministrationPage(
        clinic: clinic, departments: try Department.all(of: clinic.id, on: connection),
        closedDays: try SpecialHours.upcoming(
          of: .clinic(clinic.id), in: clinic.zone, context, on: connection),
        booked: try OpenBookings.at(clinic.id, after: context.now, on: connection),
        outsideHours: try BookingsOutsideHoursPages.ofClinic.find(context, connection),
        isInUse: try Clinic.isInUse(clinic.id, on: connection), context: context)
    }
    return .page(details.page)
  }

  /// Returns an empty draft with the time zone of the portal or else of another clinic, because most new clinics are
  /// there. A portal in UTC was given no time zone, so that the form asks for it.
  static func blank(_ context: Context) throws -> ClinicDraft {
    var draft = ClinicDraft()
    let zone = context.portal.clinic.zone
    let isProgram =
      context.request.method == .post && !context.request.fields.contains("time_zone")
    if isProgram || ![.utc, Zone("Etc/UTC")].contains(zone) {
      draft.zone = zone.identifier
    } else {
      let others = try context.database.read(Clinic.all)
      draft.zone = others.first?.zone.identifier ?? ""
    }
    return draft
  }

  static func load(_ context: Context) throws -> ClinicDraft {
    ClinicDraft(try context.database.read { try Clinic.inPath(context, on: $0) })
  }

  static func create(
    _ draft: ClinicDraft, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let draft = try draft.placed(by: context.portal.gazetteer)
    return "admin/clinics/\(try draft.insert(on: connection))"
  }

  static func update(
    _ draft: ClinicDraft, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let id: ID<Clinic> = try context.id()
    try draft.placed(by: context.portal.gazetteer).update(id, at: context.now, on: connection)
    return try BookingsOutsideHoursPages.ofClinic.find(context, connection).next
  }

  static func closeQuestion(_ clinic: Clinic, _ context: Context) throws -> HTML {
    try context.database.read { connection in
      let booked = try OpenBookings.at(clinic.id, after: context.now, on: connection)
      return """
        <p>\(context.text("admin.clinic.close.question", ["name": clinic.name.string(in: context.language)]))</p>\
        \(booked.sentence(in: clinic.zone, context))\
        <p class="hint">\(context.text("admin.close.hint"))</p>
        """
    }
  }

  static func close(
    _ clinic: Clinic, _ context: Context, _ connection: Connection
  ) throws -> Path {
    try Clinic.close(clinic.id, at: context.now, on: connection)
    return "admin/clinics/\(clinic.id)"
  }

  static func reopen(_ context: Context, _ connection: Connection) throws -> Path {
    let clinic = try Clinic.inPath(context, on: connection)
    try Clinic.reopen(clinic.id, on: connection)
    return "admin/clinics/\(clinic.id)"
  }

  static func deleteQuestion(_ clinic: Clinic, _ context: Context) throws -> HTML {
    try context.database.read { connection in
      let booked = try OpenBookings.at(clinic.id, after: context.now, on: connection)
      return """
        <p>\(context.text("admin.clinic.delete.question", ["name": clinic.name.string(in: context.language)]))</p>\
        \(booked.obstacle(
          in: clinic.zone, instead: "admin.close",
          at: clinic.closedAt == nil
            ? "/appointments/admin/clinics/\(clinic.id)/close" : nil, context))
        """
    }
  }

  static func delete(
    _ clinic: Clinic, _ context: Context, _ connection: Connection
  ) throws -> Path {
    try Clinic.delete(clinic.id, on: connection)
    return "admin/clinics"
  }
}
