import PolyclinicCore
import PolyclinicWeb

/// The current password, entered again before a change of credentials (ASVS 5.0, 7.5.1).
struct CurrentPassword: Sendable {
  var typed = ""
  /// The stored hash that the typed password matched.
  var stored = ""

  static let form = Form<CurrentPassword>(
    CurrentPassword(),
    .password(\.typed, "current_password", autocomplete: "current-password"))

  /// The optional field, for a page on which only some changes need the password.
  static let optionalForm = Form<CurrentPassword>(
    CurrentPassword(),
    .password(
      \.typed, "current_password", required: false, autocomplete: "current-password",
      hint: "field.current_password.hint"))

  /// Checks the password like a sign-in, with the same throttling. Runs before the transaction
  /// because hashing takes long.
  ///
  /// Throws ``Refusal/invalid(_:_:)`` for `current_password`, and ``Refusal/tooMany(retryAfter:)``.
  mutating func prove(in context: Context) throws {
    let login = try Profile.own(in: context).login
    let attempt = SignInAttempt(context: context, purpose: .confirmation)
    switch try attempt.run(login: login, password: typed) {
    case .signedIn(let account, let effects):
      stored = account.password
      // Logged at once, because the password was right even if the form is refused.
      for event in effects.events { context.server.log(event, of: context) }
    case .wrong, .suspended, .needsSecondFactor:
      throw Refusal.invalid("current_password", "error.current-password")
    case .wait(let span): throw Refusal.tooMany(retryAfter: span)
    }
  }

  /// Throws ``Refusal/conflict(_:)`` if the password has changed since ``prove(in:)``. The old
  /// password must not override a newer change, for example by a one-time link.
  func requireStill(of person: ID<Person>, on connection: Connection) throws {
    let now = try Account.find(person, on: connection)?.password
    guard now == stored else { throw Refusal.conflict("error.password-changed") }
  }
}
