import PolyclinicCore

/// Somebody types a code of a second factor: throttled and counted as passwords are, and apart from them.
struct CodeAttempt {
  /// After so many wrong codes the person is told: who types them knows the password.
  static let told = 5

  let visit: Visit

  enum Outcome {
    case right
    case wrong
    case wait(Seconds)
  }

  private var front: Front { visit.front }

  /// Runs `prove`, which returns false for a wrong code, unless there were too many.
  func run(
    _ account: Account, on connection: Connection, prove: () throws -> Bool
  ) throws -> Outcome {
    let counted = Self.counted(account)
    let address = visit.wire.address
    let wait = try front.throttle.check(
      login: counted, address: address, now: visit.now, on: connection)
    if let wait { return .wait(wait) }
    if try prove() {
      try front.throttle.recordSuccess(
        login: counted, address: address, now: visit.now, on: connection)
      return .right
    }
    try front.throttle.recordFailure(
      login: counted, address: address, now: visit.now, on: connection)
    let failures = try front.throttle.failures(
      login: counted, address: address, at: visit.now, on: connection)
    if failures == Self.told {
      try front.accountNews.tell(
        account.person, .codesWrong, by: nil, at: visit.now, on: connection)
    }
    return .wrong
  }

  /// Takes a code of the app or a recovery code, and uses it up.
  func prove(
    _ typed: String, of account: Account, by keys: Keys, on connection: Connection
  ) throws -> Bool {
    let proof = try SecondFactor.prove(
      typed, of: account, by: keys, at: visit.now, front.vault, on: connection)
    guard case .recoveryCode(let left)? = proof else { return proof != nil }
    visit.record(SecurityEvent(.recoveryCodeUsed, of: account.person))
    try front.accountNews.tell(
      account.person, .recoveryCodeUsed(left: left), by: nil, at: visit.now, on: connection)
    return true
  }

  /// As ``prove(_:of:by:on:)`` in a transaction of its own, for the field `code` of a form; nothing for a person
  /// without a second factor.
  ///
  /// Throws ``Refusal/invalid(_:_:)`` and ``Refusal/tooMany(retryAfter:)``.
  func require(_ typed: String, of person: ID<Person>) throws {
    let outcome: Outcome = try front.database.write { connection in
      guard let account = try Account.find(person, on: connection), account.secondFactor != nil
      else { return .right }
      guard let keys = try KeyCabinet(front.vault).keys(of: person, on: connection) else {
        throw Refusal.notFound
      }
      return try run(account, on: connection) {
        try prove(typed, of: account, by: keys, on: connection)
      }
    }
    switch outcome {
    case .right: return
    case .wrong:
      visit.record(SecurityEvent(.codeWrong, of: person))
      throw Refusal.invalid("code", "error.code")
    case .wait(let span): throw Refusal.tooMany(retryAfter: span)
    }
  }

  /// The name by which ``Throttle`` counts an account's codes.
  static func counted(_ account: Account) -> String {
    "code:\(account.loginHash.hexadecimalText)"
  }
}
