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
          "two-factor/codes", SecondFactorForm.proof, title: "two-factor.codes",
          cancel: "two-factor", submit: "two-factor.codes.submit", about: aboutCodes,
          prepare: { try $0.prepareCodes($1, server()) }, save: renewCodes), page: Self.sheet),
      .form(
        "two-factor/remove", SecondFactorForm.proof, title: "two-factor.remove",
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
    let person = try context.keys.person
    let (account, left) = (
      try Account.find(person, on: context),
      try RecoveryCode.left(of: person, on: context)
    )
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
    let purpose = try PendingSignIn.Purpose.setUp(in: context)
    let sent = try server.pendingSignIns.open(
      context.request.fields["pending"], for: purpose, at: context.now)
    let account = try Account.find(person, on: context)
    guard let account else { throw Refusal.notFound }
    if account.secondFactor != nil { throw Refusal.conflict("error.second-factor-there") }
    let pending =
      sent?.person == person && sent?.enrolling != nil
      ? sent : PendingSignIn(account, enrolling: .random(), at: context.now)
    guard let pending, let password = pending.enrolling else { throw Refusal.notFound }
    return """
      \(try Enrolment(password: password, person: person, context: context, server: server).html)\
      <input type="hidden" name="pending" value="\(
        try server.pendingSignIns.seal(pending, for: purpose))">
      """
  }

  private func setUpSecondFactor(
    _ form: SecondFactorForm, _ context: Context
  ) throws -> Redirect {
    guard let (password, step) = form.appProof else { throw Refusal.notFound }
    let server = self.server()
    let keys = try context.keys
    try form.currentPassword.requireStill(of: keys.person, on: context)
    let codes = try server.enrol(password, at: step, of: keys, context, on: context)
    return Redirect(to: "two-factor").showing(RecoveryCodeSheet.text(codes))
      .logging(SecurityEvent(.secondFactorSet, of: keys.person))
  }

  private func aboutCodes(_ context: Context) throws -> HTML? {
    guard try context.hasSecondFactor else { throw Refusal.notFound }
    return "<p>\(context.text("two-factor.codes.about"))</p>"
  }

  private func renewCodes(
    _ form: SecondFactorForm, _ context: Context
  ) throws -> Redirect {
    let server = self.server()
    let person = try context.keys.person
    try form.currentPassword.requireStill(of: person, on: context)
    // The factor may have been removed since the code was checked.
    guard try Account.find(person, on: context)?.secondFactor != nil else {
      throw Refusal.notFound
    }
    let codes = try RecoveryCode.renew(for: person, server.vault, on: context)
    try server.accountNotices.tell(
      person, .recoveryCodesMade, by: nil, at: context.now, on: context)
    return Redirect(to: "two-factor").showing(RecoveryCodeSheet.text(codes))
      .logging(SecurityEvent(.recoveryCodesMade, of: person))
  }

  private func aboutRemoval(_ context: Context) throws -> HTML? {
    guard try context.hasSecondFactor else { throw Refusal.notFound }
    try requireRemovable(roles: try context.signedIn().roles)
    return "<p>\(context.text("two-factor.remove.about"))</p>"
  }

  /// Throws ``Refusal/conflict(_:)`` if an account with these roles needs a second factor.
  private func requireRemovable(roles: Set<Role>) throws {
    if server().site.secondFactor.requires(roles) {
      throw Refusal.conflict("error.second-factor-required")
    }
  }

  private func removeSecondFactor(
    _ form: SecondFactorForm, _ context: Context
  ) throws -> Redirect {
    let person = try context.keys.person
    try form.currentPassword.requireStill(of: person, on: context)
    try requireRemovable(roles: try Account.find(person, on: context)?.roles ?? [])
    try server().removeSecondFactor(of: person, at: context.now, on: context)
    return Redirect(to: "two-factor").logging(SecurityEvent(.secondFactorRemoved, of: person))
  }

  private func forgetBrowser(_ context: Context) throws -> Response {
    let server = self.server()
    let person = try context.keys.person
    return try context.redirecting { context in
      let isForgotten = try RememberedBrowsers.trusted.forget(
        context.id(), of: person, on: context)
      guard isForgotten else { throw Refusal.notFound }
      try server.accountNotices.tell(
        person, .browserForgotten, by: nil, at: context.now, on: context)
      return Redirect(to: "sessions").logging(SecurityEvent(.browserForgotten, of: person))
    }
  }
}

/// The form for a change of the second factor or of its recovery codes: the password and a code.
struct SecondFactorForm: Sendable {
  var currentPassword = CurrentPassword()
  var code = ""
  /// The app's secret and the time step of the code that proved it.
  fileprivate var appProof: (OneTimePassword, Int64)?

  static let setUp = Form<SecondFactorForm>(
    SecondFactorForm(),
    .text(
      \.code, "code", required: true, limit: 64, autocomplete: "one-time-code",
      hint: "field.code.hint"),
    .part(\.currentPassword, CurrentPassword.form))

  /// The form for a change of an existing second factor, with a code of it.
  static let proof = Form<SecondFactorForm>(
    SecondFactorForm(), .part(\.currentPassword, CurrentPassword.form),
    PasswordReset.codeField(\.code))

  /// Checks password and code. Throws ``Refusal/invalid(_:_:)`` for `code` if it does not match the
  /// secret in the form.
  fileprivate mutating func prepare(_ context: Context, _ server: ServerContext) throws {
    try currentPassword.prove(context, server)
    let pending = try server.pendingSignIns.open(
      context.request.fields["pending"], for: .setUp(in: context), at: context.now)
    guard let pending, pending.person == (try context.keys.person),
      let password = pending.enrolling
    else { throw Refusal.invalid("code", "error.code.too-late") }
    guard let step = password.step(of: code, at: context.now, after: 0) else {
      throw Refusal.invalid("code", "error.code")
    }
    appProof = (password, step)
  }

  /// Checks the password and a code of the existing second factor.
  fileprivate mutating func prepareCodes(_ context: Context, _ server: ServerContext) throws {
    guard try context.hasSecondFactor else { throw Refusal.notFound }
    try currentPassword.prove(context, server)
    try CodeAttempt(context: context, server: server).require(code, of: context.keys.person)
  }

  /// As ``prepareCodes(_:_:)``. Throws ``Refusal/invalid(_:_:)`` if the password is too short for
  /// an account without a second factor.
  fileprivate mutating func prepareRemoval(
    _ context: Context, _ server: ServerContext
  ) throws {
    guard try context.hasSecondFactor else { throw Refusal.notFound }
    try currentPassword.prove(context, server)
    guard PasswordPolicy.length(of: currentPassword.typed) >= PasswordPolicy.shortest else {
      throw Refusal.invalid(
        "current_password",
        Text("error.second-factor-short", ["shortest": String(PasswordPolicy.shortest)]))
    }
    try CodeAttempt(context: context, server: server).require(code, of: context.keys.person)
  }
}

extension PendingSignIn.Purpose {
  /// Returns the purpose of a set-up in the visitor's session.
  fileprivate static func setUp(in context: Context) throws -> Self {
    guard let session = context.request.client.session else { throw Refusal.signedOut }
    return .setUp(session: session)
  }
}

extension Context {
  /// True if the visitor's account has a second factor.
  var hasSecondFactor: Bool {
    get throws {
      try Account.find(keys.person, on: self)?.secondFactor != nil
    }
  }
}
