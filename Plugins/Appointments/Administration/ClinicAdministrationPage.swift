import PolyclinicCore

/// The administrator's page of one clinic: its departments, closed days and actions.
struct ClinicAdministrationPage {
  let clinic: Clinic
  let departments: [Department]
  let closedDays: [SpecialHours]
  let booked: OpenBookings
  /// The appointments outside the working hours of the clinic's doctors.
  let outsideHours: BookingsOutsideHours
  let isInUse: Bool
  let context: Context

  private var path: Path { "/appointments/admin/clinics/\(clinic.id)" }

  var page: Page {
    Page(
      Text("find.named", ["name": clinic.name.string(in: context.language)]),
      """
      <div class="title"><h1><bdi>\(clinic.name.string(in: context.language))</bdi></h1>\
      \(Self.marks(of: clinic, context))</div>\(closed)\(facts)\
      \(BookingsOutsideHoursView.notice(of: outsideHours, context))\
      \(actions:
        link("admin.edit", "\(path)/edit"),
        link("admin.reception.title", "\(path)/desk"),
        ending)\
      <h2>\(context.text("admin.departments"))</h2>\(departmentList)\
      \(actions: link("admin.department.new", "\(path)/departments/new"))\
      <h2>\(context.text("admin.closed-days"))</h2>\
      \(SpecialHoursViews.list(
        closedDays, at: .administration, empty: "admin.closed-days.none", context))\
      \(actions: link("admin.closed-days.new", "\(path)/exceptions/new"))
      """,
      back: "admin/clinics", hasOwnHeading: true)
  }

  /// Returns the badges of the public pages, and that of a closed clinic.
  static func marks(of clinic: Clinic, _ context: Context) -> HTML {
    let closed: HTML? =
      clinic.closedAt == nil
      ? nil : " \(context.badge("admin.closed", .off))"
    return "<span>\(clinic.badges(context))\(closed)</span>"
  }

  private var closed: HTML? {
    guard let closedAt = clinic.closedAt else { return nil }
    let date = context.formats.date(context.formats.day(of: closedAt))
    return .notice(
      .remark,
      """
      <div><p>\(context.text("admin.clinic.is-closed", ["date": date]))</p>\
      \(booked.count == 0 ? nil : booked.sentence(in: clinic.zone, context))</div>\
      \(context.button("admin.reopen", posts: "\(path)/reopen", style: [.secondary, .small]))
      """, as: .warning)
  }

  private var facts: HTML {
    let address = clinic.address.localized(context)
      .lines(in: context.language).joined(separator: "\n")
    return context.facts(
      [
        fact("admin.clinic.address", address), fact("field.phone", clinic.phone),
        fact("field.email", clinic.email), fact("field.website", clinic.website),
        fact("field.time_zone", clinic.zone.identifier),
        fact("admin.clinic.coordinates", coordinates),
      ] + Language.allCases.map(name)
        + [fact("admin.clinic.about", clinic.about.string(in: context.language))])
  }

  /// Returns the name in another language; nil for the page's own language and for a missing name.
  private func name(in language: Language) -> HTML.Fact? {
    if language == context.language { return nil }
    return fact(Text("field.name_\(language.code)"), clinic.name[language])
  }

  private func fact(_ label: Text, _ value: String) -> HTML.Fact? {
    HTML.Fact(label, lines: value)
  }

  private var coordinates: String {
    clinic.coordinates.map { "\($0.latitude), \($0.longitude)" } ?? ""
  }

  private func link(_ label: Text, _ path: Path) -> HTML {
    "\(context.button(label, to: path, style: .secondary)) "
  }

  private var ending: HTML {
    let close: HTML? =
      clinic.closedAt != nil
      ? nil
      : context.button("admin.close", to: "\(path)/close", style: [.danger, .secondary])
    let delete: HTML? =
      isInUse
      ? nil
      : context.button("admin.delete", to: "\(path)/delete", style: [.danger, .secondary])
    return "\(close) \(delete)"
  }

  private var departmentList: HTML {
    if departments.isEmpty {
      return "<p class=\"muted\">\(context.text("admin.departments.none"))</p>"
    }
    return "\(rows: departments, department)"
  }

  private func department(_ department: Department) -> HTML {
    let closed: HTML? =
      department.closedAt == nil
      ? nil : context.badge("admin.closed", .off)
    return .row(
      to: "/appointments/admin/departments/\(department.id)",
      "\(context.text(department.specialization.title))", mark: closed)
  }
}
