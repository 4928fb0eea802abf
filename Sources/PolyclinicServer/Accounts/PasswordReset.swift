import PolyclinicCore

/// A password that is set by a one-time link, with a code where the account has a second factor.
struct PasswordReset: Sendable {
  var new = NewPassword()
  var code = ""

  static let form = Form<PasswordReset>(PasswordReset(), .part(\.new, NewPassword.form))

  static let formWithCode = Form<PasswordReset>(
    PasswordReset(), .part(\.new, NewPassword.form), codeField(\.code))

  /// The field for a code of the app or a recovery code.
  static func codeField<Draft>(
    _ path: WritableKeyPath<Draft, String> & Sendable
  ) -> Field<Draft> {
    .text(
      path, "code", required: true, limit: 64, autocomplete: "one-time-code",
      hint: "field.code.any.hint")
  }
}

extension AccountsModule {
  /// The form of a one-time link: which of the two depends on whose link it is.
  var resetRoute: Route {
    let path: StaticString = "/reset/{token}"
    let forms = [PasswordReset.form, PasswordReset.formWithCode].map { form in
      Route.form(
        path, form, title: "reset.title", cancel: "/login", access: .everyone, start: startReset,
        about: aboutReset, prepare: prepareReset, save: reset)
    }
    guard case .form(let plain) = forms[0].answer, case .form(let withCode) = forms[1].answer
    else { return forms[0] }
    return Route(
      path, access: .everyone, answer: .form(ResetAnswer(plain: plain, withCode: withCode)))
  }

  private func startReset(_ context: Context) throws -> PasswordReset {
    _ = try context.database.read { try ResetLink(context, on: $0) }
    return PasswordReset()
  }

  /// Names the account: also for the browser, which keeps the password under that name.
  private func aboutReset(_ context: Context) throws -> HTML? {
    let (link, profile) = try context.database.read { connection in
      let link = try ResetLink(context, on: connection)
      return (link, try Profile.find(by: link.keys, on: connection))
    }
    let ends: HTML? =
      link.endsSecondFactor ? "<p>\(context.text("reset.ends-second-factor"))</p>" : nil
    return profile.map {
      """
      <p>\(context.text("reset.about", ["name": $0.displayName, "login": $0.login]))</p>\(ends)\
      <input type="text" value="\($0.login)" autocomplete="username" readonly hidden>
      """
    }
  }

  /// Judges and hashes the password; a code is used up last.
  private func prepareReset(_ draft: inout PasswordReset, _ context: Context) throws {
    let (link, profile) = try context.database.read { connection in
      let link = try ResetLink(context, on: connection)
      return (link, try Profile.find(by: link.keys, on: connection))
    }
    let front = try context.front()
    let person = link.keys.person
    draft.new.passwordHash = try front.hashed(
      draft.new.password, personal: profile?.personalWords ?? [],
      hasSecondFactor: link.asksForCode,
      for: front.passwords.priority(knownTo: "\(person)", at: context.now))
    if link.asksForCode, let visit = context.visit {
      try CodeAttempt(visit: visit).require(draft.code, of: person)
    }
  }

  /// Sets the password, ends all sessions and signs in.
  private func reset(
    _ draft: PasswordReset, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let front = try context.front()
    let link = try ResetLink(context, on: connection)
    let person = link.keys.person
    try Account.replacePassword(draft.new.passwordHash, of: person, front.vault, on: connection)
    try front.accountNews.tell(person, .linkUsed, by: nil, at: context.now, on: connection)
    if link.endsSecondFactor { try context.visit?.removeSecondFactor(of: person, on: connection) }
    context.visit?.record(SecurityEvent(.linkUsed, of: person, ["purpose": "password"]))
    guard let account = try Account.find(person, on: connection) else { return "/" }
    // Guesses at the old password say nothing about the new one, nor make its owner wait.
    for name in SignInAttempt.counted(account) {
      try front.throttle.forget(login: name, on: connection)
      guard let address = context.visit?.wire.address else { continue }
      try front.throttle.recordSuccess(
        login: name, address: address, now: context.now, on: connection)
    }
    // A second factor that is required is set up on the way in.
    if account.secondFactor == nil, front.site.secondFactor.requires(account.roles) {
      return "/login"
    }
    try context.visit?.signIn(link.keys, on: connection)
    return try StartPage.landing(of: account, front, on: connection)
  }
}

/// The link of an address that sets a password, with whose it is.
private struct ResetLink {
  let keys: Keys
  let endsSecondFactor: Bool
  let asksForCode: Bool

  /// Throws ``OneTimeLink/gone`` for an address that does not work any more.
  init(_ context: Context, on connection: Connection) throws {
    let token = context.request.parameters["token"]
    let vault = try context.front().vault
    guard let link = try OneTimeLink.reset(by: token, at: context.now, vault, on: connection),
      let keys = try KeyCabinet(vault).keys(of: link.person, on: connection),
      let account = try Account.find(link.person, on: connection)
    else { throw OneTimeLink.gone }
    self.keys = keys
    endsSecondFactor = link.endsSecondFactor && account.secondFactor != nil
    asksForCode = !link.endsSecondFactor && account.secondFactor != nil
  }
}

/// Either of two forms.
private struct ResetAnswer: FormAnswer {
  let plain: any FormAnswer
  let withCode: any FormAnswer

  private func form(_ context: Context) throws -> any FormAnswer {
    try context.database.read { try ResetLink(context, on: $0) }.asksForCode ? withCode : plain
  }

  func show(_ context: Context) throws -> Response { try form(context).show(context) }

  /// By what was sent: a form that is sent twice is answered once, though its link works no more.
  func submit(_ context: Context) throws -> Response {
    try (context.request.fields.contains("code") ? withCode : plain).submit(context)
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    try form(context).showAgain(context, because: reason, status: status)
  }

  func carried(_ sent: Fields) -> Fields { plain.carried(sent) }
}
