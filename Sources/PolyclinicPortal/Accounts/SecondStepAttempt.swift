import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// Completes a sign-in with a code.
struct SecondStepAttempt {
  let context: Context
  let pending: PendingSignIn

  private var server: ServerContext { context.server }

  /// A complete sign-in.
  struct SignedIn {
    var effects = Effects()
    /// The sealed form from an expired session.
    var interrupted: InterruptedForm.Content?
    /// The recovery codes of a new second factor.
    var codes: [RecoveryCode] = []
  }

  enum Outcome {
    case signedIn(Account, SignedIn)
    case wrong
    case wait(Seconds)
    /// The account's password, state or second factor has changed since the first step.
    case ended
  }

  /// Checks the code that was sent, in a transaction that also begins the session.
  func run() throws -> Outcome {
    let outcome = try server.database.write { try complete(on: $0) }
    switch outcome {
    case .signedIn: server.metrics.count(.signedIn)
    case .wrong:
      server.log(SecurityEvent(.codeWrong, of: pending.person), of: context)
      server.metrics.count(.signInWrong)
    case .wait:
      server.log(SecurityEvent(.signInThrottled, of: pending.person), of: context)
      server.metrics.count(.signInThrottled)
    case .ended: break
    }
    return outcome
  }

  private func complete(on connection: Connection) throws -> Outcome {
    guard let account = try Account.find(pending.person, on: connection),
      account.state == .active, pending.isStill(of: account),
      (account.secondFactor == nil) == (pending.enrolling != nil),
      account.isGenuine(server.vault),
      let keys = try KeyStore(server.vault).unloggedKeys(of: account.person, on: connection)
    else { return .ended }
    var signedIn: SignedIn
    let attempt = CodeAttempt(context: context)
    let outcome = try attempt.run(account, on: connection) {
      try prove(account, keys, attempt, on: connection)
    }
    switch outcome {
    case .wrong: return .wrong
    case .wait(let span): return .wait(span)
    case .right(let proved): signedIn = proved
    }
    for name in account.throttleNames {
      try server.throttle.recordSuccess(
        login: name, address: context.request.client.address, now: context.now,
        on: connection)
    }
    let sent = context.request.fields
    let begun = try server.signIn(keys, restoring: sent["carried"], for: context, on: connection)
    signedIn.interrupted = begun.interrupted
    signedIn.effects.add(begun.effects)
    if sent.contains("trust") { signedIn.effects.add(try trust(keys, on: connection)) }
    signedIn.effects.events.append(SecurityEvent(.signedIn, of: pending.person))
    return .signedIn(account, signedIn)
  }

  /// Trusts this browser, so that the person's next sign-in from it needs no code.
  private func trust(_ keys: Keys, on connection: Connection) throws -> Effects {
    try server.accountNotices.tell(
      keys.person, .browserTrusted, by: nil, at: context.now, on: connection)
    var effects = try server.remember(
      context.request.client, among: .trusted, for: keys, at: context.now, on: connection)
    effects.events = [SecurityEvent(.browserTrusted, of: keys.person)]
    return effects
  }

  /// Returns the recovery codes of a new second factor, or none for an existing one, with the
  /// events to log; nil for a wrong code.
  private func prove(
    _ account: Account, _ keys: Keys, _ attempt: CodeAttempt, on connection: Connection
  ) throws -> SignedIn? {
    let typed = context.request.fields["code"]
    var signedIn = SignedIn()
    guard let password = pending.enrolling else {
      let events = try attempt.prove(typed, of: account, by: keys, on: connection)
      guard let events else { return nil }
      signedIn.effects.events = events
      return signedIn
    }
    guard let step = password.step(of: typed, at: context.now, after: 0) else { return nil }
    signedIn.codes = try server.enrol(password, at: step, of: keys, context, on: connection)
    signedIn.effects.events = [SecurityEvent(.secondFactorSet, of: keys.person)]
    return signedIn
  }
}

extension ServerContext {
  /// True if signing in needs a second step. Either the account has a second factor and does not
  /// trust this browser, or the account must set one up.
  func asksSecondFactor(
    of account: Account, by keys: Keys, _ context: Context, on connection: Connection
  ) throws -> Bool {
    guard account.secondFactor != nil else { return site.secondFactor.requires(account.roles) }
    guard let token = context.request.client.token(of: .trusted) else { return true }
    return try RememberedBrowsers.trusted.find(
      token, by: keys, at: context.now, on: connection) == nil
  }

  /// Sets up the second factor, makes this address known for codes, and notifies the person. Ends
  /// other sessions, because they were opened with the password alone (ASVS 5.0, 7.4.3).
  func enrol(
    _ password: OneTimePassword, at step: Int64, of keys: Keys, _ context: Context,
    on connection: Connection
  ) throws -> [RecoveryCode] {
    let codes = try SecondFactor.enrol(
      password, at: step, of: keys, at: context.now, vault, on: connection)
    try throttle.recordSuccess(
      login: Account.codeThrottleName(keys.person), address: context.request.client.address,
      now: context.now, on: connection)
    try accountNotices.tell(keys.person, .secondFactorSet, by: nil, at: context.now, on: connection)
    try endOtherSessions(of: keys.person, context, on: connection)
    return codes
  }

  /// Removes the second factor and notifies the person.
  func removeSecondFactor(
    of person: ID<Person>, at now: Instant, on connection: Connection
  ) throws {
    try SecondFactor.remove(of: person, vault, on: connection)
    try accountNotices.tell(person, .secondFactorRemoved, by: nil, at: now, on: connection)
  }

  /// Begins a session and stores the form from an expired session in it. Returns that
  /// form, or nil if there is none for this person, and the effects of the response.
  func signIn(
    _ keys: Keys, restoring form: String, for context: Context, on connection: Connection
  ) throws -> (interrupted: InterruptedForm.Content?, effects: Effects) {
    let effects = try signIn(keys, for: context, on: connection)
    let interrupted = try interruptedForms.open(form, for: keys.person)
    if interrupted != nil, case .begins(let token, _) = effects.session, let token = Token(token) {
      try sessions.store(interruptedForm: form, in: token.hash, on: connection)
    }
    return (interrupted, effects)
  }
}
