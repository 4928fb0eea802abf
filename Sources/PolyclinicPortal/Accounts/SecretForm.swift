import PolyclinicCore

/// A form whose answer shows a new secret. No other page can show it, because only its hash is
/// stored.
struct SecretForm: FormAnswer {
  let form: any FormAnswer
  /// The page that shows the secret of the form's effects.
  let page: @Sendable (String, Context) -> Page

  /// Returns the form's route, with the secret's page in place of the redirect.
  static func route(
    _ path: Path, _ form: Route, page: @escaping @Sendable (String, Context) -> Page
  ) -> Route {
    guard case .form(let answer) = form.answer else { return form }
    return Route(
      path, access: .signedIn, answer: .form(SecretForm(form: answer, page: page)))
  }

  func show(_ context: Context) throws -> Response { try form.show(context) }

  func submit(_ context: Context) throws -> Response {
    let answer = try form.submit(context)
    guard answer.status == 303, let effects = answer.effects, let secret = effects.secret else {
      return answer
    }
    return Response.page(page(secret, context)).with(effects)
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    try form.showAgain(context, because: reason, status: status)
  }

  func carried(_ sent: Fields) -> Fields { form.carried(sent) }
}
