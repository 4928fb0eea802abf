import PolyclinicCore

/// The administrator's page that adds a doctor to a department. Doctors create their own accounts,
/// so while there is no account to choose, the page says how a doctor gets one.
enum NewDoctorPages {
  static let route = Route.form(
    "admin/departments/{id}/doctors/new", DoctorDraft.newForm, title: "admin.doctor.new",
    cancel: "admin/departments/{id}", access: .role(.administrator), subject: Department.inPath,
    before: { _, context in
      try DoctorDraft.accounts(context).isEmpty ? nobody(context) : nil
    }, about: { _, context in missing(context) },
    save: { draft, _, context in try create(draft, context) })

  /// Stores the doctor, under the account's name if the administrator has given no other.
  private static func create(
    _ draft: DoctorDraft, _ context: Context
  ) throws -> Path {
    let (department, _) = try Department.inPath(context)
    var draft = draft
    if draft.name.isEmpty {
      draft.name =
        try context.portal.people
        .members(having: .doctor, in: context)
        .first { $0.person.description == draft.account }?.name ?? ""
    }
    let doctor = try draft.insert(into: department.id, in: context.with(context.portal.keys))
    return "admin/doctors/\(doctor)"
  }

  /// Returns the sentence for an administrator who does not find the doctor in the list of
  /// accounts.
  private static func missing(_ context: Context) -> HTML? {
    """
    <p>\(context.text("admin.doctor.missing", ["address": registration(context)]))</p>\
    <p>\(context.moreLink("admin.doctor.waiting", to: waiting))</p>
    """
  }

  /// Shows the steps by which a doctor gets an account that can be added.
  private static func nobody(_ context: Context) throws -> Response {
    let (department, _) = try Department.inPath(context)
    return .page(
      Page(
        "admin.doctor.new",
        """
        <section class="panel prose"><h2>\(context.text("admin.doctor.nobody"))</h2>\
        <p>\(context.text("admin.doctor.nobody.about"))</p>\
        <ol><li>\(context.text("admin.doctor.steps.send"))\
        <output class="secret" id="address" dir="ltr">\(registration(context))</output>\
        \(actions: context.copyButton("calendar.copy", of: "address", copied: "calendar.copied"))</li>\
        <li>\(context.text("admin.doctor.steps.approve"))</li>\
        <li>\(context.text("admin.doctor.steps.add"))</li></ol>\
        \(actions: context.button("admin.doctor.waiting", to: waiting, style: .secondary))</section>
        """,
        back: "admin/departments/\(department.id)", assets: [.copy]))
  }

  private static let waiting: Path = "/admin/people?state=waiting"

  /// Returns the whole address at which doctors register, for a message to them.
  private static func registration(_ context: Context) -> String {
    "\(context.portal.origin)/register?role=doctor"
  }
}
