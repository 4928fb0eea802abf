extension Route {
  /// A page with a form that makes something new.
  ///
  /// The portal shows the form, reads it, shows it again with what is wrong, asks "Discard?" on
  /// Cancel and takes the same form sent twice as once. `start` is what it begins with; `prepare`
  /// does what is slow, such as hashing, before the transaction; `save` runs inside it and says
  /// where to go. `about` stands above the fields. Where `save` throws ``Refusal/conflict(_:)``, each
  /// choice of `instead` is a button that sends the form again, its value in the field `instead`.
  public static func form<Draft: Sendable>(
    _ path: StaticString, _ form: Form<Draft>, title: Text, cancel: Path,
    access: Access = .signedIn, submit: Text = "form.save",
    start: (@Sendable (Context) throws -> Draft)? = nil,
    about: (@Sendable (Context) throws -> HTML?)? = nil,
    instead: (@Sendable (Context) throws -> [Choice])? = nil,
    prepare: (@Sendable (inout Draft, Context) throws -> Void)? = nil,
    save: @escaping @Sendable (Draft, Context, Connection) throws -> Path
  ) -> Route {
    Route(
      path, access: access,
      answer: .form(
        FormPage(
          form: form, title: title, cancel: cancel, submitLabel: submit,
          start: start ?? { _ in form.blank }, isVersioned: false, prepare: prepare, save: save,
          about: about, instead: instead)))
  }

  /// A form that makes something new, in a page of the module's own, such as below the list of what there is.
  ///
  /// As any other; `page` gets the form, with its summary of errors, and puts it where it belongs.
  public static func form<Draft: Sendable>(
    _ path: StaticString, _ form: Form<Draft>,
    in page: @escaping @Sendable (HTML, Context) throws -> Page,
    access: Access = .signedIn, submit: Text = "form.save",
    prepare: (@Sendable (inout Draft, Context) throws -> Void)? = nil,
    save: @escaping @Sendable (Draft, Context, Connection) throws -> Path
  ) -> Route {
    Route(
      path, access: access,
      answer: .form(
        FormPage(
          form: form, title: submit, cancel: Path(stringLiteral: path), submitLabel: submit,
          start: { _ in form.blank }, isVersioned: false, prepare: prepare, save: save, inside: page
        )))
  }

  /// A page with a form that changes what `load` finds.
  ///
  /// As a form that makes something new; besides, a form that was filled in from an older state is
  /// not saved: both states are shown.
  public static func form<Draft: Sendable>(
    _ path: StaticString, _ form: Form<Draft>, title: Text, cancel: Path,
    access: Access = .signedIn, submit: Text = "form.save",
    load: @escaping @Sendable (Context) throws -> Draft,
    prepare: (@Sendable (inout Draft, Context) throws -> Void)? = nil,
    save: @escaping @Sendable (Draft, Context, Connection) throws -> Path
  ) -> Route {
    Route(
      path, access: access,
      answer: .form(
        FormPage(
          form: form, title: title, cancel: cancel, submitLabel: submit, start: load,
          isVersioned: true, prepare: prepare, save: save)))
  }

  /// A question with Yes and No: Yes runs `save` and goes where it says, No goes to `cancel`.
  public static func confirm(
    _ path: StaticString, title: Text, question: @escaping @Sendable (Context) throws -> HTML,
    yes: Text = "form.yes", cancel: Path, access: Access = .signedIn,
    save: @escaping @Sendable (Context, Connection) throws -> Path
  ) -> Route {
    confirm(
      path, Form(()), title: title, question: question, yes: yes, cancel: cancel, access: access
    ) { _, context, connection in try save(context, connection) }
  }

  /// A question with Yes and No, and with fields that are sent along with Yes, such as a reason.
  public static func confirm<Draft: Sendable>(
    _ path: StaticString, _ form: Form<Draft>, title: Text,
    question: @escaping @Sendable (Context) throws -> HTML, yes: Text = "form.yes", cancel: Path,
    access: Access = .signedIn,
    save: @escaping @Sendable (Draft, Context, Connection) throws -> Path
  ) -> Route {
    Route(
      path, access: access,
      answer: .form(
        FormPage(
          form: form, title: title, cancel: cancel, submitLabel: yes, start: { _ in form.blank },
          isVersioned: false, prepare: nil, save: save, about: question, kind: .question)))
  }
}
