import PolyclinicCore

/// The password that somebody has, asked for again before what signing in rests on is changed (ASVS 5.0,
/// 7.5.1).
struct PresentPassword: Sendable {
  var typed = ""
  /// What was stored of it when it was found right.
  var stored = ""

  static let form = Form<PresentPassword>(
    PresentPassword(),
    .password(\.typed, "current_password", autocomplete: "current-password"))

  /// For a page on which not every change asks for it.
  static let formWhereNeeded = Form<PresentPassword>(
    PresentPassword(),
    .password(
      \.typed, "current_password", required: false, autocomplete: "current-password",
      hint: "field.current_password.hint"))

  /// Compares it as signing in does, also in how often that may be tried; before the transaction, since
  /// it takes long.
  ///
  /// Throws ``Refusal/invalid(_:_:)`` for `current_password`, and ``Refusal/tooMany(retryAfter:)``.
  mutating func prove(_ context: Context) throws {
    guard let visit = context.visit,
      let profile = try context.database.read({ try Profile.find(by: context.keys, on: $0) })
    else { throw Refusal.notFound }
    switch try SignInAttempt(visit: visit, purpose: .confirmation).run(
      login: profile.login, password: typed)
    {
    case .signedIn(let account): stored = account.password
    case .wrong, .suspended, .needsSecondFactor:
      throw Refusal.invalid("current_password", "error.current-password")
    case .wait(let span): throw Refusal.tooMany(retryAfter: span)
    }
  }

  /// Throws ``Refusal/conflict(_:)`` where another was set since: whoever knew the old one does not
  /// override who set it, by a one-time link say.
  func requireStill(of person: ID<Person>, on connection: Connection) throws {
    let now = try Account.find(person, on: connection)?.password
    guard now == stored else { throw Refusal.conflict("error.password-changed") }
  }
}
