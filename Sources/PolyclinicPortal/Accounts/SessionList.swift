import PolyclinicCore
import PolyclinicWeb

/// The list of a person's sessions, and of the browsers trusted without the second factor.
struct SessionList: RoutedPage {
  static let address: Address<Void> = "/account/sessions"
  static let forgetting: Address<ID<RememberedBrowser>> = "/account/sessions/browsers/{id}/forget"
  static let linkTitle: Text? = "sessions.title"

  private let sessions: [Sessions.Listed]
  /// The session of the request.
  private let this: ID<Sessions.Session>?
  private let trusted: [RememberedBrowser]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let server = context.server
    sessions = try server.sessions.list(by: context.keys, at: context.now, on: context)
    this = try server.session(of: context.request.client, on: context)?.id
    trusted = try RememberedBrowsers.trusted.all(by: context.keys, at: context.now, on: context)
  }

  var page: Page {
    let others: HTML? =
      sessions.count < 2
      ? nil
      : """
      \(actions:
        context.button(
          "sessions.end-others", to: EndOtherSessions.path, style: [.danger, .secondary]))
      """
    return Page(
      "sessions.title",
      "\(rows: sessions, row)\(others)\(trusted.isEmpty ? nil : trustedList)",
      back: AccountPage.path)
  }

  private func row(_ session: Sessions.Listed) -> HTML {
    let isThis = session.id == this
    let end = context.button(
      "sessions.end", to: EndSession.path(session.id), style: [.secondary, .small])
    let times = context.text(
      "sessions.times",
      [
        "begun": context.formats.dateTime(session.createdAt),
        "seen": context.formats.dateTime(session.seenAt),
        "ends": context.formats.dateTime(session.endsAt),
      ])
    return .row(
      "\(session.name(context))", mark: isThis ? context.badge("browser.this", .good) : nil,
      detail: "\(times)", actions: isThis ? nil : end)
  }

  private var trustedList: HTML {
    """
    <h2>\(context.text("sessions.trusted"))</h2><p class="muted">\(context.text("sessions.trusted.about"))</p>\
    \(rows: trusted, { browser in
      let end = context.formats.date(
        context.formats.day(of: browser.rememberedAt + RememberedBrowsers.trusted.lifetime))
      return browser.row(
        context.text("sessions.trusted.until", ["date": end]), "sessions.trusted.forget",
        posts: Self.forgetting.path(browser.id), context)
    })
    """
  }

  static func forgetBrowser(_ context: Context) throws -> Response {
    let person = try context.keys.person
    return try context.redirecting { context in
      let isForgotten = try RememberedBrowsers.trusted.forget(
        context.id(), of: person, on: context)
      guard isForgotten else { throw Refusal.notFound }
      try context.server.accountNotices.tell(person, .browserForgotten, in: context)
      return Redirect(to: path).logging(SecurityEvent(.browserForgotten, of: person))
    }
  }
}

/// The form that ends one of the person's sessions.
struct EndSession: RoutedForm {
  static let address: Address<ID<Sessions.Session>> = "/account/sessions/{id}/end"
  static let title: Text = "sessions.end"
  static let form = CurrentPassword.form
  static let submit: Text = "sessions.end"
  static let cancel = SessionList.path
  static let preparesOnce = true

  private let context: Context

  init(_ context: Context) { self.context = context }

  /// Names the session that will be ended. Throws ``Refusal/notFound`` if it has already ended.
  var about: HTML? {
    get throws {
      let id = try Self.address.value(in: context)
      let server = context.server
      let sessions = try server.sessions.list(by: context.keys, at: context.now, on: context)
      guard let session = sessions.first(where: { $0.id == id }) else { throw Refusal.notFound }
      return "<p>\(session.name(context))</p>"
    }
  }

  func prepare(_ currentPassword: inout CurrentPassword, in context: Context) throws {
    try currentPassword.prove(in: context)
  }

  func save(_ currentPassword: CurrentPassword, in context: Context) throws -> Redirect {
    let (server, person) = (context.server, try context.keys.person)
    try currentPassword.requireStill(of: person, on: context)
    guard try server.sessions.end(Self.address.value(in: context), of: person, on: context) else {
      throw Refusal.notFound
    }
    return Redirect(to: SessionList.path).logging(SecurityEvent(.sessionEnded, of: person))
  }
}

/// The form that ends all sessions of the person except that of the request.
struct EndOtherSessions: RoutedForm {
  static let address: Address<Void> = "/account/sessions/end-others"
  static let title: Text = "sessions.end-others"
  static let form = CurrentPassword.form
  static let submit: Text = "sessions.end-others"
  static let cancel = SessionList.path
  static let preparesOnce = true

  init(_ context: Context) {}

  func prepare(_ currentPassword: inout CurrentPassword, in context: Context) throws {
    try currentPassword.prove(in: context)
  }

  func save(_ currentPassword: CurrentPassword, in context: Context) throws -> Redirect {
    let person = try context.keys.person
    try currentPassword.requireStill(of: person, on: context)
    try context.server.endSessions(
      of: person, exceptFrom: context.request.client, on: context)
    return Redirect(to: SessionList.path).logging(SecurityEvent(.otherSessionsEnded, of: person))
  }
}

extension ServerContext {
  /// Ends all sessions of a person except that of a browser.
  func endSessions(
    of person: ID<Person>, exceptFrom client: Client, on connection: Connection
  ) throws {
    let this = try session(of: client, on: connection)?.id
    try sessions.endAll(of: person, except: this, on: connection)
  }

  /// Begins a session after a new password was set, and leads to `target`. An account that must set
  /// up a second factor first is led to sign in, and from there to `target`.
  func signIn(
    from client: Client, leadingTo target: Path, in work: Work
  ) throws -> Redirect {
    guard let account = try Account.find(work.keys.person, on: work),
      account.secondFactor == nil, site.secondFactor.requires(account.roles)
    else { return Redirect(to: target, try signIn(from: client, in: work)) }
    // A session of somebody else in this browser would lead past the sign-in page.
    try endSession(of: client, on: work)
    var effects = Effects()
    effects.outcome = "sign-in.codes-next"
    return Redirect(to: Path("/login").query(["next": target.description]), effects)
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
