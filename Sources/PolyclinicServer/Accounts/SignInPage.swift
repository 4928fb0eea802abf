import PolyclinicCore

/// The page on which people sign in, also the one that carries a form over the end of a session.
struct SignInPage: FormAnswer {
  /// What the page is shown with.
  struct Content {
    var login = ""
    var next = ""
    var carried = ""
    /// Why it is shown again.
    var problem: Text?
    /// The fields that are wrong, each with why; the password is wrong together with the login.
    var problems: [String: Text] = [:]
    /// Said above it, when nothing went wrong.
    var message: Text?
  }

  func show(_ context: Context) throws -> Response {
    if context.visitor != nil {
      return .redirect(to: Path(local: context.request.query["next"]) ?? "/")
    }
    return page(Content(next: context.request.query["next"]), context, status: 200)
  }

  func submit(_ context: Context) throws -> Response {
    guard let visit = context.visit else { throw Refusal.notFound }
    let fields = context.request.fields
    var content = Content(
      login: fields["login"], next: fields["next"], carried: fields["carried"])
    for name in ["login", "password"] where fields[name].isEmpty {
      content.problems[name] = "error.required"
    }
    if !content.problems.isEmpty {
      content.problem = content.problems.count == 2 ? "error.sign-in.both" : "error.required"
      return page(content, context, status: 422)
    }
    let attempt = SignInAttempt(visit: visit)
    var load: Carrier.Load?
    let outcome = try attempt.run(login: fields["login"], password: fields["password"]) {
      keys, account, connection in
      if try visit.asksSecondFactor(of: account, by: keys, on: connection) { return false }
      load = try visit.signIn(keys, carrying: content.carried, on: connection)
      return true
    }
    switch outcome {
    case .signedIn(let account):
      return .redirect(to: try Self.target(account, load, next: content.next, visit))
    case .needsSecondFactor(let account):
      return try SecondStep.begin(
        account, next: content.next, carried: content.carried, context)
    case .wrong:
      content.problem = "error.sign-in"
      content.problems = ["login": "error.sign-in", "password": "error.sign-in"]
      return page(content, context, status: 422)
    case .suspended:
      content.problem = "error.suspended"
      return page(content, context, status: 422)
    case .wait(let span):
      content.problem = Text("error.wait", count: Int(span.count))
      return page(content, context, status: 429)
        .adding(.init("Retry-After", String(span.count)))
    }
  }

  /// Whoever signed in meanwhile, in another tab, gets the form that was carried without a password.
  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    let fields = context.request.fields
    if let visit = context.visit, let session = visit.session,
      let load = try visit.front.carriedForms.open(fields["carried"], for: session.person)
    {
      try context.database.write {
        try visit.front.sessions.carry(fields["carried"], in: session.tokenHash, on: $0)
      }
      return .redirect(to: load.path)
    }
    let content = Content(
      login: fields["login"], next: fields["next"], carried: fields["carried"], message: reason)
    return page(content, context, status: status)
  }

  func carried(_ sent: Fields) -> Fields { Fields() }

  /// The answer to a visitor without a session: a page leads here and back, a form is carried along.
  static func interrupting(
    _ route: Route, _ context: Context, _ visit: Visit
  ) throws -> Response {
    let request = context.request
    guard request.method != .get else {
      if request.path.description == "/" { return .redirect(to: "/login") }
      let next = page(of: route, asked: request).description
      return .redirect(to: Path("/login").query(["next": next]))
    }
    // Those who wanted to sign out are signed out, and leave nothing in the browser.
    if request.path.description == "/logout" {
      try visit.signOut()
      return .redirect(to: "/")
    }
    // What a bare button posts to is no page to come back to.
    let isPage = route.methods.contains(.get)
    var content = Content(
      next: isPage ? page(of: route, asked: request).description : "",
      message: isPage ? "sign-in.ended" : "sign-in.ended.button")
    if case .form(let form) = route.answer, let person = ID<Person>(request.fields["person"]) {
      var kept = form.carried(request.fields)
      kept.append("version", request.fields["version"])
      let load = Carrier.Load(path: page(of: route, asked: request), fields: kept)
      content.carried = try visit.front.carriedForms.seal(load, for: person) ?? ""
    }
    return SignInPage().page(content, context, status: 401)
  }

  /// The page to come back to.
  private static func page(of route: Route, asked request: Request) -> Path {
    let sent = request.method == .get ? request.query : request.fields
    var kept = Fields()
    for name in route.keptFields.prefix(while: sent.contains) { kept.append(name, sent[name]) }
    return request.path.query(kept)
  }

  /// The page after the sign-in: the form that was carried, the page that was asked for, or where people land.
  static func target(
    _ account: Account, _ load: Carrier.Load?, next: String, _ visit: Visit
  ) throws -> Path {
    if let load { return load.path }
    if let next = Path(local: next), next.description != "/login" { return next }
    let front = visit.front
    return try front.database.read { try StartPage.landing(of: account, front, on: $0) }
  }

  private func page(_ content: Content, _ context: Context, status: Int) -> Response {
    let text = { (text: Text) in context.text(text) }
    let summary: HTML? = content.problem.map {
      """
      <div class="summary" role="alert" tabindex="-1" autofocus><h2>\(text($0))</h2>\
      \(again(content, context))</div>
      """
    }
    let message: HTML? = content.message.map {
      "<div class=\"notice warning\" role=\"alert\"><p>\(text($0))</p></div>"
    }
    return .page(
      Page(
        "sign-in.title",
        """
        \(summary)\(message)<form class="form" method="post" action="/login">\
        \(context.hiddenFields())<input type="hidden" name="next" value="\(content.next)">\
        <input type="hidden" name="carried" value="\(content.carried)">\
        <div class="field"><label for="login">\(text("field.login-or-email"))</label>\
        \(error("login", content, context))\
        <input id="login" name="login" value="\(content.login)" autocomplete="username" \
        autocapitalize="none" spellcheck="false" maxlength="254" required\(invalid("login", content))></div>\
        <div class="field"><label for="password">\(text("field.password"))</label>\
        \(error("password", content, context))\
        <span class="password"><input id="password" name="password" type="password" \
        autocomplete="current-password" maxlength="1024" required\(invalid("password", content)) \
        data-show="\(text("form.password.show"))" data-hide="\(text("form.password.hide"))"></span>\
        </div><p class="actions"><button class="button">\(text("sign-in.submit"))</button></p></form>\
        <p class="below">\(text("sign-in.new")) <a href="/register">\(text("register.link"))</a></p>\
        <p class="below"><a href="/login/forgotten">\(text("sign-in.lost"))</a></p>
        """,
        scripts: ["password.js"], width: .entrance),
      status: status)
  }

  /// The ways to the fields; none where nothing typed here would help.
  private func again(_ content: Content, _ context: Context) -> HTML? {
    if content.problems.isEmpty { return nil }
    if content.problem == "error.sign-in" {
      return "<ul><li><a href=\"#login\">\(context.text("sign-in.again"))</a></li></ul>"
    }
    let labels: [(String, Text)] = [
      ("login", "field.login-or-email"), ("password", "field.password"),
    ]
    let rows: [HTML] = labels.filter { content.problems[$0.0] != nil }.map { name, label in
      "<li><a href=\"#\(name)\">\(context.text(label)): \(context.text("error.required"))</a></li>"
    }
    return "<ul>\(rows)</ul>"
  }

  private func error(_ name: String, _ content: Content, _ context: Context) -> HTML? {
    content.problems[name].map {
      "<p class=\"error\" id=\"\(name)-error\">\(context.text($0))</p>"
    }
  }

  private func invalid(_ name: String, _ content: Content) -> HTML? {
    content.problems[name] == nil
      ? nil : " aria-invalid=\"true\" aria-describedby=\"\(name)-error\""
  }
}
