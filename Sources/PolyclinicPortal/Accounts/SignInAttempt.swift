import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// An attempt to sign in with a password. It is throttled and counted, and its duration reveals
/// nothing about accounts.
struct SignInAttempt {
  enum Outcome {
    /// Signed in, with the effects of the response.
    case signedIn(Account, Effects)
    /// The password is correct and a code of the second factor is needed.
    case needsSecondFactor(Account, Effects)
    /// The login is unknown or the password is wrong. The answer does not say which.
    case wrong
    /// The account is suspended. Only a visitor with the correct password gets this answer.
    case suspended
    case wait(Seconds)
  }

  let context: Context
  var purpose = Purpose.signIn

  /// The reason why a password is checked.
  enum Purpose {
    case signIn
    /// A signed-in person confirms a change.
    case confirmation
  }

  /// The rest of the transaction that accepts the password, such as creating a session. Returns
  /// its effects, or nil if a second factor is needed first.
  typealias Begin = (Account, Work) throws -> Effects?

  /// The password that was typed, with the accounts that it may be of.
  private struct Guess {
    let password: String
    /// The typed login or e-mail, as the throttle counts it.
    let counted: String
    let candidates: [Account]
    let priority: HashingLimiter.Priority
  }

  private var server: ServerContext { context.server }

  /// Throws ``HashingBusy`` if too many passwords are being checked at the same time.
  func run(
    login: String, password: String, begin: Begin = { _, _ in Effects() }
  ) throws -> Outcome {
    let typed = String(String.UnicodeScalarView(login.unicodeScalars.prefix(254)))
    let isEmail = typed.contains("@")
    // Counts an e-mail even if no account has it, so that the throttle reveals nothing about
    // accounts.
    let counted = Account.throttleName(
      isEmail ? Account.emailHash(typed, server.vault) : Account.loginHash(typed, server.vault))
    let (wait, meant, guess) = try server.database.read { connection in
      let meant = try Account.candidates(typed, server.vault, on: connection)
      let work = work(on: connection)
      return (
        try pause(of: counted, in: work), meant,
        Guess(
          password: password, counted: counted,
          // Leaves out accounts blocked by their own throttle count. The visitor gets the same
          // answer as for a wrong password.
          candidates: try meant.filter { try pause(of: $0.throttleNames[0], in: work) == nil },
          priority: try priority(of: counted, in: work))
      )
    }
    if let wait { return throttled(wait, meant) }
    let right = try matching(guess, of: isEmail ? Account.mostByEmail : 1)
    guard right.count == 1, let account = right.first else {
      let wait: Seconds? = try server.database.writeIndependently { connection in
        let work = work(on: connection)
        if let wait = try server.throttle.recordFailureUnlessWaiting(attempt(counted), in: work) {
          return wait
        }
        if isEmail { try recordMismatches(guess.candidates, in: work) }
        return nil
      }
      if let wait { return throttled(wait, meant) }
      server.log(event(.signInWrong, .passwordWrong, meant), of: context)
      server.metrics.count(.signInWrong)
      return .wrong
    }
    guard account.isGenuine(server.vault) else {
      server.log(SecurityEvent(.altered, of: account.person), of: context)
      return .suspended
    }
    if account.state == .suspended {
      server.log(SecurityEvent(.signInSuspended, of: account.person), of: context)
      return .suspended
    }
    return try accept(guess, of: account, begin)
  }

  /// Accepts the password in a transaction, unless password or account state have changed
  /// meanwhile. The check ran outside of any transaction because hashing takes long.
  ///
  /// The throttle is asked again: of guesses sent at once, those that end after the last free
  /// failure get no answer about their password, just as if each had waited for the one before.
  private func accept(_ guess: Guess, of account: Account, _ begin: Begin) throws -> Outcome {
    server.database.endSharedReads()
    let newHash =
      server.passwords.needsRehash(account.password)
      ? try server.passwords.hash(guess.password, for: guess.priority) : nil
    let acceptance: Acceptance = try server.database.write { connection in
      let work = work(on: connection)
      if let wait = try pause(of: guess.counted, in: work) { return .wait(wait) }
      guard try pause(of: account.throttleNames[0], in: work) == nil,
        var now = try Account.find(account.person, on: work),
        now.password == account.password, now.state == account.state,
        now.isGenuine(server.vault),
        let keys = try KeyStore(server.vault).unloggedKeys(of: account.person, on: work)
      else { return .changed }
      // With the account of this moment: a second factor or a role may be new.
      let begun = try begin(now, work.with(keys))
      // An address becomes known to the account only after a complete sign-in.
      for name in begun != nil ? Set([guess.counted, now.throttleNames[0]]) : [] {
        try server.throttle.recordSuccess(attempt(name), in: work)
      }
      // Counts a mismatch for the other accounts with this e-mail. Otherwise the owner of one
      // account could guess the others' passwords by changing their own.
      try recordMismatches(guess.candidates.filter { $0.person != account.person }, in: work)
      if let newHash {
        try Account.setPassword(newHash, of: account.person, server.vault, on: work)
        now.password = newHash
      }
      return .accepted(now, begun)
    }
    switch acceptance {
    case .wait(let wait): return throttled(wait, [account])
    case .changed: return .wrong
    case .accepted(let accepted, nil):
      var effects = Effects()
      effects.events = [SecurityEvent(.passwordConfirmed, of: account.person)]
      return .needsSecondFactor(accepted, effects)
    case .accepted(let accepted, var effects?):
      effects.events.append(event(.signedIn, .passwordConfirmed, [account]))
      server.metrics.count(.signedIn)
      return .signedIn(accepted, effects)
    }
  }

  /// The result of the transaction that accepts a password.
  private enum Acceptance {
    /// The account as it is now, and the effects of ``Begin``.
    case accepted(Account, Effects?)
    /// The account has changed since its password was checked.
    case changed
    case wait(Seconds)
  }

  private func throttled(_ wait: Seconds, _ accounts: [Account]) -> Outcome {
    server.log(event(.signInThrottled, .passwordThrottled, accounts), of: context)
    server.metrics.count(.signInThrottled)
    return .wait(wait)
  }

  private func event(
    _ signIn: SecurityEvent.Kind, _ confirmation: SecurityEvent.Kind, _ accounts: [Account]
  ) -> SecurityEvent {
    SecurityEvent(purpose == .signIn ? signIn : confirmation, of: accounts.map(\.person))
  }

  /// The work of the attempt in a transaction of its own.
  private func work(on connection: Connection) -> Work { Work(at: context.now, on: connection) }

  private func attempt(_ counted: String) -> Throttle.Attempt {
    Throttle.Attempt(counted, from: context.request.client)
  }

  private func pause(of counted: String, in work: Work) throws -> Seconds? {
    try server.throttle.check(attempt(counted), in: work)
  }

  /// Returns the visitor's priority for password hashing. It depends on the typed login alone, so
  /// that waiting times here and elsewhere reveal nothing about accounts.
  private func priority(of counted: String, in work: Work) throws -> HashingLimiter.Priority {
    let isKnown = try server.throttle.knows(attempt(counted), in: work)
    guard isKnown || context.visitor != nil else { return .unknown }
    return server.passwords.priority(knownTo: counted, at: context.now)
  }

  private func recordMismatches(_ accounts: [Account], in work: Work) throws {
    for account in accounts {
      try server.throttle.recordMismatch(attempt(account.throttleNames[0]), in: work)
    }
  }

  /// Returns the candidates that have the password. Always computes `count` hashes, one after
  /// another, each in a hashing slot of its own.
  private func matching(_ guess: Guess, of count: Int) throws -> [Account] {
    let (password, priority) = (guess.password, guess.priority)
    // Hashing takes long, and waits for its turn.
    server.database.endSharedReads()
    for _ in guess.candidates.count..<count {
      try server.passwords.verifyDecoy(password, for: priority)
    }
    return try guess.candidates.filter {
      try server.passwords.verify(password, against: $0.password, for: priority)
    }
  }
}
