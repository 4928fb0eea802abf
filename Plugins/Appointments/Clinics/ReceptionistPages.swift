import PolyclinicCore

/// Who works at the desk of a clinic, as an administrator says.
enum ReceptionistPages {
  /// Who is to work at the desk.
  struct Draft: Sendable {
    /// The number of the account; empty while none is chosen.
    var account = ""

    static let form = Form(
      Draft(),
      .choice(
        \.account, "receptionist", required: true, hint: "field.receptionist.hint",
        options: accounts))

    @Sendable
    private static func accounts(_ context: Context) throws -> [Choice] {
      try context.database.write { connection in
        try context.portal.people
          .members(having: .receptionist, asking: context.signedIn(), on: connection)
          .map { Choice($0.person.description, .verbatim($0.name)) }
      }
    }
  }

  static func list(_ context: Context) throws -> Response {
    let (clinic, receptionists) = try context.database.write { connection in
      let clinic = try ClinicPages.find(context, on: connection)
      return (clinic, try Receptionist.all(at: clinic.id, context, on: connection))
    }
    let path: Path = "/appointments/admin/clinics/\(clinic.id)"
    let new: HTML = """
      <a class="button" href="\(path)/desk/new">\(context.text("admin.desk.new"))</a>
      """
    let content: HTML =
      receptionists.isEmpty
      ? """
      <section class="empty">\(context.icon(.people))<h2>\(context.text("admin.desk.empty"))</h2>\
      <p>\(context.text("admin.desk.empty.hint"))</p><p class="actions">\(new)</p></section>
      """
      : "<ul class=\"rows\">\(each: receptionists, { row($0, path, context) })</ul>"
    return .page(
      Page(
        "admin.desk.title",
        "<p class=\"lead\"><bdi>\(clinic.name.string(in: context.language))</bdi></p>\(content)",
        back: "admin/clinics/\(clinic.id)", actions: receptionists.isEmpty ? nil : new))
  }

  private static func row(
    _ receptionist: Receptionist, _ path: Path, _ context: Context
  ) -> HTML {
    """
    <li><div class="item"><strong><bdi>\(receptionist.name)</bdi></strong>\
    <div class="actions"><form method="post" action="\(path)/desk/remove" class="inline">\
    \(context.hiddenFields())\
    <input type="hidden" name="receptionist" value="\(receptionist.person)">\
    <button class="button plain danger small">\(context.text("admin.desk.remove"))\
    <span class="hidden-text"> \(receptionist.name)</span></button></form></div></div></li>
    """
  }

  static func blank(_ context: Context) throws -> Draft {
    _ = try context.database.read { try ClinicPages.find(context, on: $0) }
    return Draft()
  }

  static func assign(
    _ draft: Draft, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let clinic = try ClinicPages.find(context, on: connection)
    guard let person = ID<Person>(draft.account) else {
      throw Refusal.invalid("receptionist", "error.choice")
    }
    try Receptionist.assign(person, to: clinic.id, on: connection)
    return "admin/clinics/\(clinic.id)/desk"
  }

  static func withdraw(_ context: Context) throws -> Response {
    guard let person = ID<Person>(context.request.fields["receptionist"]) else {
      throw Refusal.malformed
    }
    let clinic = try context.database.write { connection in
      let clinic = try ClinicPages.find(context, on: connection)
      try Receptionist.withdraw(person, from: clinic.id, on: connection)
      return clinic.id
    }
    return .redirect(to: "admin/clinics/\(clinic)/desk")
  }
}
