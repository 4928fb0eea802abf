import PolyclinicCore

/// The second step of signing in: a code of the app, or, for those who have to have a second factor and have none
/// yet, the way to one.
struct SecondStep: FormAnswer {
  /// Leads to the first step: nothing stands at this address without a sign-in that has begun.
  func show(_ context: Context) throws -> Response { .redirect(to: "/login") }

  func submit(_ context: Context) throws -> Response {
    guard let visit = context.visit else { throw Refusal.notFound }
    let sent = context.request.fields
    var content = SecondStepContent(
      pending: sent["pending"], next: sent["next"], carried: sent["carried"])
    guard let pending = try visit.front.pendingSignIns.open(content.pending, at: visit.now) else {
      return try SignInPage().showAgain(context, because: "sign-in.too-late", status: 422)
    }
    (content.enrolling, content.person) = (pending.enrolling, pending.person)
    let attempt = SecondStepAttempt(visit: visit, pending: pending)
    switch try attempt.run(sent["code"], content, trusting: sent.contains("trust")) {
    case .signedIn(let account, let load, let codes):
      let target = try SignInPage.target(account, load, next: content.next, visit)
      if codes.isEmpty { return .redirect(to: target) }
      let codes = RecoveryCodeSheet.text(codes)
      return .page(RecoveryCodeSheet(codes: codes, next: target, context: context).page)
    case .wrong:
      content.problem = "error.code"
      return try page(content, context, status: 422)
    case .wait(let span):
      content.problem = Text("error.wait", count: Int(span.count))
      return try page(content, context, status: 429)
        .adding(.init("Retry-After", String(span.count)))
    case .ended:
      return try SignInPage().showAgain(context, because: "sign-in.too-late", status: 422)
    }
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    try SignInPage().showAgain(context, because: reason, status: status)
  }

  func carried(_ sent: Fields) -> Fields { Fields() }

  /// The page that follows a right password.
  static func begin(
    _ account: Account, next: String, carried: String, _ context: Context
  ) throws -> Response {
    guard let visit = context.visit else { throw Refusal.notFound }
    let pending = PendingSignIn(
      account, enrolling: account.secondFactor == nil ? .random() : nil, at: visit.now)
    let content = SecondStepContent(
      pending: try visit.front.pendingSignIns.seal(pending), next: next, carried: carried,
      enrolling: pending.enrolling, person: account.person)
    return try SecondStep().page(content, context, status: 200)
  }

  private func page(
    _ content: SecondStepContent, _ context: Context, status: Int
  ) throws -> Response {
    .page(try SecondStepPage(content: content, context: context).page, status: status)
  }
}

/// The fields of the second step's page.
struct SecondStepContent {
  var pending = ""
  var next = ""
  var carried = ""
  /// The secret of an app that is set up, and the person whose it is to be.
  var enrolling: OneTimePassword?
  var person: ID<Person>?
  /// The reason why it is shown again.
  var problem: Text?
}

/// Completes a sign-in with a code.
struct SecondStepAttempt {
  let visit: Visit
  let pending: PendingSignIn

  enum Outcome {
    /// With the form that was carried, and the recovery codes of a second factor that was set up.
    case signedIn(Account, Carrier.Load?, [RecoveryCode])
    case wrong
    case wait(Seconds)
    /// Password, state or second factor of the account have changed since the first step.
    case ended
  }

  private var front: Front { visit.front }

  func run(
    _ typed: String, _ content: SecondStepContent, trusting: Bool
  ) throws -> Outcome {
    let outcome = try front.database.write {
      try complete(typed, content, trusting: trusting, on: $0)
    }
    switch outcome {
    case .signedIn:
      visit.record(SecurityEvent(.signedIn, of: pending.person))
      front.tally.count(.signedIn)
    case .wrong:
      visit.record(SecurityEvent(.codeWrong, of: pending.person))
      front.tally.count(.signInWrong)
    case .wait:
      visit.record(SecurityEvent(.signInThrottled, of: pending.person))
      front.tally.count(.signInThrottled)
    case .ended: break
    }
    return outcome
  }

  private func complete(
    _ typed: String, _ content: SecondStepContent, trusting: Bool, on connection: Connection
  ) throws -> Outcome {
    guard let account = try Account.find(pending.person, on: connection),
      account.state == .active, pending.isStill(of: account),
      (account.secondFactor == nil) == (pending.enrolling != nil),
      try account.isGenuine(front.vault, on: connection),
      let keys = try KeyCabinet(front.vault).keys(of: account.person, on: connection)
    else { return .ended }
    var codes: [RecoveryCode]?
    let attempt = CodeAttempt(visit: visit)
    let outcome = try attempt.run(account, on: connection) {
      codes = try prove(typed, account, keys, attempt, on: connection)
      return codes != nil
    }
    switch outcome {
    case .wrong: return .wrong
    case .wait(let span): return .wait(span)
    case .right: break
    }
    for name in SignInAttempt.counted(account) {
      try front.throttle.recordSuccess(
        login: name, address: visit.wire.address, now: visit.now, on: connection)
    }
    let load = try visit.signIn(keys, carrying: content.carried, on: connection)
    if trusting { try visit.trustBrowser(for: keys, on: connection) }
    return .signedIn(account, load, codes ?? [])
  }

  /// The recovery codes of a second factor that was set up, none for one that was there; nil for a wrong code.
  private func prove(
    _ typed: String, _ account: Account, _ keys: Keys, _ attempt: CodeAttempt,
    on connection: Connection
  ) throws -> [RecoveryCode]? {
    guard let password = pending.enrolling else {
      return try attempt.prove(typed, of: account, by: keys, on: connection) ? [] : nil
    }
    guard let step = password.step(of: typed, at: visit.now, after: 0) else { return nil }
    return try visit.enrol(password, at: step, of: keys, on: connection)
  }
}

extension Visit {
  /// True if a password alone does not sign in to the account: it has a second factor that this browser has not been
  /// trusted with, or has to get one.
  func asksSecondFactor(
    of account: Account, by keys: Keys, on connection: Connection
  ) throws -> Bool {
    guard account.secondFactor != nil else {
      return front.site.secondFactor.requires(account.roles)
    }
    guard let token = browserToken else { return true }
    return try !TrustedBrowser.isTrusted(token, by: keys, at: now, on: connection)
  }

  /// Sets the second factor up, and tells its person.
  func enrol(
    _ password: OneTimePassword, at step: Int64, of keys: Keys, on connection: Connection
  ) throws -> [RecoveryCode] {
    let codes = try SecondFactor.enrol(
      password, at: step, of: keys, front.vault, on: connection)
    record(SecurityEvent(.secondFactorSet, of: keys.person))
    try front.accountNews.tell(keys.person, .secondFactorSet, by: nil, at: now, on: connection)
    return codes
  }

  /// Takes the second factor away, and tells its person.
  func removeSecondFactor(of person: ID<Person>, on connection: Connection) throws {
    try SecondFactor.remove(of: person, front.vault, on: connection)
    record(SecurityEvent(.secondFactorRemoved, of: person))
    try front.accountNews.tell(person, .secondFactorRemoved, by: nil, at: now, on: connection)
  }

  private var browserToken: Token? {
    Cookies.value(TrustedBrowser.cookie, in: wire.cookies).flatMap(Token.init)
  }

  /// Trusts this browser for the sake of somebody who has just given the second factor.
  fileprivate func trustBrowser(for keys: Keys, on connection: Connection) throws {
    let token = browserToken ?? .random()
    setCookie(TrustedBrowser.cookie, token.text, age: TrustedBrowser.lifetime)
    try TrustedBrowser.trust(
      token, for: keys, device: Device.name(of: wire.userAgent), at: now, on: connection)
  }

  /// Begins a session, and has it carry the form that was sealed for its person; nil where there is none.
  func signIn(
    _ keys: Keys, carrying form: String, on connection: Connection
  ) throws -> Carrier.Load? {
    let session = try signIn(keys, on: connection)
    let load = try front.carriedForms.open(form, for: keys.person)
    if load != nil { try front.sessions.carry(form, in: session.hash, on: connection) }
    return load
  }
}
