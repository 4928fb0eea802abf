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

  /// Checks the code that was sent, in a transaction that also begins the session. Throws
  /// ``PasskeyFault`` for a passkey that was made in place of an app, and is refused.
  func run() throws -> Outcome {
    var passkey: MadePasskey?
    if pending.enrolling != nil, context.request.fields.contains("credential"),
      let browser = context.request.client.visit
    {
      passkey = try MadePasskey(of: pending.person, for: browser, context)
    }
    let outcome = try server.database.write { try complete(with: passkey, on: $0) }
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

  private func complete(
    with passkey: MadePasskey?, on connection: Connection
  ) throws -> Outcome {
    guard let account = try Account.find(pending.person, on: connection),
      account.state == .active, pending.isStill(of: account), account.isGenuine(server.vault),
      let keys = try KeyStore(server.vault).unloggedKeys(of: account.person, on: connection),
      case let work = Work(keys: keys, at: context.now, on: connection),
      try server.hasSecondFactor(account, in: work) == (pending.enrolling == nil)
    else { return .ended }
    let client = context.request.client
    var signedIn: SignedIn
    if let passkey {
      signedIn = try enrol(passkey, in: work)
    } else {
      let outcome = try CodeAttempt(context: context).run(account, in: work) {
        try prove(account, in: work)
      }
      switch outcome {
      case .wrong: return .wrong
      case .wait(let span): return .wait(span)
      case .right(let proved): signedIn = proved
      }
    }
    for name in account.throttleNames {
      try server.throttle.recordSuccess(Throttle.Attempt(name, from: client), in: work)
    }
    let sent = context.request.fields
    let begun = try server.signIn(from: client, restoring: sent["carried"], in: work)
    signedIn.interrupted = begun.interrupted
    signedIn.effects.add(begun.effects)
    if sent.contains("trust") { signedIn.effects.add(try trust(client, in: work)) }
    signedIn.effects.events.append(SecurityEvent(.signedIn, of: pending.person))
    return .signedIn(account, signedIn)
  }

  /// Trusts this browser, so that the person's next sign-in from it needs no code.
  private func trust(_ client: Client, in work: Work) throws -> Effects {
    try server.accountNotices.tell(pending.person, .browserTrusted, in: work)
    var effects = try server.remember(client, among: .trusted, in: work)
    effects.events = [SecurityEvent(.browserTrusted, of: pending.person)]
    return effects
  }

  /// Stores a passkey as the second factor, and ends other sessions, because they were opened with
  /// the password alone. Returns the recovery codes, with the events to log.
  private func enrol(_ passkey: MadePasskey, in work: Work) throws -> SignedIn {
    var signedIn = SignedIn()
    try passkey.store(server, in: work)
    try server.endSessions(of: pending.person, exceptFrom: context.request.client, on: work)
    signedIn.codes = try RecoveryCode.renew(for: pending.person, server.vault, on: work)
    signedIn.effects.events = [SecurityEvent(.passkeyAdded, of: pending.person)]
    return signedIn
  }

  /// Returns the recovery codes of a new second factor, or none for an existing one, with the
  /// events to log; nil for a wrong code.
  private func prove(_ account: Account, in work: Work) throws -> SignedIn? {
    let typed = context.request.fields["code"]
    var signedIn = SignedIn()
    guard let password = pending.enrolling else {
      let events = try CodeAttempt(context: context).prove(typed, of: account, in: work)
      guard let events else { return nil }
      signedIn.effects.events = events
      return signedIn
    }
    guard let step = password.step(of: typed, at: context.now, after: 0) else { return nil }
    let app = SecondFactor.ProvenApp(password: password, step: step)
    signedIn.codes = try server.enrol(app, from: context.request.client, in: work)
    signedIn.effects.events = [SecurityEvent(.secondFactorSet, of: pending.person)]
    return signedIn
  }
}

extension ServerContext {
  /// True if the account has a second factor: an app or a passkey.
  func hasSecondFactor(_ account: Account, in work: Work) throws -> Bool {
    try account.secondFactor != nil || Passkey.hasAny(for: relyingParty, in: work)
  }

  /// True if signing in with the password needs a second step. Either the account has an app or must
  /// use a passkey, and does not trust this browser, or the account must set one up.
  ///
  /// A passkey alone asks for none, unless the account needs a second factor: who has lost the only
  /// device still has the password.
  func asksSecondFactor(
    of account: Account, from client: Client, in work: Work
  ) throws -> Bool {
    let isRequired = site.secondFactor.requires(account.roles)
    guard account.secondFactor != nil || isRequired else { return false }
    guard try hasSecondFactor(account, in: work) else { return true }
    guard let token = client.token(of: .trusted) else { return true }
    return try RememberedBrowsers.trusted.find(token, in: work) == nil
  }

  /// Sets up the second factor, makes this address known for codes, and notifies the person. Ends
  /// other sessions, because they were opened with the password alone (ASVS 5.0, 7.4.3).
  func enrol(
    _ app: SecondFactor.ProvenApp, from client: Client, in work: Work
  ) throws -> [RecoveryCode] {
    let codes = try SecondFactor(vault: vault).enrol(app, in: work)
    let person = try work.keys.person
    try throttle.recordSuccess(
      Throttle.Attempt(Account.codeThrottleName(person), from: client), in: work)
    try accountNotices.tell(person, .secondFactorSet, in: work)
    try endSessions(of: person, exceptFrom: client, on: work)
    return codes
  }

  /// Removes the app, its codes and all passkeys, and notifies the person.
  func removeSecondFactor(of person: ID<Person>, in work: Work) throws {
    let hadApp = try Account.find(person, on: work)?.secondFactor != nil
    try SecondFactor(vault: vault).remove(of: person, on: work)
    if hadApp { try accountNotices.tell(person, .secondFactorRemoved, in: work) }
    if try Passkey.removeAll(of: person, on: work) > 0 {
      try accountNotices.tell(person, .passkeyRemoved, in: work)
    }
  }

  /// Begins a session and stores the form from an expired session in it. Returns that
  /// form, or nil if there is none for this person, and the effects of the response.
  func signIn(
    from client: Client, restoring form: String, in work: Work
  ) throws -> (interrupted: InterruptedForm.Content?, effects: Effects) {
    let effects = try signIn(from: client, in: work)
    let interrupted = try interruptedForms.open(form, for: work.keys.person)
    if interrupted != nil, case .begins(let token, _) = effects.session, let token = Token(token) {
      try sessions.store(interruptedForm: form, in: token.hash, on: work)
    }
    return (interrupted, effects)
  }
}
