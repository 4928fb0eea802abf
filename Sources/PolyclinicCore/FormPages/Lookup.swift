/// A form at an address of its own with its result below it. Nothing is changed, and the query is
/// neither stored nor part of an address.
package protocol RoutedLookup: Routed {
  /// The values of the fields.
  associatedtype Query: Sendable
  /// The title of the page.
  static var title: Text { get }
  /// The fields.
  static var form: Form<Query> { get }
  /// The label of the button that asks.
  static var submit: Text { get }
  /// The words that unfold the form above a result.
  static var another: Text { get }
  /// The page to which the form leads back.
  static var back: Path { get }
  /// The style sheets and scripts of the content around the fields.
  static var assets: [Page.Asset] { get }

  /// The content above the form: another way of filling it in.
  var aid: HTML { get throws }
  /// The initial query.
  var start: Query { get throws }
  /// Returns the result for the initial query and for each submitted one. Throws
  /// ``Refusal/invalid(_:_:)`` for one without a result.
  func answer(to query: Query) throws -> HTML
  /// Returns buttons with corrected queries for one that ``answer(to:)`` refuses.
  func suggestions(for query: Query) throws -> HTML
}

extension RoutedLookup {
  package static var route: Route {
    Route(address.pattern, access: access, answer: .form(LookupPage<Self>()))
  }
}

/// Shows the form, folded up above a result.
private struct LookupPage<Lookup: RoutedLookup>: FormAnswer {
  private var form: Form<Lookup.Query> { Lookup.form }

  func show(_ context: Context) throws -> Response {
    let lookup = try Lookup(context)
    let query = try lookup.start
    let view = FormView(form: form, fields: form.fields(of: query), context: context)
    return try lookup.page(view, lookup.answer(to: query), status: 200)
  }

  func submit(_ context: Context) throws -> Response {
    let (fields, unclear) = try form.taken(
      from: context.request.fields, in: context.formats.timeZone)
    var view = FormView(form: form, fields: fields, context: context)
    let (query, misread) = try form.read(fields, over: form.blank)
    let problems = unclear.isEmpty ? misread : unclear
    view.problems =
      problems.isEmpty
      ? try form.choicesNotOffered(in: fields, over: form.blank, context) : problems
    let lookup = try Lookup(context)
    guard view.problems.isEmpty else { return try lookup.page(view, nil, status: 422) }
    do {
      return try lookup.page(view, lookup.answer(to: query), status: 200)
    } catch Refusal.invalid(let field, let text) {
      view.problems = [Fields.Problem(field, text)]
      return try lookup.page(view, lookup.suggestions(for: query), status: 422)
    }
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    let fields = try form.normalized(context.request.fields)
    var view = FormView(form: form, fields: fields, context: context)
    view.message = reason
    return try Lookup(context).page(view, nil, status: status)
  }

  /// Returns no fields, because the query must not be stored.
  func carried(_ sent: Fields) -> Fields { Fields() }
}

extension RoutedLookup {
  fileprivate func page(
    _ view: FormView<Query>, _ answer: HTML?, status: Int
  ) throws -> Response {
    let (aid, form) = (try aid, try view.html(submit: Self.submit))
    let isAnswered = status == 200 && answer?.isEmpty == false
    let content: HTML =
      isAnswered
      ? """
      \(aid)<details class="fold"><summary>\(view.context.text(Self.another))</summary>\(form)\
      </details>\(answer)
      """
      : "\(answer)\(aid)\(form)"
    return .page(
      Page(
        Self.title, content, back: Self.back.resolved(in: view.context.module),
        assets: view.assets + Self.assets, width: isAnswered ? .wide : .regular),
      status: status)
  }
}
