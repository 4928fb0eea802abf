/// What is asked about once: values that may be right, and are more often a slip of the finger.
extension Form {
  /// This form with a doubt about a field: `rule` says what is unusual about a draft without mistakes.
  /// The page shows the form with it, and takes the same value when it is sent again.
  ///
  /// It is a question to people: what is read from elsewhere than a page is not asked about.
  public func doubting(
    _ field: String, _ rule: @escaping @Sendable (Draft) -> Text?
  ) -> Form {
    var form = self
    form.doubts.append { draft in rule(draft).map { Problem(field, $0) } }
    return form
  }

  /// What the page asks about, if the values in doubt are not those that were asked about already.
  func questions(about draft: Draft, _ fields: Fields, answered: String) -> [Problem] {
    let questions = doubts.compactMap { $0(draft) }
    return answered == Self.mark(questions, fields) ? [] : questions
  }

  /// The values in doubt: sent along with the form, they say that it was asked about them.
  static func mark(_ questions: [Problem], _ fields: Fields) -> String {
    questions.map { "\($0.field)=\(fields[$0.field])" }.joined(separator: ";")
  }
}

extension FormView {
  /// Each question a link to its field, and a hidden word that it was asked.
  var doubtNotice: HTML? {
    if doubts.isEmpty { return nil }
    return """
      <div class="notice warning doubts" role="alert" tabindex="-1" autofocus><div>\
      <p><strong>\(context.text("form.doubt"))</strong></p><ul>\(each: doubts, { doubt in
        "<li><a href=\"#\(doubt.field)\">\(context.text(doubt.text))</a></li>"
      })</ul></div></div>
      """
  }

  var answeredDoubts: HTML? {
    if doubts.isEmpty { return nil }
    return """
      <input type="hidden" name="sure" value="\(Form<Draft>.mark(doubts, fields))">
      """
  }
}
