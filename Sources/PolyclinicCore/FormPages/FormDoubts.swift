/// Warnings that the user must confirm once: unusual values that are valid, but more often a typing
/// error.
extension Form {
  /// Returns this form with a warning about a field: `rule` returns a warning about a valid but
  /// unusual draft.
  ///
  /// The page shows the form again with the warning, and accepts the same value when it is sent
  /// again. Values from other sources than a page cause no warning, because there is no user to
  /// confirm it.
  public func doubting(
    _ field: String, _ rule: @escaping @Sendable (Draft) -> Text?
  ) -> Form {
    adding(.init(doubts: [{ draft, _ in rule(draft).map { Fields.Problem(field, $0) } }]))
  }

  /// Returns this form with a warning that depends on the visitor's other records, such as the
  /// measurement before.
  public func doubting(
    _ field: String, _ rule: @escaping @Sendable (Draft, Context) throws -> Text?
  ) -> Form {
    adding(
      .init(doubts: [
        { draft, context in
          try context.flatMap { try rule(draft, $0) }.map { Fields.Problem(field, $0) }
        }
      ]))
  }

  /// Returns the warnings for the draft.
  func questions(about draft: Draft, _ context: Context?) throws -> [Fields.Problem] {
    try checks.doubts.compactMap { try $0(draft, context) }
  }

  /// Returns the unusual values as text. The form sends them along as proof that the user saw the
  /// warnings.
  static func mark(_ questions: [Fields.Problem], _ fields: Fields) -> String {
    questions.map { "\($0.field)=\(fields[$0.field])" }.joined(separator: ";")
  }
}

extension FormView {
  /// The warnings, each linked to its field.
  var doubtNotice: HTML? {
    if doubts.isEmpty { return nil }
    return .notice(
      .problem,
      """
      <div><p><strong>\(context.text("form.doubt"))</strong></p><ul>\(each: doubts, { doubt in
          "<li><a href=\"#\(doubt.field)\">\(context.text(doubt.text))</a></li>"
        })</ul></div>
      """, style: " doubts", attributes: " tabindex=\"-1\" autofocus")
  }

  var answeredDoubts: HTML? {
    if doubts.isEmpty { return nil }
    return """
      <input type="hidden" name="sure" value="\(Form<Draft>.mark(doubts, fields))">
      """
  }
}
