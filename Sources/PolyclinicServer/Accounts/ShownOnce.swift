import PolyclinicCore

/// A form that is answered by what it made, which no other page can show: only a hash of it is stored.
struct ShownOnce: FormAnswer {
  let form: any FormAnswer
  /// The page of the secret that ``Visit/secret`` holds.
  let page: @Sendable (String, Context) -> Page

  /// The route of a form, with its secret's page in place of the redirect.
  static func route(
    _ path: StaticString, _ form: Route, page: @escaping @Sendable (String, Context) -> Page
  ) -> Route {
    guard case .form(let answer) = form.answer else { return form }
    return Route(
      path, access: .signedIn, answer: .form(ShownOnce(form: answer, page: page)))
  }

  func show(_ context: Context) throws -> Response { try form.show(context) }

  func submit(_ context: Context) throws -> Response {
    let answer = try form.submit(context)
    guard answer.status == 303, let secret = context.visit?.secret else { return answer }
    return .page(page(secret, context))
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    try form.showAgain(context, because: reason, status: status)
  }

  func carried(_ sent: Fields) -> Fields { form.carried(sent) }
}
