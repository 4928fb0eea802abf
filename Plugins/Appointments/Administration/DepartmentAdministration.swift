import PolyclinicCore

/// The administrator's pages for the departments of a clinic.
enum DepartmentAdministration {
  /// The form of a new department.
  struct Draft: Sendable {
    var specialization = Specialization.generalPractice

    static let form = Form(Draft(), .choice(\.specialization, "specialization"))
  }

  static func blank(_ context: Context) throws -> Draft {
    _ = try Clinic.inPath(context)
    return Draft()
  }

  static func create(
    _ draft: Draft, _ context: Context
  ) throws -> Path {
    let clinic = try Clinic.inPath(context)
    let id = try Department.insert(draft.specialization, into: clinic.id, in: context)
    return "admin/departments/\(id)"
  }

  static func show(_ context: Context) throws -> Response {
    let (department, clinic) = try Department.inPath(context)
    let details = DepartmentAdministrationPage(
      department: department, clinic: clinic,
      doctors: try Doctor.all(of: department.id, in: context)
        .sorted(by: context.portal.keys, in: context.language),
      booked: try OpenBookings.with(doctorsOf: department.id, after: context.now, in: context),
      context: context)
    return .page(try details.page)
  }

  static func closeQuestion(_ found: Department.InClinic, _ context: Context) throws -> HTML {
    let (department, clinic) = found
    let booked = try OpenBookings.with(doctorsOf: department.id, after: context.now, in: context)
    return """
      <p>\(context.text("admin.department.close.question", names(department, clinic, context)))</p>\
      \(booked.sentence(in: clinic.zone, context))\
      <p class="hint">\(context.text("admin.close.hint"))</p>
      """
  }

  static func close(
    _ found: Department.InClinic, _ context: Context
  ) throws -> Path {
    let department = found.department
    try Department.close(department.id, in: context)
    return "admin/departments/\(department.id)"
  }

  static func reopen(_ context: Context) throws -> Path {
    let (department, _) = try Department.inPath(context)
    try Department.reopen(department.id, in: context)
    return "admin/departments/\(department.id)"
  }

  static func deleteQuestion(_ found: Department.InClinic, _ context: Context) throws -> HTML {
    let (department, clinic) = found
    let booked = try OpenBookings.with(doctorsOf: department.id, after: context.now, in: context)
    return """
      <p>\(context.text("admin.department.delete.question", names(department, clinic, context)))</p>\
      \(booked.obstacle(
        in: clinic.zone, instead: "admin.close",
        at: department.closedAt == nil
          ? "/appointments/admin/departments/\(department.id)/close" : nil, context))
      """
  }

  static func delete(
    _ found: Department.InClinic, _ context: Context
  ) throws -> Path {
    let (department, clinic) = found
    try Department.delete(department.id, in: context)
    return "admin/clinics/\(clinic.id)"
  }

  private static func names(
    _ department: Department, _ clinic: Clinic, _ context: Context
  ) -> [String: String] {
    [
      "department": context.text(department.specialization.title),
      "clinic": clinic.name.string(in: context.language),
    ]
  }
}
