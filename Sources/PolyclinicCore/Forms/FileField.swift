extension Field {
  /// Returns a field for a file of at most `limit` bytes, sent along with the form.
  ///
  /// The draft keeps the file name that the browser sent. The content is in ``Request/files`` under
  /// the field's name, and is usually read in the form's `prepare:`. After a validation error the
  /// user has to choose the file again, because a page cannot preset a file input.
  public static func file(
    _ value: WritableKeyPath<Draft, String> & Sendable, _ name: String, accept: StaticString,
    limit: Int, required: Bool = true, hint: Text? = nil
  ) -> Field {
    let control = Control(name, .file(accept: accept, limit: limit)).asked(required, hint)
    return .single(
      Single(control.taking(255), value, print: { _ in "" }, parse: { $0 }, json: { .string($0) }))
  }
}
