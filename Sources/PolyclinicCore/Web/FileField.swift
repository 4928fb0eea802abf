extension Field {
  /// A file of at most `limit` bytes, sent along with the form.
  ///
  /// The draft keeps what the browser called the file; its content is ``Request/files`` under the
  /// field's name, most often read in the form's `prepare:`. A browser cannot be told a file: where the
  /// form comes back with what is wrong, the file is to be chosen anew.
  public static func file(
    _ value: WritableKeyPath<Draft, String> & Sendable, _ name: String, accept: StaticString,
    limit: Int, required: Bool = true, hint: Text? = nil
  ) -> Field {
    var control = Control(name, .file(accept: accept, limit: limit))
    control.isRequired = required
    control.limit = 255
    control.hint = hint
    return .single(
      Single(control, value, print: { _ in "" }, parse: { $0 }, json: { .string($0) }))
  }
}
