import PolyclinicCore
import PolyclinicWeb

/// The form for changing a known password.
struct PasswordChange: RoutedForm {
  static let address: Address<Void> = "/account/password"
  static let title: Text = "password.title"
  static let cancel = AccountPage.path
  static let preparesOnce = true
  static var route: Route { Route(Self.self).saying("password.saved") }

  struct Draft: Sendable {
    var currentPassword = CurrentPassword()
    var new = NewPassword()
  }

  static let form = Form<Draft>(
    Draft(),
    .part(\.currentPassword, CurrentPassword.form),
    .part(\.new, NewPassword.replacingForm)
  ).requiring("password") {
    $0.new.password == $0.currentPassword.typed ? "error.password-same" : nil
  }

  init(_ context: Context) {}

  func prepare(_ change: inout Draft, in context: Context) throws {
    let visitor = try context.signedIn()
    let profile = try Profile.own(in: context)
    let server = context.server
    try change.currentPassword.prove(in: context)
    let hasSecondFactor = try context.hasSecondFactor
    change.new.passwordHash = try server.hashed(
      change.new.password, personal: profile.personalWords + [visitor.name],
      hasSecondFactor: hasSecondFactor,
      for: server.passwords.priority(knownTo: "\(try context.keys.person)", at: context.now))
    change.new.hasSecondFactor = hasSecondFactor
  }

  /// Sets the password, ends all access that the old one gave, and begins a new session for this
  /// browser.
  func save(_ change: Draft, in context: Context) throws -> Redirect {
    let server = context.server
    let keys = try context.keys
    try change.currentPassword.requireStill(of: keys.person, on: context)
    try change.new.requireChecked(withSecondFactor: try context.hasSecondFactor)
    try Account.replacePassword(
      change.new.passwordHash, of: keys.person, server.vault, on: context)
    try server.accountNotices.tell(keys.person, .passwordChanged, in: context)
    let effects = try server.signIn(from: context.request.client, in: context)
    return Redirect(to: AccountPage.path, effects)
      .logging(SecurityEvent(.passwordChanged, of: keys.person))
  }
}
