import Logging
import PolyclinicCore
import PolyclinicWeb

/// The sign-in page. It can keep a form from an expired session, so that nothing typed is
/// lost, and names the task that the visitor goes on with.
package struct SignInPage: FormAnswer {
  static let address: Address<Void> = "/login"
  static let leaving: Address<Void> = "/logout"
  static var route: Route {
    Route(address.pattern, access: .everyone, answer: .form(SignInPage())).titled("sign-in.title")
  }

  package init() {}

  package func show(_ context: Context) throws -> Response {
    if context.visitor != nil {
      return .redirect(to: Path(local: context.request.query["next"]) ?? "/")
    }
    return try SignInView(next: context.request.query["next"], context: context).response(200)
  }

  package func submit(_ context: Context) throws -> Response {
    let fields = context.request.fields
    var view = SignInView(sentTo: context)
    for name in ["login", "password"] where fields[name].isEmpty {
      view.problems[name] = "error.required"
    }
    if !view.problems.isEmpty {
      view.problem = view.problems.count == 2 ? "error.sign-in.both" : "error.required"
      return try view.response(422)
    }
    let server = context.server
    let attempt = SignInAttempt(context: context)
    var interrupted: InterruptedForm.Content?
    let outcome = try attempt.run(login: fields["login"], password: fields["password"]) {
      account, work in
      interrupted = nil
      let client = context.request.client
      if try server.asksSecondFactor(of: account, from: client, in: work) { return nil }
      let begun = try server.signIn(from: client, restoring: view.interruptedForm, in: work)
      interrupted = begun.interrupted
      return begun.effects
    }
    switch outcome {
    case .signedIn(let account, let effects):
      let target = try Self.target(account, interrupted, next: view.next, server)
      return .redirect(to: target).with(effects)
    case .needsSecondFactor(let account, let effects):
      return try SecondStep.begin(
        account, next: view.next, interruptedForm: view.interruptedForm, context
      ).with(effects)
    case .wrong:
      view.problem = "error.sign-in"
      view.isWrong = true
      return try view.response(422)
    case .suspended:
      view.problem = "error.suspended"
      return try view.response(422)
    case .wait(let span):
      view.problem = Text("error.wait", count: Int(span.count))
      return try view.response(429).adding(.init("Retry-After", String(span.count)))
    }
  }

  /// Shows the page with a message. If the visitor has signed in again in another tab, returns to
  /// the interrupted form without asking for a password.
  package func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    let (server, sealed) = (context.server, context.request.fields["carried"])
    if let visitor = context.visitor, let session = context.request.client.session,
      let interrupted = try server.interruptedForms.open(sealed, for: visitor.person)
    {
      try context.write {
        try server.sessions.store(interruptedForm: sealed, in: session.hash, on: $0)
      }
      return .redirect(to: interrupted.path)
    }
    var view = SignInView(sentTo: context)
    view.message = reason
    return try view.response(status)
  }

  package func carried(_ sent: Fields) -> Fields { Fields() }

  /// Answers a request without a session. A page request is redirected to sign-in and back; a
  /// submitted form is kept, and restored after signing in.
  package static func interrupting(_ route: Route, _ context: Context) throws -> Response {
    let request = context.request
    guard request.method != .get else {
      if request.path.description == "/" { return .redirect(to: address.path) }
      let next = page(of: route, asked: request).description
      return .redirect(to: address.path.query(["next": next]))
    }
    // Without a session the visitor is already signed out. Signing out also clears the browser's
    // data.
    if request.path == leaving.path { return try signOut(context) }
    // An address that only takes a button's POST is not a page to return to.
    let isPage = route.methods.contains(.get)
    var view = SignInView(
      next: isPage ? page(of: route, asked: request).description : "", context: context)
    view.message = isPage ? "sign-in.ended" : "sign-in.ended.button"
    if case .form(let form) = route.answer {
      var kept = form.carried(request.fields)
      kept.append("version", request.fields["version"])
      let interrupted = InterruptedForm.Content(
        path: page(of: route, asked: request), fields: kept)
      view.interruptedForm =
        try context.server.interruptedForms.seal(interrupted, sentIn: request.fields) ?? ""
    }
    return try view.response(401)
  }

  /// Ends the browser's session and makes the browser delete its copies of the portal.
  ///
  /// The browser forgets the session even if the database cannot be written, so that the next
  /// person at this screen cannot read the pages. The stored session then expires by itself.
  static func signOut(_ context: Context) throws -> Response {
    let answer = Response.redirect(to: "/").endingSession()
    do {
      let person = try context.server.signOut(context.request.client)
      return person.map { answer.logging(SecurityEvent(.signedOut, of: $0)) } ?? answer
    } catch let error as DatabaseError {
      context.server.log(
        FailedRequest("a session was not ended", error.metadata), to: Logger(label: "accounts"),
        of: context)
      return answer
    }
  }

  /// The page to return to after signing in.
  private static func page(of route: Route, asked request: Request) -> Path {
    let sent = request.sentFields
    var kept = Fields()
    for name in route.keptFields.prefix(while: sent.contains) { kept.append(name, sent[name]) }
    return request.path.query(kept)
  }

  /// The page after signing in: the interrupted form, the requested page, or else the start page.
  static func target(
    _ account: Account, _ interrupted: InterruptedForm.Content?, next: String,
    _ server: ServerContext
  ) throws -> Path {
    if let interrupted { return interrupted.path }
    if let next = Path(local: next), next != address.path { return next }
    return try server.database.read { try StartPage.landing(of: account, server, on: $0) }
  }
}

/// The sign-in form, as it was sent and with its errors.
struct SignInView {
  var login = ""
  var next = ""
  var interruptedForm = ""
  /// The error that the page shows above the form.
  var problem: Text?
  /// The error of each field.
  var problems: [String: Text] = [:]
  /// True if login and password do not belong together, which marks both fields.
  var isWrong = false
  /// The message above the form if there is no error.
  var message: Text?
  /// The id of a passkey that the portal no longer has.
  var unknownPasskey: [UInt8]?
  let context: Context
}

extension SignInView {
  /// The form with the fields of the request.
  init(sentTo context: Context) {
    let sent = context.request.fields
    self.init(
      login: sent["login"], next: sent["next"], interruptedForm: sent["carried"], context: context)
  }

  func response(_ status: Int) throws -> Response {
    let summary: HTML? = problem.map { problem in
      """
      <div class="summary" role="alert" tabindex="-1" autofocus>\(isWrong
        ? sharedError(problem) : "<h2>\(text(problem))</h2>")\(again)</div>
      """
    }
    let begun = try context.begunTask(on: next)
    return .page(
      Page(
        "sign-in.title",
        """
        \(summary)\(message.map { context.notice(.problem, $0) })\
        \(begun)\
        <form class="form" method="post" action="\(SignInPage.address.path)">\
        \(context.hiddenFields())<input type="hidden" name="next" value="\(next)">\
        <input type="hidden" name="carried" value="\(interruptedForm)">\
        \(context.field("field.login-or-email", id: "login", loginField))\
        \(context.field("field.password", id: "password", passwordField))\
        \(actions: context.submit("sign-in.submit"))</form>\(passkey)\
        <p class="below">\(text("sign-in.new")) \
        <a href="\(registration)">\(text("register.link"))</a></p>\
        <p class="below"><a href="\(ForgottenPasswordPage.path)">\(text("sign-in.lost"))</a></p>\(onward)
        """,
        assets: Page.Asset.password + [.passkeys], width: begun == nil ? .entrance : .regular),
      status: status)
  }

  private func text(_ text: Text) -> String { context.text(text) }

  private var passkey: HTML? {
    PasskeyButton(
      next: next, interruptedForm: interruptedForm, unknownPasskey: unknownPasskey, context: context
    ).html
  }

  /// The page that creates an account and then opens `next`.
  private var registration: Path {
    let path = Registration.path
    return Path(local: next).map { path.query(["next": $0.description]) } ?? path
  }

  /// Links to the parts of the portal that need no account; nil if there are none.
  private var onward: HTML? {
    let links: [HTML] = context.server.installation.links(for: nil).map { link, member in
      """
      <a href="\(link.path.resolved(in: member.module.id))">\
      \(member.phrasebook.string(link.title, in: context.language))</a>
      """
    }
    if links.isEmpty { return nil }
    return """
      <p class="below">\(text("sign-in.onward")) \
      \(each: links.enumerated(), { $0 == 0 ? $1 : ", \($1)" })</p>
      """
  }

  private var loginField: HTML {
    """
    \(error("login"))\
    <input id="login" name="login" value="\(login)" autocomplete="username webauthn" \
    autocapitalize="none" spellcheck="false" maxlength="254" required\(invalid("login"))>
    """
  }

  private var passwordField: HTML {
    """
    \(error("password"))\
    <span class="password"><input id="password" name="password" type="password" \
    autocomplete="current-password" maxlength="1024" required\(invalid("password")) \
    data-show="\(text("form.password.show"))" data-hide="\(text("form.password.hide"))"></span>
    """
  }

  /// The next step: links to the wrong fields, or help with a lost password; nil if a field is not
  /// the reason.
  private var again: HTML? {
    if isWrong { return help }
    if problems.isEmpty { return nil }
    let labels: [(String, Text)] = [
      ("login", "field.login-or-email"), ("password", "field.password"),
    ]
    let rows: [HTML] = labels.filter { problems[$0.0] != nil }.map { name, label in
      "<li><a href=\"#\(name)\">\(text(label)): \(text("error.required"))</a></li>"
    }
    return "<ul>\(rows)</ul>"
  }

  /// The link for a forgotten password, and the contact of the clinic if one is configured.
  private var help: HTML {
    let contact = context.portal.clinic.contact
    let ask: HTML? =
      contact.isEmpty ? nil : "<p>\(text("sign-in.ask")) <bdi>\(contact)</bdi></p>"
    return """
      <ul><li><a href="#login">\(text("sign-in.again"))</a></li>\
      <li><a href="\(ForgottenPasswordPage.path)">\(text("sign-in.lost"))</a></li></ul>\(ask)
      """
  }

  private func error(_ name: String) -> HTML? {
    problems[name].map { "<p class=\"error\" id=\"\(name)-error\">\(text($0))</p>" }
  }

  /// One message that is the error of both fields, so that it is read once.
  private func sharedError(_ message: Text) -> HTML {
    "<h2 id=\"login-error\"><span id=\"password-error\">\(text(message))</span></h2>"
  }

  private func invalid(_ name: String) -> HTML? {
    problems[name] == nil && !isWrong
      ? nil : " aria-invalid=\"true\" aria-describedby=\"\(name)-error\""
  }
}
