extension Route {
  /// Returns a page with a form that creates a record.
  ///
  /// The portal shows the form, parses it, shows it again with its errors, asks "Discard?" on
  /// Cancel, and saves a form that is sent twice only once.
  ///
  /// - `start` returns the initial draft.
  /// - `again` is the label of a further button, which saves and opens the form once more.
  /// - `about` returns the content above the fields.
  /// - `prepare` does slow work, such as hashing, before the transaction.
  /// - `save` runs inside the transaction and returns the path of the next page.
  /// - `instead` returns the alternatives if `save` throws ``Refusal/conflict(_:)``. Each is a
  ///   button that sends the form again with its value in the field `instead`. It throws
  ///   ``Refusal/invalid(_:_:)`` if nothing can be chosen any more; the form then shows that
  ///   reason.
  public static func form<Draft: Sendable>(
    _ path: Path, _ form: Form<Draft>, title: Text, cancel: Path,
    access: Access = .signedIn, submit: Text = "form.save", again: Text? = nil,
    start: (@Sendable (Context) throws -> Draft)? = nil,
    about: (@Sendable (Context) throws -> HTML?)? = nil,
    instead: (@Sendable (Context) throws -> [Choice])? = nil,
    prepare: (@Sendable (inout Draft, Context) throws -> Void)? = nil,
    save: @escaping @Sendable (Draft, Context) throws -> Path
  ) -> Route {
    self.form(
      path, form, title: title, cancel: cancel, access: access, submit: submit, again: again,
      start: start, about: about, instead: instead, prepare: prepare
    ) { Redirect(to: try save($0, $1)) }
  }

  /// Returns a form that creates a record, within a page of the module, such as below a list.
  ///
  /// It works like any other form. `page` gets the form's markup with its error summary, and
  /// returns the page that contains it.
  public static func form<Draft: Sendable>(
    _ path: Path, _ form: Form<Draft>,
    in page: @escaping @Sendable (HTML, Context) throws -> Page,
    access: Access = .signedIn, submit: Text = "form.save",
    prepare: (@Sendable (inout Draft, Context) throws -> Void)? = nil,
    save: @escaping @Sendable (Draft, Context) throws -> Path
  ) -> Route {
    Route(
      path, access: access,
      answer: .form(
        FormPage(
          form: form, title: submit, cancel: path, submitLabel: submit,
          load: { _ in }, start: { _, _ in form.blank }, isVersioned: false,
          prepare: prepare.map { prepare in { try prepare(&$0, $2) } },
          save: { Redirect(to: try save($0, $2)) }, inside: { try page($0, $2) }))
    ).saying(outcome(of: submit))
  }

  /// Returns a page with a form that changes the record that `load` returns.
  ///
  /// It works like a form that creates a record. In addition, a form filled in from an outdated
  /// version is not saved; the page shows the stored and the typed values instead.
  ///
  /// `about` returns the content above the fields, and `origin` the page to which the form leads
  /// back in place of `cancel`; nil for `cancel`.
  public static func form<Draft: Sendable>(
    _ path: Path, _ form: Form<Draft>, title: Text, cancel: Path,
    access: Access = .signedIn, submit: Text = "form.save",
    origin: (@Sendable (Context) throws -> Path?)? = nil,
    load: @escaping @Sendable (Context) throws -> Draft,
    about: (@Sendable (Context) throws -> HTML?)? = nil,
    prepare: (@Sendable (inout Draft, Context) throws -> Void)? = nil,
    save: @escaping @Sendable (Draft, Context) throws -> Path
  ) -> Route {
    self.form(
      path, form, title: title, cancel: cancel, access: access, submit: submit, origin: origin,
      load: load, about: about, prepare: prepare
    ) { Redirect(to: try save($0, $1)) }
  }

  /// Returns a question with Yes and No. Yes runs `save` and leads to the path it returns; No leads
  /// to `cancel`.
  public static func confirm(
    _ path: Path, title: Text, question: @escaping @Sendable (Context) throws -> HTML,
    yes: Text = "form.yes", cancel: Path, access: Access = .signedIn,
    save: @escaping @Sendable (Context) throws -> Path
  ) -> Route {
    confirm(
      path, Form(()), title: title, question: question, yes: yes, cancel: cancel, access: access
    ) { _, context in try save(context) }
  }

  /// Returns a question with Yes and No, and with fields that are sent with Yes, such as a reason.
  /// `prepare` does slow work before the transaction.
  public static func confirm<Draft: Sendable>(
    _ path: Path, _ form: Form<Draft>, title: Text,
    question: @escaping @Sendable (Context) throws -> HTML, yes: Text = "form.yes", cancel: Path,
    access: Access = .signedIn,
    prepare: (@Sendable (inout Draft, Context) throws -> Void)? = nil,
    save: @escaping @Sendable (Draft, Context) throws -> Path
  ) -> Route {
    confirm(
      path, form, title: title, question: question, yes: yes, cancel: cancel, access: access,
      prepare: prepare
    ) { Redirect(to: try save($0, $1)) }
  }
}

extension Route {
  /// Returns a page with a form like
  /// ``form(_:_:title:cancel:access:submit:again:start:about:instead:prepare:save:)``, whose `save`
  /// also returns effects of the response. `origin` returns the page to which it leads back in
  /// place of `cancel`, if the request names one.
  package static func form<Draft: Sendable>(
    _ path: Path, _ form: Form<Draft>, title: Text, cancel: Path,
    access: Access = .signedIn, submit: Text = "form.save", again: Text? = nil,
    origin: (@Sendable (Context) throws -> Path?)? = nil,
    start: (@Sendable (Context) throws -> Draft)? = nil,
    about: (@Sendable (Context) throws -> HTML?)? = nil,
    instead: (@Sendable (Context) throws -> [Choice])? = nil,
    prepare: (@Sendable (inout Draft, Context) throws -> Void)? = nil,
    save: @escaping @Sendable (Draft, Context) throws -> Redirect
  ) -> Route {
    Route(
      path, access: access,
      answer: .form(
        FormPage(
          form: form, title: title, cancel: cancel, submitLabel: submit, load: { _ in },
          start: { try start?($1) ?? form.blank }, isVersioned: false,
          prepare: prepare.map { prepare in { try prepare(&$0, $2) } },
          save: { try save($0, $2) }, about: about.map { about in { try about($1) } },
          instead: instead.map { instead in { try instead($1) } }, again: again, origin: origin))
    ).saying(outcome(of: submit))
  }

  /// Returns a page with a form that changes a record, whose `save` also returns effects of the
  /// response.
  package static func form<Draft: Sendable>(
    _ path: Path, _ form: Form<Draft>, title: Text, cancel: Path,
    access: Access = .signedIn, submit: Text = "form.save",
    origin: (@Sendable (Context) throws -> Path?)? = nil,
    load: @escaping @Sendable (Context) throws -> Draft,
    about: (@Sendable (Context) throws -> HTML?)? = nil,
    prepare: (@Sendable (inout Draft, Context) throws -> Void)? = nil,
    save: @escaping @Sendable (Draft, Context) throws -> Redirect
  ) -> Route {
    var content: (@Sendable (Draft, Context) throws -> HTML?)?
    if let about { content = { _, context in try about(context) } }
    return change(
      path, form, title: title, cancel: cancel, access: access, submit: submit, origin: origin,
      load: load, about: content, prepare: prepare
    ) { draft, _, context in try save(draft, context) }
  }

  /// Returns a page with a form that changes a record. `about` gets the stored record, and `save`
  /// gets it after the draft.
  static func change<Draft: Sendable>(
    _ path: Path, _ form: Form<Draft>, title: Text, cancel: Path,
    access: Access = .signedIn, submit: Text = "form.save",
    origin: (@Sendable (Context) throws -> Path?)? = nil,
    load: @escaping @Sendable (Context) throws -> Draft,
    about: (@Sendable (Draft, Context) throws -> HTML?)? = nil,
    prepare: (@Sendable (inout Draft, Context) throws -> Void)? = nil,
    save: @escaping @Sendable (Draft, Draft, Context) throws -> Redirect
  ) -> Route {
    Route(
      path, access: access,
      answer: .form(
        FormPage(
          form: form, title: title, cancel: cancel, submitLabel: submit, load: load,
          start: { draft, _ in draft }, isVersioned: true,
          prepare: prepare.map { prepare in { try prepare(&$0, $2) } }, save: save,
          about: about, origin: origin))
    ).saying(outcome(of: submit))
  }

  /// Returns the notice after a form with this button; nil if the button does more than save.
  static func outcome(of submit: Text) -> Text? {
    submit == "form.save" ? "form.saved" : nil
  }

  /// Returns a question with Yes and No, whose `save` also returns effects of the response.
  package static func confirm(
    _ path: Path, title: Text, question: @escaping @Sendable (Context) throws -> HTML,
    yes: Text = "form.yes", cancel: Path, access: Access = .signedIn,
    save: @escaping @Sendable (Context) throws -> Redirect
  ) -> Route {
    confirm(
      path, Form(()), title: title, question: question, yes: yes, cancel: cancel, access: access
    ) { _, context in try save(context) }
  }

  /// Returns a question with Yes and No and with fields, whose `save` also returns effects of the
  /// response.
  package static func confirm<Draft: Sendable>(
    _ path: Path, _ form: Form<Draft>, title: Text,
    question: @escaping @Sendable (Context) throws -> HTML, yes: Text, cancel: Path,
    access: Access = .signedIn, prepare: (@Sendable (inout Draft, Context) throws -> Void)? = nil,
    save: @escaping @Sendable (Draft, Context) throws -> Redirect
  ) -> Route {
    Route(
      path, access: access,
      answer: .form(
        FormPage(
          form: form, title: title, cancel: cancel, submitLabel: yes, load: { _ in },
          start: { _, _ in form.blank }, isVersioned: false,
          prepare: prepare.map { prepare in { try prepare(&$0, $2) } },
          save: { try save($0, $2) }, about: { try question($1) }, kind: .question)))
  }
}
