import PolyclinicCore

/// The form for a forgotten password: a login or an e-mail.
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

  /// The page with the form, or with the next steps after it was sent. If the portal sends no
  /// e-mail, it shows how the clinic can help instead.
  private func forgottenPage(_ form: HTML, _ context: Context) throws -> Page {
    let sendsMail = server().site.sendsMail
    let content: HTML =
      switch (sendsMail, context.request.query["sent"]) {
      case (false, _): try atClinic("forgotten.clinic.only", context)
      case (true, "yes"):
        """
        \(context.notice(.outcome, "forgotten.sent"))\
        <p>\(context.text("forgotten.sent.hint"))</p>\(try atClinic("forgotten.clinic", context))
        """
      case (true, _):
        "<p>\(context.text("forgotten.about"))</p>\(form)\(try atClinic("forgotten.clinic", context))"
      }
    return Page("forgotten.title", content, back: "/login", width: .entrance)
  }

  private func atClinic(_ heading: Text, _ context: Context) throws -> HTML {
    let contact = context.portal.clinic.contact
    let ask: HTML? =
      contact.isEmpty ? nil : "<p class=\"lines\"><bdi>\(contact)</bdi></p>"
    return """
      <section><h2>\(context.text(heading))</h2>\
      <p>\(context.text("forgotten.clinic.about"))</p>\(ask)\(actions: try call(context))</section>
      """
  }

  /// Returns the button that calls the only clinic, or else the link to the list of clinics; nil
  /// without clinics.
  private func call(_ context: Context) throws -> HTML? {
    guard let contacts = context.portal.find((any Portal.ClinicContacts).self) else { return nil }
    let phone = try contacts.phone(for: context.visitor?.person, in: context)
    return phone.flatMap { context.callButton(Text("forgotten.call", ["phone": $0]), $0) }
      ?? context.button("forgotten.clinics", to: contacts.list, style: .secondary)
  }

  /// Counts the request. Throws ``Refusal/tooMany(retryAfter:)`` after too many from one address.
  private func checkRequests(_ form: inout ForgottenPasswordForm, _ context: Context) throws {
    let address = context.request.client.address
    let counted = "forgotten:\(address)"
    let wait = try context.write { context -> Seconds? in
      let throttle = server().throttle
      let wait = try throttle.check(
        login: counted, address: address, now: context.now, on: context)
      if wait == nil {
        try throttle.recordMismatch(
          login: counted, address: address, now: context.now, on: context)
      }
      return wait
    }
    if let wait { throw Refusal.tooMany(retryAfter: wait) }
  }

  private func noteForgotten(
    _ form: ForgottenPasswordForm, _ context: Context
  ) throws -> Path {
    let server = self.server()
    guard server.site.sendsMail else { throw Refusal.notFound }
    try ForgottenPassword.note(form.login, server.vault, on: context)
    return Path("/login/forgotten").query(["sent": "yes"])
  }
}
