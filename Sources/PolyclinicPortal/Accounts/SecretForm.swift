import PolyclinicCore

extension Route {
  /// Returns this form with the secret's page in place of the redirect.
  func showingSecret(
    on page: @escaping @Sendable (String, Context) throws -> Page
  ) -> Route {
    guard case .form(let form) = answer else { return self }
    return Route(
      Path(checked: pattern), access: access, answer: .form(SecretForm(form: form, page: page)))
  }
}

/// A form whose answer shows a new secret. No other page can show it, because only its hash is
/// stored.
private struct SecretForm: FormAnswer {
  let form: any FormAnswer
  /// The page that shows the secret of the form's effects.
  let page: @Sendable (String, Context) throws -> Page

  func show(_ context: Context) throws -> Response { try form.show(context) }

  func submit(_ context: Context) throws -> Response {
    let answer = try form.submit(context)
    guard answer.status == 303, let effects = answer.effects, let secret = effects.secret else {
      return answer
    }
    return Response.page(try page(secret, context)).with(effects)
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    try form.showAgain(context, because: reason, status: status)
  }

  func carried(_ sent: Fields) -> Fields { form.carried(sent) }
}
