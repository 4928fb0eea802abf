import Logging
import PolyclinicCore
import PolyclinicWeb

/// The sign-in page. It can keep a form from an expired session, so that nothing typed is
/// lost.
package struct SignInPage: FormAnswer {
  let server: ServerReference

  package init(server: ServerReference) { self.server = server }

  package struct Content {
    package var login = ""
    package var next = ""
    var interruptedForm = ""
    /// The error that the page shows above the form.
    package var problem: Text?
    /// The error of each field.
    package var problems: [String: Text] = [:]
    /// True if login and password do not belong together, which marks both fields.
    var isWrong = false
    /// The message above the form if there is no error.
    package var message: Text?
  }

  package func show(_ context: Context) throws -> Response {
    if context.visitor != nil {
      return .redirect(to: Path(local: context.request.query["next"]) ?? "/")
    }
    return try page(Content(next: context.request.query["next"]), context, status: 200)
  }

  package func submit(_ context: Context) throws -> Response {
    let server = self.server()
    let fields = context.request.fields
    var content = Content(
      login: fields["login"], next: fields["next"], interruptedForm: fields["carried"])
    for name in ["login", "password"] where fields[name].isEmpty {
      content.problems[name] = "error.required"
    }
    if !content.problems.isEmpty {
      content.problem = content.problems.count == 2 ? "error.sign-in.both" : "error.required"
      return try page(content, context, status: 422)
    }
    let attempt = SignInAttempt(context: context, server: server)
    var interrupted: InterruptedForm.Content?
    let outcome = try attempt.run(login: fields["login"], password: fields["password"]) {
      keys, account, work in
      if try server.asksSecondFactor(of: account, by: keys, context, on: work) {
        return nil
      }
      let begun = try server.signIn(
        keys, restoring: content.interruptedForm, for: context, on: work)
      interrupted = begun.interrupted
      return begun.effects
    }
    switch outcome {
    case .signedIn(let account, let effects):
      return .redirect(to: try Self.target(account, interrupted, next: content.next, server))
        .with(effects)
    case .needsSecondFactor(let account, let effects):
      return try SecondStep(server: self.server).begin(
        account, next: content.next, interruptedForm: content.interruptedForm, context
      ).with(effects)
    case .wrong:
      content.problem = "error.sign-in"
      content.isWrong = true
      return try page(content, context, status: 422)
    case .suspended:
      content.problem = "error.suspended"
      return try page(content, context, status: 422)
    case .wait(let span):
      content.problem = Text("error.wait", count: Int(span.count))
      return try page(content, context, status: 429)
        .adding(.init("Retry-After", String(span.count)))
    }
  }

  /// Shows the page with a message. If the visitor has signed in again in another tab, returns to
  /// the interrupted form without asking for a password.
  package func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    let fields = context.request.fields
    let server = self.server()
    if let visitor = context.visitor, let session = context.request.client.session,
      let interrupted = try server.interruptedForms.open(fields["carried"], for: visitor.person)
    {
      try context.write {
        try server.sessions.store(interruptedForm: fields["carried"], in: session.hash, on: $0)
      }
      return .redirect(to: interrupted.path)
    }
    let content = Content(
      login: fields["login"], next: fields["next"], interruptedForm: fields["carried"],
      message: reason)
    return try page(content, context, status: status)
  }

  package func carried(_ sent: Fields) -> Fields { Fields() }

  /// Answers a request without a session. A page request is redirected to sign-in and back; a
  /// submitted form is kept, and restored after signing in.
  package func interrupting(_ route: Route, _ context: Context) throws -> Response {
    let request = context.request
    guard request.method != .get else {
      if request.path.description == "/" { return .redirect(to: "/login") }
      let next = Self.page(of: route, asked: request).description
      return .redirect(to: Path("/login").query(["next": next]))
    }
    // Without a session the visitor is already signed out. Signing out also clears the browser's
    // data.
    if request.path.description == "/logout" { return try signOut(context) }
    // An address that only takes a button's POST is not a page to return to.
    let isPage = route.methods.contains(.get)
    var content = Content(
      next: isPage ? Self.page(of: route, asked: request).description : "",
      message: isPage ? "sign-in.ended" : "sign-in.ended.button")
    if case .form(let form) = route.answer {
      var kept = form.carried(request.fields)
      kept.append("version", request.fields["version"])
      let interrupted = InterruptedForm.Content(
        path: Self.page(of: route, asked: request), fields: kept)
      content.interruptedForm =
        try server().interruptedForms.seal(interrupted, sentIn: request.fields) ?? ""
    }
    return try page(content, context, status: 401)
  }

  /// Ends the browser's session and makes the browser delete its copies of the portal.
  ///
  /// The browser forgets the session even if the database cannot be written, so that the next
  /// person at this screen cannot read the pages. The stored session then expires by itself.
  func signOut(_ context: Context) throws -> Response {
    let answer = Response.redirect(to: "/").endingSession()
    do {
      let person = try server().signOut(context.request.client)
      return person.map { answer.logging(SecurityEvent(.signedOut, of: $0)) } ?? answer
    } catch let error as DatabaseError {
      server().log(
        FailedRequest("a session was not ended", error.metadata), to: Logger(label: "accounts"),
        of: context)
      return answer
    }
  }

  /// The page to return to after signing in.
  private static func page(of route: Route, asked request: Request) -> Path {
    let sent = request.method == .get ? request.query : request.fields
    var kept = Fields()
    for name in route.keptFields.prefix(while: sent.contains) { kept.append(name, sent[name]) }
    return request.path.query(kept)
  }

  /// The page after signing in: the interrupted form, the requested page, or else the start page.
  package static func target(
    _ account: Account, _ interrupted: InterruptedForm.Content?, next: String,
    _ server: ServerContext
  ) throws -> Path {
    if let interrupted { return interrupted.path }
    if let next = Path(local: next), next.description != "/login" { return next }
    return try server.database.read { try StartPage.landing(of: account, server, on: $0) }
  }

  private func page(_ content: Content, _ context: Context, status: Int) throws -> Response {
    let text = { (text: Text) in context.text(text) }
    let summary: HTML? = content.problem.map { problem in
      """
      <div class="summary" role="alert" tabindex="-1" autofocus>\(content.isWrong
        ? Self.sharedError(text(problem)) : "<h2>\(text(problem))</h2>")\
      \(again(content, context))</div>
      """
    }
    let message = content.message.map { context.notice(.problem, $0) }
    return .page(
      Page(
        "sign-in.title",
        """
        \(summary)\(message)<form class="form" method="post" action="/login">\
        \(context.hiddenFields())<input type="hidden" name="next" value="\(content.next)">\
        <input type="hidden" name="carried" value="\(content.interruptedForm)">\
        \(context.field("field.login-or-email", id: "login", login(content, context)))\
        \(context.field("field.password", id: "password", password(content, context)))\
        \(actions:
          context.submit("sign-in.submit"))</form>\
        <p class="below">\(text("sign-in.new")) \
        <a href="\(Self.registration(content.next))">\(text("register.link"))</a></p>\
        <p class="below"><a href="/login/forgotten">\(text("sign-in.lost"))</a></p>\(try onward(context))
        """,
        assets: Page.Asset.password, width: .entrance),
      status: status)
  }

  /// The page that creates an account and then opens `next`.
  private static func registration(_ next: String) -> Path {
    guard let next = Path(local: next) else { return "/register" }
    return Path("/register").query(["next": next.description])
  }

  /// Links to the parts of the portal that need no account; nil if there are none.
  private func onward(_ context: Context) throws -> HTML? {
    let links: [HTML] = server().installation.links(for: nil).map { link, member in
      """
      <a href="\(link.path.resolved(in: member.module.id))">\
      \(member.phrasebook.string(link.title, in: context.language))</a>
      """
    }
    if links.isEmpty { return nil }
    return """
      <p class="below">\(context.text("sign-in.onward")) \
      \(each: links.enumerated(), { $0 == 0 ? $1 : ", \($1)" })</p>
      """
  }

  private func login(_ content: Content, _ context: Context) -> HTML {
    """
    \(error("login", content, context))\
    <input id="login" name="login" value="\(content.login)" autocomplete="username" \
    autocapitalize="none" spellcheck="false" maxlength="254" required\(invalid("login", content))>
    """
  }

  private func password(_ content: Content, _ context: Context) -> HTML {
    """
    \(error("password", content, context))\
    <span class="password"><input id="password" name="password" type="password" \
    autocomplete="current-password" maxlength="1024" required\(invalid("password", content)) \
    data-show="\(context.text("form.password.show"))" \
    data-hide="\(context.text("form.password.hide"))"></span>
    """
  }

  /// The next step: links to the wrong fields, or help with a lost password; nil if a field is not
  /// the reason.
  private func again(_ content: Content, _ context: Context) -> HTML? {
    if content.isWrong { return help(context) }
    if content.problems.isEmpty { return nil }
    let labels: [(String, Text)] = [
      ("login", "field.login-or-email"), ("password", "field.password"),
    ]
    let rows: [HTML] = labels.filter { content.problems[$0.0] != nil }.map { name, label in
      "<li><a href=\"#\(name)\">\(context.text(label)): \(context.text("error.required"))</a></li>"
    }
    return "<ul>\(rows)</ul>"
  }

  /// The link for a forgotten password, and the contact of the clinic if one is configured.
  private func help(_ context: Context) -> HTML {
    let contact = context.portal.clinic.contact
    let ask: HTML? =
      contact.isEmpty
      ? nil : "<p>\(context.text("sign-in.ask")) <bdi>\(contact)</bdi></p>"
    return """
      <ul><li><a href="#login">\(context.text("sign-in.again"))</a></li>\
      <li><a href="/login/forgotten">\(context.text("sign-in.lost"))</a></li></ul>\(ask)
      """
  }

  private func error(_ name: String, _ content: Content, _ context: Context) -> HTML? {
    content.problems[name].map {
      "<p class=\"error\" id=\"\(name)-error\">\(context.text($0))</p>"
    }
  }

  /// One message that is the error of both fields, so that it is read once.
  private static func sharedError(_ message: String) -> HTML {
    "<h2 id=\"login-error\"><span id=\"password-error\">\(message)</span></h2>"
  }

  private func invalid(_ name: String, _ content: Content) -> HTML? {
    content.problems[name] == nil && !content.isWrong
      ? nil : " aria-invalid=\"true\" aria-describedby=\"\(name)-error\""
  }
}
