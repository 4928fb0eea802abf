import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// The form of a password link, with a code if the account has a second factor.
struct PasswordReset: Sendable {
  var new = NewPassword()
  var code = ""

  static let form = Form<PasswordReset>(PasswordReset(), .part(\.new, NewPassword.replacingForm))

  static let formWithCode = Form<PasswordReset>(
    PasswordReset(), .part(\.new, NewPassword.replacingForm), codeField(\.code))

  /// The field for a code of the authenticator app or a recovery code.
  static func codeField<Draft>(
    _ path: WritableKeyPath<Draft, String> & Sendable
  ) -> Field<Draft> {
    .text(
      path, "code", required: true, limit: 64, autocomplete: "one-time-code",
      hint: "field.code.any.hint")
  }
}

extension AccountsModule {
  /// The page of a password link. The account decides whether the form asks for a code.
  var resetRoute: Route {
    let path: Path = "/reset/{token}"
    let forms = [PasswordReset.form, PasswordReset.formWithCode].map { form in
      Route.form(
        path, form, title: "reset.title", cancel: "/login", access: .everyone,
        subject: { try ResetLink($0, server().vault) }, about: aboutReset,
        prepare: prepareReset, save: reset)
    }
    guard case .form(let plain) = forms[0].answer, case .form(let withCode) = forms[1].answer
    else { return forms[0] }
    return Route(
      path, access: .everyone,
      answer: .form(ResetAnswer(server: server, plain: plain, withCode: withCode)))
  }

  /// Names the account. A hidden user name field lets the browser save the password under the
  /// login.
  private func aboutReset(_ link: ResetLink, _ context: Context) -> HTML? {
    let ends: HTML? =
      link.endsSecondFactor ? "<p>\(context.text("reset.ends-second-factor"))</p>" : nil
    return link.profile.map {
      """
      <p>\(context.text("reset.about", ["name": $0.displayName, "login": $0.login]))</p>\(ends)\
      <input type="text" value="\($0.login)" autocomplete="username" readonly hidden>
      """
    }
  }

  /// Checks and hashes the password. Checks the code last, because that uses it up.
  private func prepareReset(
    _ draft: inout PasswordReset, _ link: ResetLink, _ context: Context
  ) throws {
    let server = self.server()
    let person = link.keys.person
    draft.new.passwordHash = try server.hashed(
      draft.new.password, personal: link.profile?.personalWords ?? [],
      hasSecondFactor: link.asksForCode,
      for: server.passwords.priority(knownTo: "\(person)", at: context.now))
    if link.asksForCode {
      try CodeAttempt(context: context, server: server).require(draft.code, of: person)
    }
    draft.new.hasSecondFactor = link.asksForCode
  }

  /// Sets the password, ends all sessions and signs the person in.
  private func reset(
    _ draft: PasswordReset, _ link: ResetLink, _ context: Context
  ) throws -> Redirect {
    let server = self.server()
    let person = link.keys.person
    // The link was read again: what it asks for may have changed since a code was proved, or not.
    try draft.new.requireChecked(withSecondFactor: link.asksForCode)
    try Account.replacePassword(draft.new.passwordHash, of: person, server.vault, on: context)
    try server.accountNotices.tell(person, .linkUsed, by: nil, at: context.now, on: context)
    var effects = Effects()
    if link.endsSecondFactor {
      try server.removeSecondFactor(of: person, at: context.now, on: context)
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
        login: name, address: context.request.client.address, now: context.now, on: context)
    }
    var redirect = try server.signIn(
      link.keys, leadingTo: StartPage.landing(of: account, server, on: context), for: context,
      on: context)
    redirect.effects.events = effects.events + redirect.effects.events
    return redirect
  }
}

/// A valid password link with its person.
private struct ResetLink {
  let keys: Keys
  let profile: Profile?
  let endsSecondFactor: Bool
  let asksForCode: Bool

  /// Throws ``OneTimeLink/gone`` if the link is no longer valid.
  init(_ context: Context, _ vault: Vault) throws {
    let token = context.request.parameters["token"]
    guard let link = try OneTimeLink.reset(by: token, at: context.now, vault, on: context),
      let keys = try KeyStore(vault).unloggedKeys(of: link.person, on: context),
      let account = try Account.find(link.person, on: context)
    else { throw OneTimeLink.gone }
    self.keys = keys
    profile = try Profile.find(by: keys, on: context)
    endsSecondFactor = link.endsSecondFactor && account.secondFactor != nil
    asksForCode = !link.endsSecondFactor && account.secondFactor != nil
  }
}

/// Shows the form with or without the code field.
private struct ResetAnswer: FormAnswer {
  let server: ServerReference
  let plain: any FormAnswer
  let withCode: any FormAnswer

  private func form(_ context: Context) throws -> any FormAnswer {
    try ResetLink(context, server().vault).asksForCode
      ? withCode : plain
  }

  func show(_ context: Context) throws -> Response { try form(context).show(context) }

  /// Chooses the form by the fields sent, not by the link. A repeated submission gets the first
  /// answer again, although its link is used up.
  func submit(_ context: Context) throws -> Response {
    try (context.request.fields.contains("code") ? withCode : plain).submit(context)
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    try form(context).showAgain(context, because: reason, status: status)
  }

  func carried(_ sent: Fields) -> Fields { plain.carried(sent) }
}
