/// The kind of page on which a form is shown.
enum FormKind: Sendable {
  /// A form that is filled in and saved.
  case form
  /// A question with the buttons Yes and No; its fields are sent only with Yes.
  case question

  var cancelLabel: Text { self == .form ? "form.cancel" : "form.no" }
  var name: StaticString { self == .form ? "form" : "question" }
  var submitStyle: HTML.ButtonStyle { self == .form ? [] : .danger }
}

/// Shows, validates and saves a form about a subject: the record that its closures share, or
/// nothing.
package struct FormPage<Subject, Draft: Sendable>: FormAnswer {
  let form: Form<Draft>
  let title: Text
  let cancel: Path
  /// Finds the subject. It runs once for a page, and again inside the transaction that saves.
  let load: @Sendable (Context) throws -> Subject
  let start: @Sendable (Subject, Context) throws -> Draft
  let save: @Sendable (Draft, Subject, Context) throws -> Redirect
  package var submitLabel: Text = "form.save"
  var isVersioned = false
  package var prepare: (@Sendable (inout Draft, Subject, Context) throws -> Void)?
  /// True if the form leads to a further page, which saves.
  package var isStep = false
  /// True if `prepare` does not run for a form that is sent again.
  package var preparesOnce = false
  /// Returns the content above the fields.
  package var about: (@Sendable (Subject, Context) throws -> HTML?)?
  /// Returns the label of the button that leaves the form; nil for that of its kind.
  var cancelLabel: (@Sendable (Subject) throws -> Text)?
  /// Returns the alternatives to a refused choice, such as a slot that is already taken; each is a
  /// button. Throws ``Refusal/invalid(_:_:)`` if nothing can be chosen any more.
  var instead: (@Sendable (Subject) throws -> [Choice])?
  /// Returns the response in place of the form, such as an earlier step; nil for the form.
  var before: (@Sendable (Subject) throws -> Response?)?
  /// Returns the module's own page that contains the form; nil for a page with only the form.
  var inside: (@Sendable (HTML, Subject) throws -> Page?)?
  /// The label of a further button, which saves and opens the form once more; nil for none.
  var again: Text?
  /// Returns the page that the visitor came from, to which the form leads back in place of
  /// `cancel`; nil for `cancel`.
  var origin: (@Sendable (Context) throws -> Path?)?
  /// The kind of page, which decides the labels of its buttons.
  var kind = FormKind.form

  package init(
    _ form: Form<Draft>, title: Text, cancel: Path,
    load: @escaping @Sendable (Context) throws -> Subject,
    start: @escaping @Sendable (Subject, Context) throws -> Draft,
    save: @escaping @Sendable (Draft, Subject, Context) throws -> Redirect
  ) {
    (self.form, self.title, self.cancel) = (form, title, cancel)
    (self.load, self.start, self.save) = (load, start, save)
  }

  package var fileLimit: Int { form.fileLimit }

  package var change: Text? {
    switch kind {
    case .form: isStep ? nil : title
    case .question:
      Text("log.answered", values: ["question": .text(title), "answer": .text(submitLabel)])
    }
  }

  package func show(_ context: Context) throws -> Response {
    let subject = try load(context)
    if let other = try before?(subject) { return other }
    let draft = try start(subject, context)
    var view = FormView(form: form, fields: form.fields(of: draft), context: context)
    view.version = version(of: draft)
    if let carried = try context.admission.restoredFields() {
      view.fields = try form.taken(from: carried, in: context.formats.timeZone).fields
      let isWhole = !form.controls.contains { $0.isPassword && $0.isRequired }
      view.message =
        form.leaves.isEmpty ? nil : isWhole ? "form.carried" : "form.carried.but-passwords"
      view.version = carried["version"].isEmpty ? view.version : carried["version"]
    }
    return try page(view, subject, status: 200)
  }

  package func submit(_ context: Context) throws -> Response {
    if preparesOnce, let earlier = try context.earlierResponse() { return earlier }
    let result = Result { try answer(context) }
    if case .success(let response) = result, response.status < 400 { return response }
    // A refusal may be the result of the first submission, such as of a deleted record.
    return try context.earlierResponse() ?? result.get()
  }

  private func answer(_ context: Context) throws -> Response {
    let sent = context.request.fields
    if sent["discard"] == "yes" { return try leave(context) }
    var submission: Submission
    do {
      submission = try Submission(to: self, in: context)
    } catch Refusal.conflict(let reason) {
      // The record is gone, so show the form again with everything that was typed.
      return sent.contains("cancel")
        ? try leave(context) : try showAgain(context, because: reason, status: 409)
    }
    if sent.contains("cancel") {
      let fields = submission.view.fields
      let isLost = kind == .form && isTouched(fields, submission.stored)
      return try isLost ? ask(fields, context) : leave(context)
    }
    if sent["discard"] == "no" { return try submission.shown(200) }
    if sent.contains("add") || sent.contains("remove") {
      submission.view.fields = sent
      submission.view.changeRows(adding: sent["add"], removing: sent["remove"])
      return try submission.shown(200)
    }
    guard let draft = try submission.draft() else { return try submission.shown(422) }
    do {
      return try submission.save(draft)
    } catch let refusal as Refusal {
      return try submission.shown(after: refusal)
    }
  }

  package func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    let fields = try form.taken(from: context.request.fields, in: context.formats.timeZone).fields
    var view = sentView(fields, context)
    view.message = reason
    return try page(view, status: status)
  }

  package func carried(_ sent: Fields) -> Fields {
    form.withoutPasswords(sent).without(Context.hiddenNames.union(["cancel", "discard"]))
  }

  package func label(of field: String) -> Text? {
    form.controls.first { $0.name == field && $0.isWritten && !$0.isUnasked }?.label
  }

  /// Returns true if the user typed anything. Two kinds of fields are ignored:
  ///
  /// - moments in a new form, because their default is the current time, which passes while the
  ///   form is open
  /// - optional passwords, because browsers fill them in automatically
  private func isTouched(_ fields: Fields, _ draft: Draft) -> Bool {
    let optional = form.controls.filter { $0.isPassword && !$0.isRequired }.map(\.name)
    let besides = Set(optional).union(isVersioned ? [] : form.dateTimes)
    return fields.without(besides) != form.fields(of: draft).without(besides)
  }
}

extension FormPage {
  /// A form that was sent, with the stored draft that it changes.
  private struct Submission {
    let page: FormPage
    let subject: Subject
    let stored: Draft
    let unclear: [Fields.Problem]
    var view: FormView<Draft>

    private var form: Form<Draft> { page.form }
    private var context: Context { view.context }
    private var sent: Fields { context.request.fields }

    init(to page: FormPage, in context: Context) throws {
      self.page = page
      subject = try page.load(context)
      stored = try page.start(subject, context)
      let taken = try page.form.taken(
        from: context.request.fields, over: stored, in: context.formats.timeZone)
      unclear = taken.problems
      view = page.sentView(taken.fields, context)
    }

    /// Returns the draft; nil if the form is to be shown again, with problems or questions.
    mutating func draft() throws -> Draft? {
      view.problems = unclear
      if !unclear.isEmpty { return nil }
      var (draft, problems) = try form.read(view.fields, over: stored)
      problems += form.datesAhead(in: view.fields, besides: problems, context)
      problems += try form.choicesMissing(in: view.fields, context)
      if problems.isEmpty {
        problems = try form.choicesNotOffered(in: view.fields, over: stored, context)
      }
      view.problems = problems
      if !problems.isEmpty { return nil }
      let questions = try form.questions(about: draft, context)
      if Form<Draft>.mark(questions, view.fields) != sent["sure"] { view.doubts = questions }
      return view.doubts.isEmpty ? draft : nil
    }

    /// Prepares the draft, and saves it in a transaction.
    func save(_ draft: Draft) throws -> Response {
      var draft = draft
      try page.prepare?(&draft, subject, context)
      let (prepared, base) = (draft, page.version(of: stored))
      var changed: Draft?
      let response = try context.respondingOnce { context in
        changed = nil
        // Found again, because another request may have written between the first read and the
        // transaction.
        let subject = try page.load(context)
        if page.isVersioned {
          let current = try page.start(subject, context)
          let shown = sent["version"]
          guard page.version(of: current) == shown, base == shown else {
            changed = current
            return Response(409)
          }
        }
        let next = try page.save(prepared, subject, context)
        let isMore = page.again != nil && sent.contains("again")
        let path = isMore ? context.request.path : next.path.resolved(in: context.module)
        return .redirect(to: path).with(next.effects)
      }
      // Shown after the transaction, because what the page shows may add entries to access logs.
      guard let changed, response.status == 409 else { return response }
      return try conflict(with: changed)
    }

    private func conflict(with current: Draft) throws -> Response {
      var view = view
      view.version = page.version(of: current)
      view.fields = try form.rebased(view.fields, onto: current)
      view.other = form.fields(of: current)
      view.message = "form.conflict"
      return try page.page(view, subject, status: 409)
    }

    /// Shows the form as it was typed, after a refusal by what prepares or saves it.
    func shown(after refusal: Refusal) throws -> Response {
      var submission = self
      switch refusal {
      case .invalid(let field, let text):
        submission.view.problems = [Fields.Problem(field, text)]
        return try submission.shown(422)
      case .tooMany(let span):
        submission.view.message = Text("error.wait", count: Int(span.count))
        return try submission.shown(429).adding(.init("Retry-After", String(span.count)))
      case .conflict(let text):
        // Found again, because the conflict may come from a change of the subject.
        let subject = try page.load(view.context)
        do {
          submission.view.instead = try page.instead?(subject) ?? []
        } catch Refusal.invalid(let field, let text) {
          return try shown(after: .invalid(field, text))
        }
        submission.view.message = text
        return try page.page(submission.view, subject, status: 409)
      default: throw refusal
      }
    }

    func shown(_ status: Int) throws -> Response {
      try page.page(view, subject, status: status)
    }
  }
}

extension FormPage {
  /// Returns the page. Without a subject, it finds the subject itself if the page shows it.
  private func page(
    _ view: FormView<Draft>, _ subject: Subject? = nil, status: Int
  ) throws -> Response {
    let context = view.context
    var view = view
    view.kind = kind
    var cancelLabel = kind.cancelLabel
    do {
      if about != nil || inside != nil {
        let subject = try subject ?? load(context)
        view.about = try about?(subject, context)
        if let label = self.cancelLabel { cancelLabel = try label(subject) }
        // Without a cancel button, because the surrounding page has its own links.
        let surrounding = try inside?(view.html(submit: submitLabel), subject)
        if let surrounding { return .page(surrounding, status: status) }
      }
    } catch Refusal.conflict(_) where subject == nil && isVersioned {
      // The record is gone, which the page says already, above what was typed.
    }
    return .page(
      Page(
        title, try view.html(submit: submitLabel, again: again, cancel: cancelLabel),
        back: kind == .form ? try leaving(context) : nil, assets: view.assets),
      status: status)
  }

  private func ask(_ fields: Fields, _ context: Context) -> Response {
    let view = sentView(form.withoutPasswords(fields), context)
    return .page(Page("form.discard", view.discardQuestion()))
  }

  /// Returns the form with these fields, as the record's version that was sent with them.
  private func sentView(_ fields: Fields, _ context: Context) -> FormView<Draft> {
    var view = FormView(form: form, fields: fields, context: context)
    view.version = context.request.fields["version"]
    view.once = context.request.fields["once"]
    return view
  }

  private func version(of draft: Draft) -> String { isVersioned ? form.fingerprint(draft) : "" }

  private func leave(_ context: Context) throws -> Response {
    try context.admission.discardRestoredFields()
    return .redirect(to: try leaving(context))
  }

  private func leaving(_ context: Context) throws -> Path {
    try origin?(context)?.resolved(in: context.module)
      ?? cancel.filled(with: context.request.parameters).resolved(in: context.module)
  }
}
