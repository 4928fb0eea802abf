import PolyclinicCore

/// The administrator's list of the receptionists of a clinic.
struct ReceptionistAdministration: RoutedPage {
  static let address: Address<ID<Clinic>> = "/appointments/admin/clinics/{id}/desk"
  static let removal: Address<ID<Clinic>> = "/appointments/admin/clinics/{id}/desk/remove"
  static let access = Access.role(.administrator)
  static let linkTitle: Text? = "admin.reception.title"

  private let clinic: Clinic
  private let receptionists: [Receptionist]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    // Showing the names adds entries to their access logs.
    (clinic, receptionists) = try context.write { context in
      let clinic = try Clinic.inPath(context)
      return (clinic, try Receptionist.all(at: clinic.id, context))
    }
  }

  static func remove(_ context: Context) throws -> Path {
    guard let person = ID<Person>(context.request.fields["receptionist"]) else {
      throw Refusal.malformed
    }
    let clinic = try Clinic.inPath(context)
    try Receptionist.remove(person, from: clinic.id, in: context)
    return path(clinic.id)
  }

  var page: Page {
    let new: HTML = context.button("admin.reception.new", to: NewReceptionist.path(clinic.id))
    let content: HTML =
      receptionists.isEmpty
      ? context.emptyState(
        .people, "admin.reception.empty", hint: "admin.reception.empty.hint", actions: new)
      : "\(rows: receptionists, row)"
    let name = clinic.name.string(in: context.language)
    var page = Page(
      "admin.reception.title", "<p class=\"lead\"><bdi>\(name)</bdi></p>\(content)",
      back: ClinicAdministration.path(clinic.id), actions: receptionists.isEmpty ? nil : new)
    page.backLabel = Text("find.named", ["name": name])
    return page
  }

  private func row(_ receptionist: Receptionist) -> HTML {
    HTML.row(
      "<bdi>\(receptionist.name)</bdi>",
      actions: context.button(
        "admin.reception.remove", posts: Self.removal.path(clinic.id),
        with: ["receptionist": receptionist.person.description], style: [.plain, .danger, .small],
        of: receptionist.name))
  }
}

/// The form that assigns a receptionist to a clinic.
struct NewReceptionist: RoutedForm {
  static let address: Address<ID<Clinic>> = "/appointments/admin/clinics/{id}/desk/new"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.reception.new"
  static let form = Form(
    Draft(),
    .choice(
      \.account, "receptionist", required: true, hint: "field.receptionist.hint",
      options: accounts))
  static let cancel = ReceptionistAdministration.address.pattern

  struct Draft: Sendable {
    /// The ID of the account; empty while none is chosen.
    var account = ""
  }

  private let clinic: Clinic
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    clinic = try Clinic.inPath(context)
  }

  private static func accounts(_ context: Context) throws -> [Choice] {
    try context.write { context in
      try context.portal.people
        .members(having: .receptionist, in: context)
        .map { Choice($0.person.description, .verbatim($0.name)) }
    }
  }

  /// The sentence for an administrator who has no account to choose; nil if there is one.
  var about: HTML? {
    get throws {
      if try context.portal.people.hasMembers(having: .receptionist, in: context) { return nil }
      return """
        <p>\(context.text("admin.reception.nobody"))</p>\
        <p>\(context.moreLink("admin.reception.people", to: "/admin/people"))</p>
        """
    }
  }

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    guard let person = ID<Person>(draft.account) else {
      throw Refusal.invalid("receptionist", "error.choice")
    }
    try Receptionist.assign(person, to: clinic.id, in: context)
    return Redirect(to: ReceptionistAdministration.path(clinic.id))
  }
}
