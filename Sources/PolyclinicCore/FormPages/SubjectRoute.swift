/// Forms whose closures share a subject, such as the booking that is rescheduled.
///
/// `subject` finds it and checks that the visitor may see it. It runs once for each page, and again
/// inside the transaction that saves, so that `save` gets the subject as it is then.
extension Route {
  /// Returns a page with a form about a subject, which works like
  /// ``form(_:_:title:cancel:access:submit:again:start:about:instead:prepare:save:)``.
  ///
  /// - `before` returns the response that a request of the page gets in place of the form, such as
  ///   an earlier step; nil for the form.
  /// - `origin` returns the page to which the form leads back in place of `cancel`; nil for
  ///   `cancel`.
  /// - `page` returns the page of the module that contains the form's markup; nil for a page with
  ///   only the form.
  public static func form<Subject, Draft: Sendable>(
    _ path: Path, _ form: Form<Draft>, title: Text, cancel: Path,
    access: Access = .signedIn, submit: Text = "form.save",
    subject: @escaping @Sendable (Context) throws -> Subject,
    before: (@Sendable (Subject, Context) throws -> Response?)? = nil,
    origin: (@Sendable (Context) throws -> Path?)? = nil,
    start: (@Sendable (Subject, Context) throws -> Draft)? = nil,
    about: (@Sendable (Subject, Context) throws -> HTML?)? = nil,
    in page: (@Sendable (HTML, Context) throws -> Page?)? = nil,
    instead: (@Sendable (Subject, Context) throws -> [Choice])? = nil,
    prepare: (@Sendable (inout Draft, Subject, Context) throws -> Void)? = nil,
    save: @escaping @Sendable (Draft, Subject, Context) throws -> Path
  ) -> Route {
    self.form(
      path, form, title: title, cancel: cancel, access: access, submit: submit, subject: subject,
      before: before, origin: origin, start: start, about: about, in: page, instead: instead,
      prepare: prepare
    ) { Redirect(to: try save($0, $1, $2)) }
  }

  /// Returns a page with a form about a subject, whose `save` also returns effects of the response.
  package static func form<Subject, Draft: Sendable>(
    _ path: Path, _ form: Form<Draft>, title: Text, cancel: Path,
    access: Access = .signedIn, submit: Text = "form.save",
    subject: @escaping @Sendable (Context) throws -> Subject,
    before: (@Sendable (Subject, Context) throws -> Response?)? = nil,
    origin: (@Sendable (Context) throws -> Path?)? = nil,
    start: (@Sendable (Subject, Context) throws -> Draft)? = nil,
    about: (@Sendable (Subject, Context) throws -> HTML?)? = nil,
    in page: (@Sendable (HTML, Context) throws -> Page?)? = nil,
    instead: (@Sendable (Subject, Context) throws -> [Choice])? = nil,
    prepare: (@Sendable (inout Draft, Subject, Context) throws -> Void)? = nil,
    save: @escaping @Sendable (Draft, Subject, Context) throws -> Redirect
  ) -> Route {
    Route(
      path, access: access,
      answer: .form(
        FormPage(
          form: form, title: title, cancel: cancel, submitLabel: submit, load: subject,
          start: start ?? { _, _ in form.blank }, isVersioned: false, prepare: prepare,
          save: save, about: about, instead: instead, before: before,
          inside: page.map { page in { try page($0, $2) } }, origin: origin))
    ).saying(outcome(of: submit))
  }

  /// Returns a question about a subject with Yes and No. Yes runs `save` and leads to the path it
  /// returns; No leads to `cancel`.
  public static func confirm<Subject>(
    _ path: Path, title: Text,
    subject: @escaping @Sendable (Context) throws -> Subject,
    question: @escaping @Sendable (Subject, Context) throws -> HTML, yes: Text = "form.yes",
    cancel: Path, access: Access = .signedIn,
    save: @escaping @Sendable (Subject, Context) throws -> Path
  ) -> Route {
    confirm(
      path, Form(()), title: title, subject: subject, question: question, yes: yes,
      cancel: cancel, access: access
    ) { _, subject, context in try save(subject, context) }
  }

  /// Returns a question about a subject with Yes and No, and with fields that are sent with Yes,
  /// such as a reason. `before` returns the response that a request of the page gets in place of the
  /// question; nil for the question.
  public static func confirm<Subject, Draft: Sendable>(
    _ path: Path, _ form: Form<Draft>, title: Text,
    subject: @escaping @Sendable (Context) throws -> Subject,
    before: (@Sendable (Subject, Context) throws -> Response?)? = nil,
    question: @escaping @Sendable (Subject, Context) throws -> HTML, yes: Text = "form.yes",
    cancel: Path, access: Access = .signedIn,
    save: @escaping @Sendable (Draft, Subject, Context) throws -> Path
  ) -> Route {
    Route(
      path, access: access,
      answer: .form(
        FormPage(
          form: form, title: title, cancel: cancel, submitLabel: yes,
          load: subject,
          start: { _, _ in form.blank }, isVersioned: false, prepare: nil,
          save: { Redirect(to: try save($0, $1, $2)) }, about: question, before: before,
          kind: .question)))
  }
}
