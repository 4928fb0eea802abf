import PolyclinicCore

/// The pages of one's own second factor.
extension AccountsModule {
  var secondFactorRoutes: [Route] {
    [
      .get("two-factor", showSecondFactor),
      ShownOnce.route(
        "two-factor/set-up",
        .form(
          "two-factor/set-up", SecondFactorForm.setUp, title: "two-factor.set-up",
          cancel: "two-factor", submit: "two-factor.set-up.submit", about: aboutSetUp,
          prepare: { try $0.prepare($1) }, save: setUpSecondFactor), page: Self.sheet),
      ShownOnce.route(
        "two-factor/codes",
        .form(
          "two-factor/codes", PresentPassword.form, title: "two-factor.codes",
          cancel: "two-factor", submit: "two-factor.codes.submit", about: aboutCodes,
          prepare: { try $0.prove($1) }, save: renewCodes), page: Self.sheet),
      .form(
        "two-factor/remove", SecondFactorForm.removal, title: "two-factor.remove",
        cancel: "two-factor", submit: "two-factor.remove.submit", about: aboutRemoval,
        prepare: { try $0.prepareRemoval($1) }, save: removeSecondFactor),
      .post("sessions/browsers/{id}/forget", forgetBrowser),
    ]
  }

  @Sendable
  private static func sheet(_ codes: String, _ context: Context) -> Page {
    RecoveryCodeSheet(codes: codes, next: "/account/two-factor", context: context).page
  }

  private func showSecondFactor(_ context: Context) throws -> Response {
    let (account, left) = try context.database.read { connection in
      let person = try context.keys.person
      return (
        try Account.find(person, on: connection),
        try RecoveryCode.left(of: person, on: connection)
      )
    }
    guard let account else { throw Refusal.notFound }
    let isRequired = try context.front().site.secondFactor.requires(account.roles)
    return .page(
      SecondFactorPage(
        isSet: account.secondFactor != nil, isRequired: isRequired, codesLeft: left,
        context: context
      ).page)
  }

  /// The steps, with a new secret, or the one that the form was sent with.
  private func aboutSetUp(_ context: Context) throws -> HTML? {
    let front = try context.front()
    let person = try context.keys.person
    let sent = try front.pendingSignIns.open(context.request.fields["pending"], at: context.now)
    let account = try context.database.read { try Account.find(person, on: $0) }
    guard let account else { throw Refusal.notFound }
    if account.secondFactor != nil { throw Refusal.conflict("error.second-factor-there") }
    let pending =
      sent?.person == person && sent?.enrolling != nil
      ? sent : PendingSignIn(account, enrolling: .random(), at: context.now)
    guard let pending, let password = pending.enrolling else { throw Refusal.notFound }
    return """
      \(try Enrolment(password: password, person: person, context: context).html)\
      <input type="hidden" name="pending" value="\(try front.pendingSignIns.seal(pending))">
      """
  }

  private func setUpSecondFactor(
    _ form: SecondFactorForm, _ context: Context, _ connection: Connection
  ) throws -> Path {
    guard let visit = context.visit, let (password, step) = form.proof else {
      throw Refusal.notFound
    }
    let keys = try context.keys
    try form.present.requireStill(of: keys.person, on: connection)
    let codes = try visit.enrol(password, at: step, of: keys, on: connection)
    visit.secret = RecoveryCodeSheet.text(codes)
    // Other browsers have signed in with the password alone (ASVS 5.0, 7.4.3).
    try visit.front.sessions.endAll(of: keys.person, except: visit.session?.id, on: connection)
    return "two-factor"
  }

  private func aboutCodes(_ context: Context) throws -> HTML? {
    guard try context.hasSecondFactor else { throw Refusal.notFound }
    return "<p>\(context.text("two-factor.codes.about"))</p>"
  }

  private func renewCodes(
    _ present: PresentPassword, _ context: Context, _ connection: Connection
  ) throws -> Path {
    guard let visit = context.visit else { throw Refusal.notFound }
    let person = try context.keys.person
    try present.requireStill(of: person, on: connection)
    let codes = try RecoveryCode.renew(for: person, visit.front.vault, on: connection)
    visit.secret = RecoveryCodeSheet.text(codes)
    visit.record(SecurityEvent(.recoveryCodesMade, of: person))
    return "two-factor"
  }

  private func aboutRemoval(_ context: Context) throws -> HTML? {
    guard try context.hasSecondFactor else { throw Refusal.notFound }
    let roles = try context.signedIn().roles
    if try context.front().site.secondFactor.requires(roles) {
      throw Refusal.conflict("error.second-factor-required")
    }
    return "<p>\(context.text("two-factor.remove.about"))</p>"
  }

  private func removeSecondFactor(
    _ form: SecondFactorForm, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let person = try context.keys.person
    try form.present.requireStill(of: person, on: connection)
    try context.visit?.removeSecondFactor(of: person, on: connection)
    return "two-factor"
  }

  private func forgetBrowser(_ context: Context) throws -> Response {
    let person = try context.keys.person
    let isForgotten = try context.database.write {
      try TrustedBrowser.forget(context.id(), of: person, on: $0)
    }
    guard isForgotten else { throw Refusal.notFound }
    context.visit?.record(SecurityEvent(.browserForgotten, of: person))
    return .redirect(to: "sessions")
  }
}

/// A password, and with it a code of the app that is set up or taken away.
struct SecondFactorForm: Sendable {
  var present = PresentPassword()
  var code = ""
  /// The secret whose code was typed, with the code's step.
  fileprivate var proof: (OneTimePassword, Int64)?

  static let setUp = Form<SecondFactorForm>(
    SecondFactorForm(),
    .text(
      \.code, "code", required: true, limit: 64, autocomplete: "one-time-code",
      hint: "field.code.hint"),
    .part(\.present, PresentPassword.form))

  static let removal = Form<SecondFactorForm>(
    SecondFactorForm(), .part(\.present, PresentPassword.form), PasswordReset.codeField(\.code))

  /// Throws ``Refusal/invalid(_:_:)`` for `code` unless it is one of the secret that the form carries.
  fileprivate mutating func prepare(_ context: Context) throws {
    try present.prove(context)
    let pending = try context.front().pendingSignIns.open(
      context.request.fields["pending"], at: context.now)
    guard let pending, pending.person == (try context.keys.person),
      let password = pending.enrolling
    else { throw Refusal.invalid("code", "error.code.too-late") }
    guard let step = password.step(of: code, at: context.now, after: 0) else {
      throw Refusal.invalid("code", "error.code")
    }
    proof = (password, step)
  }

  /// As ``prepare(_:)``, of the second factor that is there; and the password has to be long enough without it.
  fileprivate mutating func prepareRemoval(_ context: Context) throws {
    try present.prove(context)
    guard PasswordPolicy.length(of: present.typed) >= PasswordPolicy.shortest else {
      throw Refusal.invalid(
        "current_password",
        Text("error.second-factor-short", ["shortest": String(PasswordPolicy.shortest)]))
    }
    guard let visit = context.visit else { throw Refusal.notFound }
    try CodeAttempt(visit: visit).require(code, of: context.keys.person)
  }
}

extension Context {
  /// True if the visitor's account has a second factor.
  var hasSecondFactor: Bool {
    get throws {
      try database.read { try Account.find(keys.person, on: $0)?.secondFactor != nil }
    }
  }
}
