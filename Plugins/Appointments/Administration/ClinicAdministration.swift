import PolyclinicCore

/// The administrator's pages for clinics.
enum ClinicAdministration {
  static func list(_ context: Context) throws -> Response {
    let clinics = try Clinic.all(in: context)
    return .page(ClinicList(clinics: clinics, context: context).page)
  }

  static func show(_ context: Context) throws -> Response {
    let clinic = try Clinic.inPath(context)
    let details = ClinicAdministrationPage(
      clinic: clinic, departments: try Department.all(of: clinic.id, in: context),
      closedDays: try SpecialHours.upcoming(of: .clinic(clinic.id), in: clinic.zone, context),
      booked: try OpenBookings.at(clinic.id, after: context.now, in: context),
      outsideHours: try BookingsOutsideHoursPages.ofClinic.find(context),
      isInUse: try Clinic.isInUse(clinic.id, in: context), context: context)
    return .page(details.page)
  }

  /// Returns an empty draft with the time zone of the portal or else of another clinic, because
  /// most new clinics are there. A portal in UTC was given no time zone, so that the form asks for
  /// it.
  static func blank(_ context: Context) throws -> ClinicDraft {
    var draft = ClinicDraft()
    let zone = context.portal.clinic.zone
    let isProgram =
      context.request.method == .post && !context.request.fields.contains("time_zone")
    if isProgram || ![.utc, Zone("Etc/UTC")].contains(zone) {
      draft.zone = zone.identifier
    } else {
      let others = try Clinic.all(in: context)
      draft.zone = others.first?.zone.identifier ?? ""
    }
    return draft
  }

  static func load(_ context: Context) throws -> ClinicDraft {
    ClinicDraft(try Clinic.inPath(context))
  }

  static func create(
    _ draft: ClinicDraft, _ context: Context
  ) throws -> Path {
    let draft = try draft.placed(by: context.portal.gazetteer)
    return "admin/clinics/\(try draft.insert(in: context))"
  }

  static func update(
    _ draft: ClinicDraft, _ context: Context
  ) throws -> Path {
    let id: ID<Clinic> = try context.id()
    try draft.placed(by: context.portal.gazetteer).update(id, in: context)
    return try BookingsOutsideHoursPages.ofClinic.find(context).next
  }

  static func closeQuestion(_ clinic: Clinic, _ context: Context) throws -> HTML {
    let booked = try OpenBookings.at(clinic.id, after: context.now, in: context)
    return """
      <p>\(context.text("admin.clinic.close.question", ["name": clinic.name.string(in: context.language)]))</p>\
      \(booked.sentence(in: clinic.zone, context))\
      <p class="hint">\(context.text("admin.close.hint"))</p>
      """
  }

  static func close(
    _ clinic: Clinic, _ context: Context
  ) throws -> Path {
    try Clinic.close(clinic.id, in: context)
    return "admin/clinics/\(clinic.id)"
  }

  static func reopen(_ context: Context) throws -> Path {
    let clinic = try Clinic.inPath(context)
    try Clinic.reopen(clinic.id, in: context)
    return "admin/clinics/\(clinic.id)"
  }

  static func deleteQuestion(_ clinic: Clinic, _ context: Context) throws -> HTML {
    let booked = try OpenBookings.at(clinic.id, after: context.now, in: context)
    return """
      <p>\(context.text("admin.clinic.delete.question", ["name": clinic.name.string(in: context.language)]))</p>\
      \(booked.obstacle(
        in: clinic.zone, instead: "admin.close",
        at: clinic.closedAt == nil
          ? "/appointments/admin/clinics/\(clinic.id)/close" : nil, context))
      """
  }

  static func delete(
    _ clinic: Clinic, _ context: Context
  ) throws -> Path {
    try Clinic.delete(clinic.id, in: context)
    return "admin/clinics"
  }
}
