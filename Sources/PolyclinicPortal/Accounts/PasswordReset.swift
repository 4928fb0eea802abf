import PolyclinicCore
import PolyclinicWeb

/// The form of a valid password link, with a code if the account has a second factor.
struct PasswordReset: RoutedForm {
  static let address: Address<String> = "/reset/{token}"
  static let access = Access.everyone
  static let title: Text = "reset.title"
  static let form = Form(Draft(), .part(\.new, NewPassword.replacingForm))
  static let cancel = SignInPage.address.path
  static let preparesOnce = true
  /// The account decides whether the form asks for a code.
  static var route: Route {
    Route(
      address.pattern, access: access,
      answer: .form(
        VariedForm(Self.self, adding: [SecondFactorProof.codeField(\.code)], named: "code") {
          try PasswordReset($0).asksForCode
        }))
  }

  struct Draft: Sendable {
    var new = NewPassword()
    var code = ""
  }

  private let keys: Keys
  private let profile: Profile?
  private let endsSecondFactor: Bool
  private let asksForCode: Bool
  private let context: Context

  /// Throws ``OneTimeLink/gone`` if the link is no longer valid.
  init(_ context: Context) throws {
    self.context = context
    let (token, vault) = (context.request.parameters["token"], context.server.vault)
    guard let link = try OneTimeLink.reset(by: token, vault, in: context),
      let keys = try KeyStore(vault).unloggedKeys(of: link.person, on: context),
      let account = try Account.find(link.person, on: context)
    else { throw OneTimeLink.gone }
    self.keys = keys
    profile = try Profile.find(by: keys, on: context)
    endsSecondFactor =
      try link.endsSecondFactor
      && (account.secondFactor != nil || Passkey.isStored(for: link.person, on: context))
    asksForCode = !link.endsSecondFactor && account.secondFactor != nil
  }

  /// Names the account. A hidden user name field lets the browser save the password under the
  /// login.
  var about: HTML? {
    let ends: HTML? =
      endsSecondFactor ? "<p>\(context.text("reset.ends-second-factor"))</p>" : nil
    return profile.map {
      """
      <p>\(context.text("reset.about", ["name": $0.displayName, "login": $0.login]))</p>\(ends)\
      <input type="text" value="\($0.login)" autocomplete="username" readonly hidden>
      """
    }
  }

  /// Checks and hashes the password. Checks the code last, because that uses it up.
  func prepare(_ draft: inout Draft, in context: Context) throws {
    let (server, person) = (context.server, keys.person)
    draft.new.passwordHash = try server.hashed(
      draft.new.password, personal: profile?.personalWords ?? [],
      hasSecondFactor: asksForCode,
      for: server.passwords.priority(knownTo: "\(person)", at: context.now))
    if asksForCode { try CodeAttempt(context: context).require(draft.code, of: person) }
    draft.new.hasSecondFactor = asksForCode
  }

  /// Sets the password, ends all sessions and signs the person in.
  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    let (server, person) = (context.server, keys.person)
    // The link was read again: what it asks for may have changed since a code was proved, or not.
    try draft.new.requireChecked(withSecondFactor: asksForCode)
    try Account.replacePassword(draft.new.passwordHash, of: person, server.vault, on: context)
    try server.accountNotices.tell(person, .linkUsed, in: context)
    var effects = Effects()
    if endsSecondFactor {
      try server.removeSecondFactor(of: person, in: context)
      effects.events.append(SecurityEvent(.secondFactorRemoved, of: person))
    }
    effects.events.append(SecurityEvent(.linkUsed, of: person, ["purpose": "password"]))
    guard let account = try Account.find(person, on: context) else {
      return Redirect(to: "/", effects)
    }
    // Resets the throttle, because wrong guesses at the old password must not delay the owner.
    for name in account.throttleNames {
      try server.throttle.forget(login: name, on: context)
      try server.throttle.recordSuccess(
        Throttle.Attempt(name, from: context.request.client), in: context)
    }
    var redirect = try server.signIn(
      from: context.request.client,
      leadingTo: StartPage.landing(of: account, server, on: context), in: context.with(keys))
    redirect.effects.events = effects.events + redirect.effects.events
    return redirect
  }
}
