import PolyclinicCore

/// The administrator's page of one department: its doctors and actions.
struct DepartmentAdministration: RoutedPage {
  static let address: Address<ID<Department>> = "/appointments/admin/departments/{id}"
  static let reopening: Address<ID<Department>> = "/appointments/admin/departments/{id}/reopen"
  static let access = Access.role(.administrator)
  static let linkTitle: Text? = "admin.department.title"

  private let department: Department
  private let clinic: Clinic
  private let doctors: [(doctor: Doctor, name: String)]
  /// The appointments that are still booked in a closed department; nil while it is open.
  private let booked: OpenBookings?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let (department, clinic) = try Department.inPath(context)
    (self.department, self.clinic) = (department, clinic)
    doctors = try Doctor.all(of: [department.id], in: context)
      .sorted(by: context.portal.keys, in: context.language)
      .map { ($0, try $0.name.shown(context)) }
    booked =
      department.closedAt == nil ? nil : try OpenBookings(doctorsOf: department.id, in: context)
  }

  static func reopen(_ context: Context) throws -> Path {
    let (department, _) = try Department.inPath(context)
    try Department.reopen(department.id, in: context)
    return path(department.id)
  }

  var page: Page {
    let mark = department.closedAt.map { _ in context.badge("admin.closed", .off) }
    let specialization = context.text(department.specialization.title)
    let clinicName = clinic.name.string(in: context.language)
    var page = Page(
      Text("admin.department.named", ["department": specialization, "clinic": clinicName]),
      """
      <div class="title"><h1>\(specialization)</h1>\(mark)</div>\
      <p class="lead"><bdi>\(clinicName)</bdi></p>\(closed)\
      <h2>\(context.text("admin.doctors"))</h2>\(doctorList)\
      \(actions:
        context.secondaryButton("admin.doctor.new", to: NewDoctor.path(department.id)),
        context.endings(
          close: department.closedAt == nil ? CloseDepartment.path(department.id) : nil,
          delete: doctors.isEmpty ? DeleteDepartment.path(department.id) : nil))
      """,
      back: ClinicAdministration.path(clinic.id), hasOwnHeading: true)
    page.backLabel = Text("find.named", ["name": clinicName])
    return page
  }

  private var closed: HTML? {
    guard let closedAt = department.closedAt, let booked else { return nil }
    let date = context.formats.date(context.formats.day(of: closedAt))
    return context.closed(
      Text("admin.department.is-closed", ["date": date]),
      booked.count == 0 ? nil : booked.sentence(in: clinic.zone, context),
      reopening: Self.reopening.path(department.id))
  }

  private var doctorList: HTML {
    if doctors.isEmpty { return "<p class=\"muted\">\(context.text("admin.doctors.none"))</p>" }
    return """
      \(rows: doctors, { doctor, name in
        HTML.row(
          to: DoctorAdministration.path(doctor.id), "<bdi>\(name)</bdi>",
          mark: doctor.marks(context))
      })
      """
  }
}

/// The form that adds a department to a clinic.
struct NewDepartment: RoutedForm {
  static let address: Address<ID<Clinic>> = "/appointments/admin/clinics/{id}/departments/new"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.department.new"
  static let form = Form(Draft(), .choice(\.specialization, "specialization"))
  static let cancel = ClinicAdministration.address.pattern

  struct Draft: Sendable {
    var specialization = Specialization.generalPractice
  }

  private let clinic: Clinic

  init(_ context: Context) throws { clinic = try Clinic.inPath(context) }

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    let id = try Department.insert(draft.specialization, into: clinic.id, in: context)
    return Redirect(to: DepartmentAdministration.path(id))
  }
}

/// The question before a department is closed to new bookings.
struct CloseDepartment: RoutedForm {
  static let address: Address<ID<Department>> = "/appointments/admin/departments/{id}/close"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.department.close.title"
  static let submit: Text = "admin.close.yes"
  static let cancel = DepartmentAdministration.address.pattern
  static let isQuestion = true

  private let found: Department.InClinic
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    found = try Department.inPath(context)
  }

  var about: HTML? {
    get throws {
      let question = Department.text("admin.department.close.question", of: found, context)
      return try OpenBookings(doctorsOf: found.department.id, in: context)
        .closingQuestion(question, in: found.clinic.zone, context)
    }
  }

  /// Closes it from now on. Closing it again changes nothing.
  func save(_: Void, in context: Context) throws -> Redirect {
    let department = found.department.id
    // Calls that are due are stored first, because the change would otherwise rewrite past ones.
    try WaitingList.settle(Doctor.all(of: [department], in: context).map(\.id), in: context)
    try context.run(
      """
      UPDATE appointments_departments SET closed_at = \(context.now)
      WHERE id_department = \(department) AND closed_at IS NULL
      """)
    return Redirect(to: DepartmentAdministration.path(department))
  }
}

/// The question before a department is deleted.
struct DeleteDepartment: RoutedForm {
  static let address: Address<ID<Department>> = "/appointments/admin/departments/{id}/delete"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.department.delete.title"
  static let submit: Text = "delete.yes"
  static let cancel = DepartmentAdministration.address.pattern
  static let isQuestion = true

  private let found: Department.InClinic
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    found = try Department.inPath(context)
  }

  var about: HTML? {
    get throws {
      let (department, clinic) = found
      let question = Department.text("admin.department.delete.question", of: found, context)
      let booked = try OpenBookings(doctorsOf: department.id, in: context)
      let close = department.closedAt == nil ? CloseDepartment.path(department.id) : nil
      return """
        <p>\(context.text(question))</p>\
        \(booked.obstacle(in: clinic.zone, instead: "admin.close", at: close, context))
        """
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    try Department.delete(found.department.id, in: context)
    return Redirect(to: ClinicAdministration.path(found.clinic.id))
  }
}

extension Department {
  /// Returns a question that names the department and its clinic.
  fileprivate static func text(_ key: String, of found: InClinic, _ context: Context) -> Text {
    Text(
      key,
      [
        "department": context.text(found.department.specialization.title),
        "clinic": found.clinic.name.string(in: context.language),
      ])
  }
}
