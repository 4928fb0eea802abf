extension Route {
  /// Returns a page with a form and its result above it. Nothing is changed, and the query is
  /// neither stored nor part of an address.
  ///
  /// - `start` returns the initial draft.
  /// - `answer` returns the result for the initial draft and for each submitted one.
  /// - `instead` returns buttons with corrected queries for a draft that `answer` refuses.
  /// - `aid` returns the content above the form: another way of filling it in, using `assets`.
  public static func lookup<Draft: Sendable>(
    _ path: Path, _ form: Form<Draft>, title: Text, back: Path,
    access: Access = .signedIn, submit: Text, assets: [Page.Asset] = [],
    aid: @escaping @Sendable (Context) throws -> HTML? = { _ in nil },
    start: @escaping @Sendable (Context) throws -> Draft,
    instead: @escaping @Sendable (Draft, Context) throws -> HTML? = { _, _ in nil },
    answer: @escaping @Sendable (Draft, Context) throws -> HTML
  ) -> Route {
    Route(
      path, access: access,
      answer: .form(
        Lookup(
          form: form, title: title, back: back, submitLabel: submit, assets: assets, aid: aid,
          start: start, instead: instead, answer: answer)))
  }
}

/// Shows a result and the form below it.
struct Lookup<Draft: Sendable>: FormAnswer {
  let form: Form<Draft>
  let title: Text
  let back: Path
  let submitLabel: Text
  let assets: [Page.Asset]
  let aid: @Sendable (Context) throws -> HTML?
  let start: @Sendable (Context) throws -> Draft
  let instead: @Sendable (Draft, Context) throws -> HTML?
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
      view.problems = [Fields.Problem(field, text)]
      return try page(view, instead(draft, context), status: 422)
    }
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    let fields = try form.normalized(context.request.fields)
    var view = FormView(form: form, fields: fields, context: context)
    view.message = reason
    return try page(view, nil, status: status)
  }

  /// Returns no fields, because the query must not be stored.
  func carried(_ sent: Fields) -> Fields { Fields() }

  private func page(_ view: FormView<Draft>, _ answer: HTML?, status: Int) throws -> Response {
    let context = view.context
    let content: HTML = """
      \(answer)\(try aid(context))\(try view.html(submit: submitLabel, cancel: nil))
      """
    return .page(
      Page(
        title, content, back: back.resolved(in: context.module), assets: view.assets + assets,
        width: answer?.isEmpty == false ? .wide : .regular),
      status: status)
  }
}
