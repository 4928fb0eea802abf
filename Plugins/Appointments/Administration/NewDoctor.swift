import PolyclinicCore

/// The form that adds a doctor to a department. Doctors create their own accounts, so while there
/// is no account to choose, a page says how a doctor gets one.
struct NewDoctor: RoutedForm {
  static let address: Address<ID<Department>> = "/appointments/admin/departments/{id}/doctors/new"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.doctor.new"
  static let form = DoctorDraft.newForm
  static let cancel = DepartmentAdministration.address.pattern

  private static let waiting: Path = "/admin/people?state=waiting"

  private let department: ID<Department>
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    department = try Department.inPath(context).department.id
  }

  /// The steps by which a doctor gets an account that can be added.
  var before: Response? {
    get throws {
      if try !DoctorDraft.accounts(context).isEmpty { return nil }
      let waiting = context.button("admin.doctor.waiting", to: Self.waiting, style: .secondary)
      return .page(
        Page(
          Self.title,
          """
          <section class="panel prose"><h2>\(context.text("admin.doctor.nobody"))</h2>\
          <p>\(context.text("admin.doctor.nobody.about"))</p>\
          <ol><li>\(context.text("admin.doctor.steps.send"))\
          <output class="secret" id="address" dir="ltr">\(registration)</output>\
          \(actions:
            context.copyButton("calendar.copy", of: "address", copied: "calendar.copied"))</li>\
          <li>\(context.text("admin.doctor.steps.approve"))</li>\
          <li>\(context.text("admin.doctor.steps.add"))</li></ol>\
          \(actions: waiting)</section>
          """,
          back: DepartmentAdministration.path(department), assets: [.copy]))
    }
  }

  /// The sentence for an administrator who does not find the doctor in the list of accounts.
  var about: HTML? {
    """
    <p>\(context.text("admin.doctor.missing", ["address": registration]))</p>\
    <p>\(context.moreLink("admin.doctor.waiting", to: Self.waiting))</p>
    """
  }

  /// The whole address at which doctors register, for a message to them.
  private var registration: String { "\(context.portal.origin)/register?role=doctor" }

  /// Stores the doctor, under the account's name if the administrator has given no other.
  func save(_ draft: DoctorDraft, in context: Context) throws -> Redirect {
    var draft = draft
    if draft.name.isEmpty {
      draft.name =
        try context.portal.people
        .members(having: .doctor, in: context)
        .first { $0.person.description == draft.account }?.name ?? ""
    }
    let doctor = try draft.insert(into: department, in: context.with(context.portal.keys))
    return Redirect(to: DoctorAdministration.path(doctor))
  }
}

/// The form that changes a doctor.
struct EditDoctor: RoutedForm {
  static let address: Address<ID<Doctor>> = "/appointments/admin/doctors/{id}/edit"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.doctor.edit"
  static let form = DoctorDraft.form
  static let cancel = DoctorAdministration.address.pattern
  static let isVersioned = true

  private let doctor: Doctor
  let start: DoctorDraft

  init(_ context: Context) throws {
    doctor = try DoctorPlacement.inPath(context).doctor
    start = try DoctorDraft(doctor, by: context.portal.keys)
  }

  func save(_ draft: DoctorDraft, in context: Context) throws -> Redirect {
    try draft.update(doctor, in: context.with(context.portal.keys))
    return Redirect(to: DoctorAdministration.path(doctor.id))
  }
}

/// The form in which an administrator sends a doctor's photo.
struct DoctorPhotoAdministration: DoctorPhotoForm {
  static let address: Address<ID<Doctor>> = "/appointments/admin/doctors/{id}/photo"
  static let removal: Address<ID<Doctor>> = "/appointments/admin/doctors/{id}/photo/remove"
  static let access = Access.role(.administrator)
  static let cancel = DoctorAdministration.address.pattern

  let doctor: Doctor
  let context: Context

  init(_ context: Context) throws {
    self.context = context
    doctor = try DoctorPlacement.inPath(context).doctor
  }
}
