import PolyclinicCore
import PolyclinicWeb

/// An attempt to sign in with a passkey. It is throttled and counted like a password.
struct PasskeyAttempt {
  enum Outcome {
    case signedIn(Account, SecondStepAttempt.SignedIn)
    case refused(Refused)
    /// The account is suspended. Only the owner of the passkey gets this answer.
    case suspended(ID<Person>)
    case wait(Seconds)
  }

  /// A passkey that is refused.
  struct Refused {
    let fault: PasskeyFault
    /// Empty if the response cannot be read, or answers no challenge of the portal.
    var credentialID: [UInt8] = []
    /// The owner of the passkey; nil if it is not stored.
    var owner: ID<Person>?
  }

  let context: Context

  private var server: ServerContext { context.server }
  private var sent: Fields { context.request.fields }

  /// Checks the response that was sent, in a transaction that also begins the session.
  func run() throws -> Outcome {
    guard let party = server.relyingParty else { throw Refusal.notFound }
    guard let browser = context.request.client.visit else { throw Refusal.signedOut }
    let outcome: Outcome
    do {
      let response = try PasskeyResponse(sent["credential"])
      // Used up before anything else is checked, whatever the result.
      _ = try server.passkeyChallenges.spend(
        response.challenge, for: .signIn(browser: browser), at: context.now, in: server.database)
      outcome = try server.database.write { try complete(response, party, on: $0) }
    } catch let fault as PasskeyFault {
      outcome = .refused(Refused(fault: fault))
    }
    switch outcome {
    case .signedIn: server.metrics.count(.signedIn)
    case .refused(let refused):
      server.log(
        SecurityEvent(
          .passkeyRefused, of: refused.owner.map { [$0] } ?? [], ["reason": refused.fault.rawValue]),
        of: context)
      server.metrics.count(.signInWrong)
    case .suspended(let person):
      server.log(SecurityEvent(.signInSuspended, of: person), of: context)
    case .wait:
      server.log(SecurityEvent(.signInThrottled), of: context)
      server.metrics.count(.signInThrottled)
    }
    return outcome
  }

  private func complete(
    _ response: PasskeyResponse, _ party: RelyingParty, on connection: Connection
  ) throws -> Outcome {
    let (id, client) = (response.credentialID, context.request.client)
    let counted = Throttle.Attempt(Passkey.throttleName(id, server.vault), from: client)
    let stranger = Work(at: context.now, on: connection)
    if let wait = try server.throttle.check(counted, in: stranger) { return .wait(wait) }
    guard let person = try Passkey.owner(of: id, server.vault, on: connection),
      let account = try Account.find(person, on: connection),
      let keys = try KeyStore(server.vault).unloggedKeys(of: person, on: connection),
      case let work = stranger.with(keys),
      let passkey = try Passkey.find(id, server.vault, in: work)
    else {
      try server.throttle.recordFailure(counted, in: stranger)
      return .refused(Refused(fault: .unknown, credentialID: id))
    }
    let used: Passkey.Content
    do {
      try require(account, response, in: work)
      used = try party.used(passkey.content, by: response)
    } catch let fault as PasskeyFault {
      try server.throttle.recordFailure(counted, in: work)
      if fault == .counter {
        try server.accountNotices.tell(person, .passkeyCopied, in: work)
      }
      return .refused(Refused(fault: fault, credentialID: id, owner: person))
    }
    guard account.state == .active, account.isGenuine(server.vault) else {
      return .suspended(person)
    }
    try passkey.recordUse(used, server.vault, in: work)
    try server.throttle.recordSuccess(counted, in: work)
    for name in account.throttleNames {
      try server.throttle.recordSuccess(Throttle.Attempt(name, from: client), in: work)
    }
    var signedIn = SecondStepAttempt.SignedIn()
    let begun = try server.signIn(from: client, restoring: sent["carried"], in: work)
    signedIn.interrupted = begun.interrupted
    signedIn.effects.add(begun.effects)
    signedIn.effects.events.append(SecurityEvent(.signedIn, of: person, ["with": "passkey"]))
    return .signedIn(account, signedIn)
  }

  /// Throws ``PasskeyFault`` unless the response names the account by its user handle. After a
  /// correct password the passkey must be of that account, and need not name it again.
  private func require(_ account: Account, _ response: PasskeyResponse, in work: Work) throws {
    var isNamed = false
    if !sent["pending"].isEmpty {
      let pending = try server.pendingSignIns.open(
        sent["pending"], for: .signIn(in: context), at: context.now)
      guard let pending, pending.isStill(of: account) || pending.person != account.person else {
        throw PasskeyFault.expired
      }
      guard pending.person == account.person else { throw PasskeyFault.account }
      isNamed = true
    }
    guard let handle = response.userHandle else {
      if isNamed { return }
      throw PasskeyFault.account
    }
    guard try Passkey.handle(in: work) == handle else { throw PasskeyFault.account }
  }
}

extension ServerContext {
  /// Returns true if the person can sign in with a passkey.
  func hasPasskey(_ person: ID<Person>, at now: Instant, on connection: Connection) throws -> Bool {
    guard let keys = try KeyStore(vault).unloggedKeys(of: person, on: connection) else {
      return false
    }
    return try Passkey.hasAny(for: relyingParty, in: Work(keys: keys, at: now, on: connection))
  }
}
