import PolyclinicCore

/// A login or an e-mail whose password is forgotten.
struct ForgottenPasswordForm: Sendable {
  var login = ""

  static let form = Form<ForgottenPasswordForm>(
    ForgottenPasswordForm(),
    .text(\.login, "login", required: true, limit: 254, autocomplete: "username")
      .labelled("field.login-or-email"))
}

extension AccountsModule {
  var forgottenRoute: Route {
    .form(
      "/login/forgotten", ForgottenPasswordForm.form, in: forgottenPage, access: .everyone,
      submit: "forgotten.submit", prepare: checkRequests, save: noteForgotten)
  }

  /// The form; after it what to do next, and without e-mail what the clinic does instead.
  private func forgottenPage(_ form: HTML, _ context: Context) throws -> Page {
    let sendsMail = try context.front().site.mail != nil
    let content: HTML =
      switch (sendsMail, context.request.query["sent"]) {
      case (false, _): atClinic(context)
      case (true, "yes"):
        """
        <div class="notice success" role="status"><p>\(context.text("forgotten.sent"))</p></div>\
        <p>\(context.text("forgotten.sent.hint"))</p>\(atClinic(context))
        """
      case (true, _): "<p>\(context.text("forgotten.about"))</p>\(form)\(atClinic(context))"
      }
    return Page("forgotten.title", content, back: "/login", width: .entrance)
  }

  private func atClinic(_ context: Context) -> HTML {
    let contact = context.portal.clinic.contact
    let ask: HTML? =
      contact.isEmpty ? nil : "<p class=\"lines\"><bdi>\(contact)</bdi></p>"
    return """
      <section><h2>\(context.text("forgotten.clinic"))</h2>\
      <p>\(context.text("forgotten.clinic.about"))</p>\(ask)</section>
      """
  }

  /// Throws ``Refusal/tooMany(retryAfter:)`` where one address asks again and again.
  private func checkRequests(_ form: inout ForgottenPasswordForm, _ context: Context) throws {
    guard let visit = context.visit else { throw Refusal.notFound }
    let address = visit.wire.address
    let counted = "forgotten:\(address)"
    let wait = try context.database.write { connection -> Seconds? in
      let throttle = visit.front.throttle
      let wait = try throttle.check(
        login: counted, address: address, now: context.now, on: connection)
      if wait == nil {
        try throttle.recordMismatch(
          login: counted, address: address, now: context.now, on: connection)
      }
      return wait
    }
    if let wait { throw Refusal.tooMany(retryAfter: wait) }
  }

  private func noteForgotten(
    _ form: ForgottenPasswordForm, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let front = try context.front()
    guard front.site.mail != nil else { throw Refusal.notFound }
    try ForgottenPassword.note(form.login, front.vault, on: connection)
    return Path("/login/forgotten").query(["sent": "yes"])
  }
}
