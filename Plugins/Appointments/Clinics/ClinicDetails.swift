import PolyclinicCore

/// One clinic with its departments, and what an administrator can do with it.
struct ClinicDetails {
  let clinic: Clinic
  let departments: [Department]
  let closedDays: [ExceptionRun]
  let booked: Booked
  /// What lies outside the hours of its doctors.
  let displaced: Displaced
  let isInUse: Bool
  let context: Context

  private var path: Path { "/appointments/admin/clinics/\(clinic.id)" }

  var page: Page {
    Page(
      "admin.clinic.title",
      """
      <div class="title"><h1><bdi>\(clinic.name.string(in: context.language))</bdi></h1>\
      \(Self.marks(of: clinic, context))</div>\(closed)<dl class="details">\(facts)</dl>\
      \(DisplacedView.notice(of: displaced, context))\
      <p class="actions">\(link("admin.edit", "\(path)/edit"))\
      \(link("admin.desk.title", "\(path)/desk"))\(ending)</p>\
      <h2>\(context.text("admin.departments"))</h2>\(departmentList)\
      <p class="actions">\(link("admin.department.new", "\(path)/departments/new"))</p>\
      <h2>\(context.text("admin.closed-days"))</h2>\
      \(ExceptionViews.list(closedDays, empty: "admin.closed-days.none", clinic.zone, context))\
      <p class="actions">\(link("admin.closed-days.new", "\(path)/exceptions/new"))</p>
      """,
      back: "admin/clinics", hasOwnHeading: true)
  }

  /// What kind of clinic it is, and whether it is closed.
  static func marks(of clinic: Clinic, _ context: Context) -> HTML {
    var marks: [Text] = []
    if clinic.isHospital { marks.append("admin.clinic.hospital") }
    if clinic.isPediatric { marks.append("admin.clinic.pediatric") }
    let closed: HTML? =
      clinic.closedAt == nil
      ? nil : " <span class=\"badge off\">\(context.text("admin.closed"))</span>"
    return """
      <span>\(each: marks, { " <span class=\"badge\">\(context.text($0))</span>" })\(closed)</span>
      """
  }

  private var closed: HTML? {
    guard let closedAt = clinic.closedAt else { return nil }
    let date = context.formats.date(context.formats.day(of: closedAt))
    return """
      <div class="notice warning"><div><p>\(context.text("admin.clinic.is-closed", ["date": date]))</p>\
      \(booked.count == 0 ? nil : booked.sentence(in: clinic.zone, context))</div>\
      \(context.button("admin.reopen", posts: "\(path)/reopen", style: "button secondary small"))</div>
      """
  }

  private var facts: HTML {
    """
    \(fact("admin.clinic.address", clinic.address.lines(in: context.language).joined(separator: "\n")))\
    \(fact("field.phone", clinic.phone))\(fact("field.time_zone", clinic.zone.identifier))\
    \(fact("admin.clinic.coordinates", coordinates))\
    \(each: Language.allCases, name)\(fact("admin.clinic.about", clinic.about.string(in: context.language)))
    """
  }

  /// What it is called in the other languages, where that is said.
  private func name(in language: Language) -> HTML {
    let name = clinic.name[language]
    if name.isEmpty || language == context.language { return HTML() }
    return fact(Text("field.name_\(language.code)"), name)
  }

  private func fact(_ label: Text, _ value: String) -> HTML {
    if value.isEmpty { return HTML() }
    return """
      <div><dt>\(context.text(label))</dt><dd class="lines"><bdi>\(value)</bdi></dd></div>
      """
  }

  private var coordinates: String {
    clinic.coordinates.map { "\($0.latitude), \($0.longitude)" } ?? ""
  }

  private func link(_ label: Text, _ path: Path) -> HTML {
    "<a class=\"button secondary\" href=\"\(path)\">\(context.text(label))</a> "
  }

  private var ending: HTML {
    let close: HTML? =
      clinic.closedAt != nil
      ? nil
      : """
      <a class="button danger secondary" href="\(path)/close">\(context.text("admin.close"))</a>
      """
    let delete: HTML? =
      isInUse
      ? nil
      : """
      <a class="button danger secondary" href="\(path)/delete">\(context.text("admin.delete"))</a>
      """
    return "\(close) \(delete)"
  }

  private var departmentList: HTML {
    if departments.isEmpty {
      return "<p class=\"muted\">\(context.text("admin.departments.none"))</p>"
    }
    return "<ul class=\"rows\">\(each: departments, department)</ul>"
  }

  private func department(_ department: Department) -> HTML {
    let closed: HTML? =
      department.closedAt == nil
      ? nil : " <span class=\"badge off\">\(context.text("admin.closed"))</span>"
    return """
      <li><a href="/appointments/admin/departments/\(department.id)"><span>\
      <strong>\(context.text(department.specialization.title))</strong>\(closed)</span></a></li>
      """
  }
}
