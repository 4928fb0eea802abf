import PolyclinicCore

/// The administrator's pages for days with special hours of a doctor or clinic.
enum SpecialHoursAdministration {
  static func blankForDoctor(_ context: Context) throws -> SpecialHoursDraft {
    _ = try context.database.read { try DoctorPlacement.inPath(context, on: $0) }
    return SpecialHoursDraft()
  }

  static func blankForClinic(_ context: Context) throws -> SpecialHoursDraft {
    _ = try context.database.read { try Clinic.inPath(context, on: $0) }
    return SpecialHoursDraft()
  }

  static func createForDoctor(
    _ draft: SpecialHoursDraft, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let placement = try DoctorPlacement.inPath(context, on: connection)
    let (doctor, clinic) = (placement.doctor, placement.clinic)
    let id = try draft.insert(
      of: .doctor(doctor.id), in: clinic.zone, at: context.now, on: connection)
    return try outsideHours(by: id, context, connection).next
  }

  static func createForClinic(
    _ draft: SpecialHoursDraft, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let clinic = try Clinic.inPath(context, on: connection)
    let id = try draft.insert(
      of: .clinic(clinic.id), in: clinic.zone, at: context.now, on: connection)
    return try outsideHours(by: id, context, connection).next
  }

  /// Shows days with special hours and the appointments booked in them.
  static func show(_ context: Context) throws -> Response {
    let (specialHours, view) = try context.database.read { connection in
      let (specialHours, zone) = try SpecialHours.inPath(context, on: connection)
      let outsideHours = try BookingsOutsideHours.during(
        specialHours, in: zone, at: context.now, on: connection)
      return (specialHours, try BookingsOutsideHoursView(outsideHours, context, on: connection))
    }
    let facts = context.facts([
      HTML.Fact(
        "admin.exception.days",
        "\(SpecialHoursViews.days(of: specialHours, context))"),
      HTML.Fact(
        Text("exception.\(specialHours.kind.rawValue)"),
        SpecialHoursViews.time(of: specialHours, context)),
    ])
    let heading: HTML? =
      view.outsideHours.bookings.isEmpty
      ? nil : "<h2>\(context.text("admin.displaced.title"))</h2>"
    return .page(
      Page(
        "admin.exception.title",
        """
        \(facts)\(heading)\(view.content(empty: "admin.displaced.none"))\
        \(actions:
          context.button(
            "admin.exception.delete",
            to: "/appointments/admin/exceptions/\(specialHours.id)/delete",
            style: [.danger, .secondary]))
        """,
        back: specialHours.owner.page))
  }

  static func deleteQuestion(_ context: Context) throws -> HTML {
    let (specialHours, zone) = try context.database.read {
      try SpecialHours.inPath(context, on: $0)
    }
    return """
      <p>\(context.text("admin.exception.delete.question"))</p>\
      <p><strong>\(SpecialHoursViews.days(of: specialHours, context))</strong> \
      \(SpecialHoursViews.time(of: specialHours, context))</p>\
      <p class="hint">\(context.text("admin.hours.zone", ["zone": zone.identifier]))</p>
      """
  }

  static func delete(_ context: Context, _ connection: Connection) throws -> Path {
    let (specialHours, _) = try SpecialHours.inPath(context, on: connection)
    try specialHours.delete(at: context.now, on: connection)
    return specialHours.owner.page
  }

  /// Returns the appointments booked in the days that were just entered.
  private static func outsideHours(
    by id: ID<SpecialHours>, _ context: Context, _ connection: Connection
  ) throws -> BookingsOutsideHours {
    let (specialHours, zone) = try SpecialHours.withZone(id, on: connection)
    return try BookingsOutsideHours.during(specialHours, in: zone, at: context.now, on: connection)
  }
}
