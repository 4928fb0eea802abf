import PolyclinicCore
import PolyclinicWeb

/// An attempt to enter a second-factor code. It is throttled and counted like a password, but
/// separately.
struct CodeAttempt {
  /// The number of wrong codes, from all addresses, after which the person gets a notice, because
  /// the password must be known to enter codes.
  static let told = 5

  let context: Context

  private var server: ServerContext { context.server }
  private var throttle: Throttle { server.throttle.ofCodes }

  enum Outcome<Proof> {
    case right(Proof)
    case wrong
    case wait(Seconds)
  }

  /// Runs `prove` unless the throttle requires a wait. `prove` returns nil for a wrong code.
  func run<Proof>(
    _ account: Account, in work: Work, prove: () throws -> Proof?
  ) throws -> Outcome<Proof> {
    let counted = Throttle.Attempt(
      Account.codeThrottleName(account.person), from: context.request.client)
    if let wait = try throttle.check(counted, in: work) { return .wait(wait) }
    if let proof = try prove() {
      try throttle.recordSuccess(counted, in: work)
      return .right(proof)
    }
    try throttle.recordFailure(counted, in: work)
    if try throttle.failures(of: counted.login, in: work) == Self.told {
      try server.accountNotices.tell(account.person, .codesWrong, in: work)
    }
    return .wrong
  }

  /// Checks a code of the authenticator app or a recovery code. A valid code cannot be used again.
  ///
  /// Returns the events to log; nil for a wrong code.
  func prove(
    _ typed: String, of account: Account, in work: Work
  ) throws -> [SecurityEvent]? {
    let proof = try SecondFactor(vault: server.vault).prove(typed, of: account, in: work)
    guard case .recoveryCode(let left)? = proof else { return proof == nil ? nil : [] }
    try server.accountNotices.tell(account.person, .recoveryCodeUsed(left: left), in: work)
    return [SecurityEvent(.recoveryCodeUsed, of: account.person)]
  }

  /// Checks the form field `code` in a transaction of its own. Does nothing if the person has no
  /// second factor.
  ///
  /// Throws ``Refusal/invalid(_:_:)`` for a wrong code and ``Refusal/tooMany(retryAfter:)`` if the
  /// throttle requires a wait.
  func require(_ typed: String, of person: ID<Person>) throws {
    let outcome: Outcome<[SecurityEvent]> = try server.database.write { connection in
      guard let account = try Account.find(person, on: connection), account.secondFactor != nil
      else { return .right([]) }
      guard let keys = try KeyStore(server.vault).unloggedKeys(of: person, on: connection) else {
        throw Refusal.notFound
      }
      let work = Work(keys: keys, at: context.now, on: connection)
      return try run(account, in: work) { try prove(typed, of: account, in: work) }
    }
    switch outcome {
    case .right(let events): for event in events { server.log(event, of: context) }
    case .wrong:
      server.log(SecurityEvent(.codeWrong, of: person), of: context)
      throw Refusal.invalid("code", "error.code")
    case .wait(let span): throw Refusal.tooMany(retryAfter: span)
    }
  }
}
