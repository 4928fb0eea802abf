import PolyclinicCore
import PolyclinicWeb

/// The form for a forgotten password: a login or an e-mail.
struct ForgottenPasswordPage: RoutedForm {
  static let address: Address<Void> = "/login/forgotten"
  static let access = Access.everyone
  static let title: Text = "forgotten.title"
  static let submit: Text = "forgotten.submit"
  static let preparesOnce = true
  static var cancel: Path { path }

  struct Draft: Sendable {
    var login = ""
  }

  static let form = Form<Draft>(
    Draft(),
    .text(\.login, "login", required: true, limit: 254, autocomplete: "username")
      .labelled("field.login-or-email"))

  private let context: Context

  init(_ context: Context) { self.context = context }

  /// The page with the form, or with the next steps after it was sent. If the portal sends no
  /// e-mail, it shows how the clinic can help instead.
  func page(around form: HTML) throws -> Page? {
    let content: HTML =
      switch (context.server.site.sendsMail, context.request.query["sent"]) {
      case (false, _): atClinic("forgotten.clinic.only")
      case (true, "yes"):
        """
        \(context.notice(.outcome, "forgotten.sent"))\
        <p>\(context.text("forgotten.sent.hint"))</p>\(atClinic("forgotten.clinic"))
        """
      case (true, _):
        "<p>\(context.text("forgotten.about"))</p>\(form)\(atClinic("forgotten.clinic"))"
      }
    return Page(Self.title, content, back: SignInPage.address.path, width: .entrance)
  }

  private func atClinic(_ heading: Text) -> HTML {
    let contact = context.portal.clinic.contact
    let ask: HTML? = contact.isEmpty ? nil : "<p class=\"lines\"><bdi>\(contact)</bdi></p>"
    return """
      <section><h2>\(context.text(heading))</h2>\
      <p>\(context.text("forgotten.clinic.about"))</p>\(ask)\(clinics)</section>
      """
  }

  /// The telephone numbers and opening hours of the clinics; nil if no module knows them.
  private var clinics: HTML? {
    guard let contacts = context.portal.find((any Portal.ClinicContacts).self),
      let member = context.server.installation.enabled.first(where: {
        $0.module.id == contacts.module
      })
    else { return nil }
    return member.value(of: "overview of clinics") {
      try contacts.overview(context.other(member, of: context.server))
    } ?? nil
  }

  /// Counts the request. Throws ``Refusal/tooMany(retryAfter:)`` after too many from one address.
  func prepare(_: inout Draft, in context: Context) throws {
    let client = context.request.client
    let counted = Throttle.Attempt("forgotten:\(client.address)", from: client)
    let wait = try context.write { context -> Seconds? in
      let throttle = context.server.throttle
      let wait = try throttle.check(counted, in: context)
      if wait == nil { try throttle.recordMismatch(counted, in: context) }
      return wait
    }
    if let wait { throw Refusal.tooMany(retryAfter: wait) }
  }

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    guard context.server.site.sendsMail else { throw Refusal.notFound }
    try ForgottenPassword.note(draft.login, context.server.vault, on: context)
    return Redirect(to: Self.path.query(["sent": "yes"]))
  }
}
