import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// The pages for managing one's own second factor.
extension AccountsModule {
  var secondFactorRoutes: [Route] {
    [
      .get("two-factor", showSecondFactor),
      SecretForm.route(
        "two-factor/set-up",
        .form(
          "two-factor/set-up", SecondFactorForm.setUp, title: "two-factor.set-up",
          cancel: "two-factor", submit: "two-factor.set-up.submit", about: aboutSetUp,
          prepare: { try $0.prepare($1, server()) }, save: setUpSecondFactor), page: Self.sheet),
      SecretForm.route(
        "two-factor/codes",
        .form(
          "two-factor/codes", CurrentPassword.form, title: "two-factor.codes",
          cancel: "two-factor", submit: "two-factor.codes.submit", about: aboutCodes,
          prepare: { try $0.prove($1, server()) }, save: renewCodes), page: Self.sheet),
      .form(
        "two-factor/remove", SecondFactorForm.removal, title: "two-factor.remove",
        cancel: "two-factor", submit: "two-factor.remove.submit", about: aboutRemoval,
        prepare: { try $0.prepareRemoval($1, server()) }, save: removeSecondFactor),
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
    let isRequired = server().site.secondFactor.requires(account.roles)
    return .page(
      SecondFactorPage(
        isSet: account.secondFactor != nil, isRequired: isRequired, codesLeft: left,
        context: context
      ).page)
  }

  /// The setup steps with a new secret, or with the secret that the form was sent with.
  private func aboutSetUp(_ context: Context) throws -> HTML? {
    let server = self.server()
    let person = try context.keys.person
    let sent = try server.pendingSignIns.open(context.request.fields["pending"], at: context.now)
    let account = try context.database.read { try Account.find(person, on: $0) }
    guard let account else { throw Refusal.notFound }
    if account.secondFactor != nil { throw Refusal.conflict("error.second-factor-there") }
    let pending =
      sent?.person == person && sent?.enrolling != nil
      ? sent : PendingSignIn(account, enrolling: .random(), at: context.now)
    guard let pending, let password = pending.enrolling else { throw Refusal.notFound }
    return """
      \(try Enrolment(password: password, person: person, context: context, server: server).html)\
      <input type="hidden" name="pending" value="\(try server.pendingSignIns.seal(pending))">
      """
  }

  private func setUpSecondFactor(
    _ form: SecondFactorForm, _ context: Context, _ connection: Connection
  ) throws -> Redirect {
    guard let (password, step) = form.proof else { throw Refusal.notFound }
    let server = self.server()
    let keys = try context.keys
    try form.currentPassword.requireStill(of: keys.person, on: connection)
    let codes = try server.enrol(
      password, at: step, of: keys, at: context.now, on: connection)
    // Ends other sessions, because they were opened with the password alone (ASVS 5.0, 7.4.3).
    try server.endOtherSessions(of: keys.person, context, on: connection)
    return Redirect(to: "two-factor").showing(RecoveryCodeSheet.text(codes))
      .logging(SecurityEvent(.secondFactorSet, of: keys.person))
  }

  private func aboutCodes(_ context: Context) throws -> HTML? {
    guard try context.hasSecondFactor else { throw Refusal.notFound }
    return "<p>\(context.text("two-factor.codes.about"))</p>"
  }

  private func renewCodes(
    _ currentPassword: CurrentPassword, _ context: Context, _ connection: Connection
  ) throws -> Redirect {
    let person = try context.keys.person
    try currentPassword.requireStill(of: person, on: connection)
    let codes = try RecoveryCode.renew(for: person, server().vault, on: connection)
    return Redirect(to: "two-factor").showing(RecoveryCodeSheet.text(codes))
      .logging(SecurityEvent(.recoveryCodesMade, of: person))
  }

  private func aboutRemoval(_ context: Context) throws -> HTML? {
    guard try context.hasSecondFactor else { throw Refusal.notFound }
    let roles = try context.signedIn().roles
    if server().site.secondFactor.requires(roles) {
      throw Refusal.conflict("error.second-factor-required")
    }
    return "<p>\(context.text("two-factor.remove.about"))</p>"
  }

  private func removeSecondFactor(
    _ form: SecondFactorForm, _ context: Context, _ connection: Connection
  ) throws -> Redirect {
    let person = try context.keys.person
    try form.currentPassword.requireStill(of: person, on: connection)
    try server().removeSecondFactor(of: person, at: context.now, on: connection)
    return Redirect(to: "two-factor").logging(SecurityEvent(.secondFactorRemoved, of: person))
  }

  private func forgetBrowser(_ context: Context) throws -> Response {
    let person = try context.keys.person
    return try context.redirecting { connection in
      let isForgotten = try RememberedBrowsers.trusted.forget(
        context.id(), of: person, on: connection)
      guard isForgotten else { throw Refusal.notFound }
      return Redirect(to: "sessions").logging(SecurityEvent(.browserForgotten, of: person))
    }
  }
}

/// The form for setting up or removing the second factor: the password and a code.
struct SecondFactorForm: Sendable {
  var currentPassword = CurrentPassword()
  var code = ""
  /// The app's secret and the time step of the code that proved it.
  fileprivate var proof: (OneTimePassword, Int64)?

  static let setUp = Form<SecondFactorForm>(
    SecondFactorForm(),
    .text(
      \.code, "code", required: true, limit: 64, autocomplete: "one-time-code",
      hint: "field.code.hint"),
    .part(\.currentPassword, CurrentPassword.form))

  static let removal = Form<SecondFactorForm>(
    SecondFactorForm(), .part(\.currentPassword, CurrentPassword.form),
    PasswordReset.codeField(\.code))

  /// Checks password and code. Throws ``Refusal/invalid(_:_:)`` for `code` if it does not match the
  /// secret in the form.
  fileprivate mutating func prepare(_ context: Context, _ server: ServerContext) throws {
    try currentPassword.prove(context, server)
    let pending = try server.pendingSignIns.open(
      context.request.fields["pending"], at: context.now)
    guard let pending, pending.person == (try context.keys.person),
      let password = pending.enrolling
    else { throw Refusal.invalid("code", "error.code.too-late") }
    guard let step = password.step(of: code, at: context.now, after: 0) else {
      throw Refusal.invalid("code", "error.code")
    }
    proof = (password, step)
  }

  /// Checks the password and a code of the existing second factor. Throws ``Refusal/invalid(_:_:)``
  /// if the password is too short for an account without a second factor.
  fileprivate mutating func prepareRemoval(
    _ context: Context, _ server: ServerContext
  ) throws {
    try currentPassword.prove(context, server)
    guard PasswordPolicy.length(of: currentPassword.typed) >= PasswordPolicy.shortest else {
      throw Refusal.invalid(
        "current_password",
        Text("error.second-factor-short", ["shortest": String(PasswordPolicy.shortest)]))
    }
    try CodeAttempt(context: context, server: server).require(code, of: context.keys.person)
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
