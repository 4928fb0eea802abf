import PolyclinicCore
import PolyclinicWeb

extension AccountsModule {
  func listSessions(_ context: Context) throws -> Response {
    let server = self.server()
    let sessions = try server.sessions.list(by: context.keys, at: context.now, on: context)
    let this = try server.session(of: context.request.client, on: context)?.id
    let rows: [HTML] = sessions.map { session in
      let isThis = session.id == this
      let mark: HTML? =
        isThis ? context.badge("browser.this", .good) : nil
      let end: HTML? =
        isThis
        ? nil
        : context.button(
          "sessions.end", to: "/account/sessions/\(session.id)/end", style: [.secondary, .small])
      let times = context.text(
        "sessions.times",
        [
          "begun": context.formats.dateTime(session.createdAt),
          "seen": context.formats.dateTime(session.seenAt),
          "ends": context.formats.dateTime(session.endsAt),
        ])
      return .row("\(session.name(context))", mark: mark, detail: "\(times)", actions: end)
    }
    let others: HTML? =
      sessions.count < 2
      ? nil
      : """
      \(actions:
        context.button(
          "sessions.end-others", to: "/account/sessions/end-others", style: [.danger, .secondary]))
      """
    let trusted = try RememberedBrowsers.trusted.all(by: context.keys, at: context.now, on: context)
    return .page(
      Page(
        "sessions.title",
        "\(rows: rows)\(others)\(trusted.isEmpty ? nil : list(trusted, context))",
        back: "/account"))
  }

  /// The list of browsers trusted without the second factor.
  private func list(_ browsers: [RememberedBrowser], _ context: Context) -> HTML {
    """
    <h2>\(context.text("sessions.trusted"))</h2><p class="muted">\(context.text("sessions.trusted.about"))</p>\
    \(rows: browsers, { browser in
      let end = context.formats.date(
        context.formats.day(of: browser.rememberedAt + RememberedBrowsers.trusted.lifetime))
      return browser.row(
        context.text("sessions.trusted.until", ["date": end]), "sessions.trusted.forget",
        posts: "/account/sessions/browsers/\(browser.id)/forget", context)
    })
    """
  }

  /// Names the session that will be ended. Throws ``Refusal/notFound`` if it has already ended.
  func aboutSession(_ context: Context) throws -> HTML? {
    let id: ID<Sessions.Session> = try context.id()
    let sessions = try server().sessions.list(by: context.keys, at: context.now, on: context)
    guard let session = sessions.first(where: { $0.id == id }) else { throw Refusal.notFound }
    return "<p>\(session.name(context))</p>"
  }

  func endSession(
    _ currentPassword: CurrentPassword, _ context: Context
  ) throws -> Redirect {
    let person = try context.keys.person
    try currentPassword.requireStill(of: person, on: context)
    guard try server().sessions.end(context.id(), of: person, on: context) else {
      throw Refusal.notFound
    }
    return Redirect(to: "sessions").logging(SecurityEvent(.sessionEnded, of: person))
  }

  func endOtherSessions(
    _ currentPassword: CurrentPassword, _ context: Context
  ) throws -> Redirect {
    let server = self.server()
    let person = try context.keys.person
    try currentPassword.requireStill(of: person, on: context)
    try server.endOtherSessions(of: person, context, on: context)
    return Redirect(to: "sessions").logging(SecurityEvent(.otherSessionsEnded, of: person))
  }
}

extension ServerContext {
  /// Ends all sessions of a person except that of the request.
  func endOtherSessions(
    of person: ID<Person>, _ context: Context, on connection: Connection
  ) throws {
    let this = try session(of: context.request.client, on: connection)?.id
    try sessions.endAll(of: person, except: this, on: connection)
  }

  /// Begins a session after a new password was set, and leads to `target`. An account that must set
  /// up a second factor first is led to sign in, and from there to `target`.
  func signIn(
    _ keys: Keys, leadingTo target: Path, for context: Context, on connection: Connection
  ) throws -> Redirect {
    guard let account = try Account.find(keys.person, on: connection),
      account.secondFactor == nil, site.secondFactor.requires(account.roles)
    else { return Redirect(to: target, try signIn(keys, for: context, on: connection)) }
    // A session of somebody else in this browser would lead past the sign-in page.
    try endSession(of: context.request.client, on: connection)
    var effects = Effects()
    effects.outcome = "sign-in.codes-next"
    return Redirect(to: Path("/login").query(["next": target.description]), effects)
  }

  /// Begins a session in the browser of the request. Returns the effects of the response.
  func signIn(_ keys: Keys, for context: Context, on connection: Connection) throws -> Effects {
    try signIn(keys, from: context.request.client, at: context.now, on: connection)
  }
}

extension RememberedBrowser {
  /// The list entry of the browser, with a button to forget it.
  package func row(
    _ about: String, mark: HTML? = nil, _ button: Text, posts path: Path, _ context: Context
  ) -> HTML {
    let name = device.isEmpty ? context.text("browser.unknown") : device
    return .row(
      "\(name)", mark: mark, detail: "\(about)",
      actions: context.button(button, posts: path, style: [.secondary, .small]))
  }
}

extension Sessions.Listed {
  /// The browser's name as its owner sees it.
  fileprivate func name(_ context: Context) -> String {
    device.isEmpty ? context.text("browser.unknown") : device
  }
}
