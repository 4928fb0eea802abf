extension Route {
  /// A page with a form that makes something new.
  ///
  /// The portal shows the form, reads it, shows it again with what is wrong, asks "Discard?" on
  /// Cancel and takes the same form sent twice as once. `start` is what it begins with; `prepare`
  /// does what is slow, such as hashing, before the transaction; `save` runs inside it and says
  /// where to go.
  public static func form<Draft: Sendable>(
    _ path: StaticString, _ form: Form<Draft>, title: Text, cancel: Path,
    access: Access = .signedIn, submit: Text = "form.save",
    start: (@Sendable (Context) throws -> Draft)? = nil,
    prepare: (@Sendable (inout Draft, Context) throws -> Void)? = nil,
    save: @escaping @Sendable (Draft, Context, Connection) throws -> Path
  ) -> Route {
    Route(
      path, access: access,
      answer: .form(
        FormPage(
          form: form, title: title, cancel: cancel, submitLabel: submit,
          start: start ?? { _ in form.blank }, isVersioned: false, prepare: prepare, save: save)))
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
    Route(
      path, access: access,
      answer: .form(
        Question(title: title, question: question, yes: yes, cancel: cancel, save: save)))
  }
}

/// What a form's page does with what it is asked and sent.
struct FormPage<Draft: Sendable>: FormAnswer {
  let form: Form<Draft>
  let title: Text
  let cancel: Path
  let submitLabel: Text
  let start: @Sendable (Context) throws -> Draft
  let isVersioned: Bool
  let prepare: (@Sendable (inout Draft, Context) throws -> Void)?
  let save: @Sendable (Draft, Context, Connection) throws -> Path

  func show(_ context: Context) throws -> Response {
    let draft = try start(context)
    var view = FormView(form: form, fields: form.fields(of: draft), context: context)
    view.version = version(of: draft)
    if let carried = try context.submissions.carriedFields() {
      view.fields = try form.normalized(carried)
      view.message = "form.carried"
      view.version = carried["version"].isEmpty ? view.version : carried["version"]
    }
    return try page(view, status: 200)
  }

  func submit(_ context: Context) throws -> Response {
    let sent = context.request.fields
    if sent["discard"] == "yes" { return .redirect(to: leaving(context)) }
    let draft = try start(context)
    let fields = try form.normalized(sent)
    if sent.contains("cancel") {
      return fields != form.fields(of: draft)
        ? ask(fields, context) : .redirect(to: leaving(context))
    }
    var view = FormView(form: form, fields: fields, context: context)
    view.version = sent["version"]
    view.once = sent["once"]
    if sent["discard"] == "no" { return try page(view, status: 200) }
    if sent.contains("add") || sent.contains("remove") {
      view.fields = sent
      view.changeRows(adding: sent["add"], removing: sent["remove"])
      return try page(view, status: 200)
    }
    return try take(fields, over: draft, view, context)
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    let sent = context.request.fields
    var view = FormView(form: form, fields: try form.normalized(sent), context: context)
    view.version = sent["version"]
    view.message = reason
    return try page(view, status: status)
  }

  func carried(_ sent: Fields) -> Fields {
    form.withoutPasswords(sent).without(["csrf", "once", "person", "cancel", "discard"])
  }

  /// Reads, prepares and saves; whatever is refused comes back with the form as it was typed.
  private func take(
    _ fields: Fields, over base: Draft, _ view: FormView<Draft>, _ context: Context
  ) throws -> Response {
    var view = view
    var (draft, problems) = try form.read(fields, over: base)
    if !problems.isEmpty {
      view.problems = problems
      return try page(view, status: 422)
    }
    do {
      try prepare?(&draft, context)
      return try write(draft, from: version(of: base), view, context)
    } catch Refusal.invalid(let field, let text) {
      view.problems = [Problem(field, text)]
      return try page(view, status: 422)
    } catch Refusal.conflict(let text) {
      view.message = text
      return try page(view, status: 409)
    }
  }

  private func write(
    _ draft: Draft, from base: String, _ view: FormView<Draft>, _ context: Context
  ) throws -> Response {
    let request = context.request
    return try context.database.write { connection in
      if let earlier = try context.submissions.earlierAnswer(
        to: request.fields, of: request, on: connection)
      {
        return .redirect(to: earlier)
      }
      if isVersioned {
        // Loaded again: between the first look and the transaction another may have written.
        let current = try start(context)
        guard version(of: current) == request.fields["version"], base == request.fields["version"]
        else {
          return try conflict(with: current, view)
        }
      }
      let path = try save(draft, context, connection).resolved(in: context.module)
      try context.submissions.remember(path, to: request.fields, of: request, on: connection)
      return .redirect(to: path)
    }
  }
}

extension FormPage {
  private func page(_ view: FormView<Draft>, status: Int) throws -> Response {
    let context = view.context
    return .page(
      Page(
        title, try view.html(submit: submitLabel), back: leaving(context), scripts: view.scripts),
      status: status)
  }

  private func ask(_ fields: Fields, _ context: Context) -> Response {
    var view = FormView(form: form, fields: form.withoutPasswords(fields), context: context)
    view.version = context.request.fields["version"]
    view.once = context.request.fields["once"]
    return .page(Page("form.discard", view.discardQuestion(), width: .narrow))
  }

  private func conflict(with current: Draft, _ view: FormView<Draft>) throws -> Response {
    var view = view
    view.version = version(of: current)
    view.fields = try form.rebased(view.fields, onto: current)
    view.other = form.fields(of: current)
    view.message = "form.conflict"
    return try page(view, status: 409)
  }

  private func version(of draft: Draft) -> String { isVersioned ? form.fingerprint(draft) : "" }

  private func leaving(_ context: Context) -> Path {
    cancel.filled(with: context.request.parameters).resolved(in: context.module)
  }
}

/// A question with Yes and No.
struct Question: FormAnswer {
  let title: Text
  let question: @Sendable (Context) throws -> HTML
  let yes: Text
  let cancel: Path
  let save: @Sendable (Context, Connection) throws -> Path

  func show(_ context: Context) throws -> Response { try page(context, nil, status: 200) }

  func submit(_ context: Context) throws -> Response {
    let request = context.request
    if request.fields.contains("cancel") { return .redirect(to: leaving(context)) }
    do {
      return try context.database.write { connection in
        let submissions = context.submissions
        if let earlier = try submissions.earlierAnswer(
          to: request.fields, of: request, on: connection)
        {
          return .redirect(to: earlier)
        }
        let path = try save(context, connection).resolved(in: context.module)
        try submissions.remember(path, to: request.fields, of: request, on: connection)
        return .redirect(to: path)
      }
    } catch Refusal.conflict(let text) {
      return try page(context, text, status: 409)
    }
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    try page(context, reason, status: status)
  }

  func carried(_ sent: Fields) -> Fields { Fields() }

  private func leaving(_ context: Context) -> Path {
    cancel.filled(with: context.request.parameters).resolved(in: context.module)
  }

  private func page(_ context: Context, _ message: Text?, status: Int) throws -> Response {
    let notice: HTML? = message.map {
      "<div class=\"notice warning\" role=\"alert\"><p>\(context.text($0))</p></div>"
    }
    return .page(
      Page(
        title,
        """
        \(notice)<form class="question" method="post" action="\(context.request.path)">\
        \(try question(context))\(context.hiddenFields())\
        <input type="hidden" name="once" value="\(context.submissions.makeOnce())">\
        <p class="actions"><button class="button danger">\(context.text(yes))</button> \
        <button class="button secondary" name="cancel" value="yes">\
        \(context.text("form.no"))</button></p></form>
        """,
        width: .narrow),
      status: status)
  }
}
