import PolyclinicCore

/// The administrator's page of one clinic: its departments, closed days and actions.
struct ClinicAdministration: RoutedPage {
  static let address: Address<ID<Clinic>> = "/appointments/admin/clinics/{id}"
  static let reopening: Address<ID<Clinic>> = "/appointments/admin/clinics/{id}/reopen"
  static let access = Access.role(.administrator)
  static let linkTitle: Text? = "admin.clinic.title"

  private let clinic: Clinic
  private let departments: [Department]
  private let closedDays: [SpecialHours]
  /// The appointments that are still booked at a closed clinic; nil while it is open.
  private let booked: OpenBookings?
  private let outsideHours: BookingsOutsideHours
  private let isInUse: Bool
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    clinic = try Clinic.inPath(context)
    departments = try Department.all(of: clinic.id, in: context)
    closedDays = try SpecialHours.upcoming(of: .clinic(clinic.id), in: clinic.zone, context)
    booked = clinic.closedAt == nil ? nil : try OpenBookings(at: clinic.id, in: context)
    outsideHours = try ClinicOutsideHours.find(clinic, in: context)
    isInUse = try Clinic.isInUse(clinic.id, in: context)
  }

  static func reopen(_ context: Context) throws -> Path {
    let clinic = try Clinic.inPath(context)
    try Clinic.reopen(clinic.id, in: context)
    return path(clinic.id)
  }

  var page: Page {
    let name = clinic.name.string(in: context.language)
    return Page(
      Text("find.named", ["name": name]),
      """
      <div class="title"><h1><bdi>\(name)</bdi></h1>\(clinic.marks(context))</div>\
      \(closed)\(facts)\(outsideHours.notice(context))\
      \(actions:
        context.secondaryButton("admin.edit", to: EditClinic.path(clinic.id)),
        context.secondaryButton(
          "admin.reception.title", to: ReceptionistAdministration.path(clinic.id)),
        context.endings(
          close: clinic.closedAt == nil ? CloseClinic.path(clinic.id) : nil,
          delete: isInUse ? nil : DeleteClinic.path(clinic.id)))\
      <h2>\(context.text("admin.departments"))</h2>\(departmentList)\
      \(actions:
        context.secondaryButton("admin.department.new", to: NewDepartment.path(clinic.id)))\
      <h2>\(context.text("admin.closed-days"))</h2>\
      \(closedDays.list(SpecialHoursPage.address, empty: "admin.closed-days.none", context))\
      \(actions:
        context.secondaryButton("admin.closed-days.new", to: NewClosedDays.path(clinic.id)))
      """,
      back: ClinicList.path, hasOwnHeading: true)
  }

  private var closed: HTML? {
    guard let closedAt = clinic.closedAt, let booked else { return nil }
    let date = context.formats.date(context.formats.day(of: closedAt))
    return context.closed(
      Text("admin.clinic.is-closed", ["date": date]),
      booked.count == 0 ? nil : booked.sentence(in: clinic.zone, context),
      reopening: Self.reopening.path(clinic.id))
  }

  private var facts: HTML {
    let address = clinic.localizedAddress(context)
      .lines(in: context.language).joined(separator: "\n")
    let coordinates = clinic.coordinates.map { "\($0.latitude), \($0.longitude)" } ?? ""
    // The name in the page's own language is its heading.
    let names = Language.allCases.filter { $0 != context.language }.map {
      HTML.Fact(Text("field.name_\($0.code)"), lines: clinic.name[$0])
    }
    return context.facts(
      [
        HTML.Fact("admin.clinic.address", lines: address),
        HTML.Fact("field.phone", lines: clinic.phone),
        HTML.Fact("field.email", lines: clinic.email),
        HTML.Fact("field.website", lines: clinic.website),
        HTML.Fact("field.time_zone", lines: clinic.zone.identifier),
        HTML.Fact("admin.clinic.coordinates", lines: coordinates),
      ] + names
        + [HTML.Fact("admin.clinic.about", lines: clinic.about.string(in: context.language))])
  }

  private var departmentList: HTML {
    if departments.isEmpty {
      return "<p class=\"muted\">\(context.text("admin.departments.none"))</p>"
    }
    return "\(rows: departments, department)"
  }

  private func department(_ department: Department) -> HTML {
    .row(
      to: DepartmentAdministration.path(department.id),
      "\(context.text(department.specialization.title))",
      mark: department.closedAt.map { _ in context.badge("admin.closed", .off) })
  }
}

/// The question before a clinic is closed to new bookings.
struct CloseClinic: RoutedForm {
  static let address: Address<ID<Clinic>> = "/appointments/admin/clinics/{id}/close"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.clinic.close.title"
  static let submit: Text = "admin.close.yes"
  static let cancel = ClinicAdministration.address.pattern
  static let isQuestion = true

  private let clinic: Clinic
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    clinic = try Clinic.inPath(context)
  }

  var about: HTML? {
    get throws {
      let name = clinic.name.string(in: context.language)
      return try OpenBookings(at: clinic.id, in: context).closingQuestion(
        Text("admin.clinic.close.question", ["name": name]), in: clinic.zone, context)
    }
  }

  /// Closes it from now on. Closing it again changes nothing.
  func save(_: Void, in context: Context) throws -> Redirect {
    // Calls that are due are stored first, because the change would otherwise rewrite past ones.
    try WaitingList.settle(Doctor.ids(at: clinic.id, in: context), in: context)
    try context.run(
      """
      UPDATE appointments_clinics SET closed_at = \(context.now)
      WHERE id_clinic = \(clinic.id) AND closed_at IS NULL
      """)
    return Redirect(to: ClinicAdministration.path(clinic.id))
  }
}

/// The question before a clinic is deleted.
struct DeleteClinic: RoutedForm {
  static let address: Address<ID<Clinic>> = "/appointments/admin/clinics/{id}/delete"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.clinic.delete.title"
  static let submit: Text = "delete.yes"
  static let cancel = ClinicAdministration.address.pattern
  static let isQuestion = true

  private let clinic: Clinic
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    clinic = try Clinic.inPath(context)
  }

  var about: HTML? {
    get throws {
      let question = Text(
        "admin.clinic.delete.question", ["name": clinic.name.string(in: context.language)])
      let booked = try OpenBookings(at: clinic.id, in: context)
      let close = clinic.closedAt == nil ? CloseClinic.path(clinic.id) : nil
      return """
        <p>\(context.text(question))</p>\
        \(booked.obstacle(in: clinic.zone, instead: "admin.close", at: close, context))
        """
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    try Clinic.delete(clinic.id, in: context)
    return Redirect(to: ClinicList.path)
  }
}

extension Clinic {
  /// Returns the badges of the public pages, and that of a closed clinic.
  func marks(_ context: Context) -> HTML {
    let closed: HTML? = closedAt.map { _ in " \(context.badge("admin.closed", .off))" }
    return "<span>\(badges(context))\(closed)</span>"
  }
}
