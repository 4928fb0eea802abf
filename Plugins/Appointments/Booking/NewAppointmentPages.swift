import PolyclinicCore

/// The first steps of an appointment, at `new`: the specialization and the doctor of a booking, and
/// the form for an appointment elsewhere.
enum NewAppointmentPages {
  static let route = Route.form(
    "new", PersonalAppointment.form, title: "personal.new", cancel: "", subject: { _ in },
    before: { _, context in try step(context) },
    about: { _, context in PersonalPages.about(context) },
    in: page, save: { draft, _, context in try PersonalPages.create(draft, context) }
  ).saying("personal.saved").leadingBack(to: "new?with=doctor").readableByEveryone

  /// Returns the page in place of the form: the doctors of a specialization, the times of a doctor,
  /// and the specializations without the form, if it cannot be sent or is not wanted.
  private static func step(_ context: Context) throws -> Response? {
    let query = context.request.query
    if query.contains("doctor") { return .redirect(to: Path("book").query(query)) }
    if query.contains("specialization") { return try SpecialistPages.showDoctors(context) }
    if query["with"] == "personal" {
      _ = try context.signedIn()
      return nil
    }
    return context.visitor == nil || query.contains("clinic") || query.contains("with")
      ? .page(try SpecialistPages.specializations(above: HTML(), context)) : nil
  }

  /// Returns the page of specializations, with the form folded up below them; nil for the page with
  /// the form alone, which a form that was sent gets.
  private static func page(_ form: HTML, _ context: Context) throws -> Page? {
    context.request.method == .post || context.request.query["with"] == "personal"
      ? nil : try SpecialistPages.specializations(above: form, context)
  }
}
