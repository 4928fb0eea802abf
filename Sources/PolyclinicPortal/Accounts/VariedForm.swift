import PolyclinicCore

/// A form with further fields for some subjects, such as a code for accounts that have a second
/// factor.
struct VariedForm<Served: RoutedForm>: FormAnswer {
  private let plain: FormPage<Served, Served.Draft>
  private let extended: FormPage<Served, Served.Draft>
  /// The name of one of the further fields.
  private let field: String
  private let isExtended: @Sendable (Context) throws -> Bool

  init(
    _ served: Served.Type, adding fields: [Field<Served.Draft>], named field: String,
    if isExtended: @escaping @Sendable (Context) throws -> Bool
  ) {
    plain = FormPage(served, fields: served.form)
    extended = FormPage(served, fields: served.form.adding(fields))
    self.field = field
    self.isExtended = isExtended
  }

  private func form(_ context: Context) throws -> any FormAnswer {
    try isExtended(context) ? extended : plain
  }

  func show(_ context: Context) throws -> Response { try form(context).show(context) }

  /// Chooses the form by the fields sent, not by the subject. A repeated submission gets the first
  /// answer again, although the subject has changed. The form itself requires its further fields.
  func submit(_ context: Context) throws -> Response {
    try (context.request.fields.contains(field) ? extended : plain).submit(context)
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    try form(context).showAgain(context, because: reason, status: status)
  }

  func carried(_ sent: Fields) -> Fields { plain.carried(sent) }
}
