extension Route {
  /// A page with a form whose answer stands below it: nothing is changed, and what was asked is kept
  /// nowhere and never gets into an address.
  ///
  /// `start` is what the form begins with; `answer` shows what there is to say to it, and to each that
  /// is sent. `aid` stands above the form: another way of filling it in, with `scripts`.
  public static func lookup<Draft: Sendable>(
    _ path: StaticString, _ form: Form<Draft>, title: Text, back: Path,
    access: Access = .signedIn, submit: Text, scripts: [StaticString] = [],
    aid: @escaping @Sendable (Context) throws -> HTML? = { _ in nil },
    start: @escaping @Sendable (Context) throws -> Draft,
    answer: @escaping @Sendable (Draft, Context) throws -> HTML
  ) -> Route {
    Route(
      path, access: access,
      answer: .form(
        Lookup(
          form: form, title: title, back: back, submitLabel: submit, scripts: scripts, aid: aid,
          start: start, answer: answer)))
  }
}

/// What a page with a form and its answer does with what it is asked.
struct Lookup<Draft: Sendable>: FormAnswer {
  let form: Form<Draft>
  let title: Text
  let back: Path
  let submitLabel: Text
  let scripts: [StaticString]
  let aid: @Sendable (Context) throws -> HTML?
  let start: @Sendable (Context) throws -> Draft
  let answer: @Sendable (Draft, Context) throws -> HTML

  func show(_ context: Context) throws -> Response {
    let draft = try start(context)
    let view = FormView(form: form, fields: form.fields(of: draft), context: context)
    return try page(view, answer(draft, context), status: 200)
  }

  func submit(_ context: Context) throws -> Response {
    let (fields, unclear) = try form.taken(
      from: context.request.fields, in: context.formats.timeZone)
    var view = FormView(form: form, fields: fields, context: context)
    let (draft, misread) = try form.read(fields, over: form.blank)
    let problems = unclear.isEmpty ? misread : unclear
    view.problems =
      problems.isEmpty
      ? try form.choicesNotOffered(in: fields, over: form.blank, context) : problems
    guard view.problems.isEmpty else { return try page(view, nil, status: 422) }
    do {
      return try page(view, answer(draft, context), status: 200)
    } catch Refusal.invalid(let field, let text) {
      view.problems = [Problem(field, text)]
      return try page(view, nil, status: 422)
    }
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    let fields = try form.normalized(context.request.fields)
    var view = FormView(form: form, fields: fields, context: context)
    view.message = reason
    return try page(view, nil, status: status)
  }

  /// Nothing: what was asked is not kept for later.
  func carried(_ sent: Fields) -> Fields { Fields() }

  private func page(_ view: FormView<Draft>, _ answer: HTML?, status: Int) throws -> Response {
    let context = view.context
    let content: HTML = """
      \(try aid(context))\(try view.html(submit: submitLabel, cancel: nil))\(answer)
      """
    return .page(
      Page(
        title, content, back: back.resolved(in: context.module), scripts: view.scripts + scripts),
      status: status)
  }
}
