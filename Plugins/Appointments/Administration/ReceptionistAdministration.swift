import PolyclinicCore

/// The administrator's pages for the receptionists of a clinic.
enum ReceptionistAdministration {
  /// The form that adds a receptionist.
  struct Draft: Sendable {
    /// The ID of the account; empty while none is chosen.
    var account = ""

    static let form = Form(
      Draft(),
      .choice(
        \.account, "receptionist", required: true, hint: "field.receptionist.hint",
        options: accounts))

    @Sendable
    fileprivate static func accounts(_ context: Context) throws -> [Choice] {
      try context.write { context in
        try context.portal.people
          .members(having: .receptionist, in: context)
          .map { Choice($0.person.description, .verbatim($0.name)) }
      }
    }
  }

  static func list(_ context: Context) throws -> Response {
    let (clinic, receptionists) = try context.write { context in
      let clinic = try Clinic.inPath(context)
      return (clinic, try Receptionist.all(at: clinic.id, context))
    }
    let path: Path = "/appointments/admin/clinics/\(clinic.id)"
    let new: HTML = context.button("admin.reception.new", to: "\(path)/desk/new")
    let content: HTML =
      receptionists.isEmpty
      ? context.emptyState(
        .people, "admin.reception.empty", hint: "admin.reception.empty.hint", actions: new)
      : "\(rows: receptionists, { row($0, path, context) })"
    return .page(
      Page(
        "admin.reception.title",
        "<p class=\"lead\"><bdi>\(clinic.name.string(in: context.language))</bdi></p>\(content)",
        back: "admin/clinics/\(clinic.id)", actions: receptionists.isEmpty ? nil : new))
  }

  private static func row(
    _ receptionist: Receptionist, _ path: Path, _ context: Context
  ) -> HTML {
    HTML.row(
      "<bdi>\(receptionist.name)</bdi>",
      actions: context.button(
        "admin.reception.remove", posts: "\(path)/desk/remove",
        with: ["receptionist": receptionist.person.description], style: [.plain, .danger, .small],
        of: receptionist.name))
  }

  static func blank(_ context: Context) throws -> Draft {
    _ = try Clinic.inPath(context)
    return Draft()
  }

  /// Returns the sentence for an administrator who has no account to choose; nil if there is one.
  static func missing(_ context: Context) throws -> HTML? {
    if try !Draft.accounts(context).isEmpty { return nil }
    return """
      <p>\(context.text("admin.reception.nobody"))</p>\
      <p>\(context.moreLink("admin.reception.people", to: "/admin/people"))</p>
      """
  }

  static func assign(
    _ draft: Draft, _ context: Context
  ) throws -> Path {
    let clinic = try Clinic.inPath(context)
    guard let person = ID<Person>(draft.account) else {
      throw Refusal.invalid("receptionist", "error.choice")
    }
    try Receptionist.assign(person, to: clinic.id, in: context)
    return "admin/clinics/\(clinic.id)/desk"
  }

  static func remove(_ context: Context) throws -> Path {
    guard let person = ID<Person>(context.request.fields["receptionist"]) else {
      throw Refusal.malformed
    }
    let clinic = try Clinic.inPath(context)
    try Receptionist.remove(person, from: clinic.id, in: context)
    return "admin/clinics/\(clinic.id)/desk"
  }
}
