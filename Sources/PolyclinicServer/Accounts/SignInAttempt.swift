import PolyclinicCore

/// Somebody says who they are: throttled, compared in a time that tells nothing, and counted.
struct SignInAttempt {
  enum Outcome {
    case signedIn(Account)
    /// The login is unknown or the password is another: which, is not told.
    case wrong
    /// Told only to those who know the password.
    case suspended
    case wait(Seconds)
  }

  let visit: Visit
  private var front: Front { visit.front }

  /// What follows in the transaction that accepts the password, such as the beginning of a session.
  typealias Begin = (Keys, Account, Connection) throws -> Void

  /// Throws ``HashingBusy`` when too many passwords are being compared.
  func run(
    login: String, password: String, begin: Begin = { _, _, _ in }
  ) throws -> Outcome {
    let typed = String(String.UnicodeScalarView(login.unicodeScalars.prefix(254)))
    let account = try front.database.read { try Account.find(typed, front.vault, on: $0) }
    // The same count whether the account was found by its login or its e-mail.
    let counted = Self.counted(account?.loginHash ?? Account.loginHash(typed, front.vault))
    if let wait = try front.database.read({ connection in
      try front.throttle.check(
        login: counted, address: visit.wire.address, now: visit.now, on: connection)
    }) {
      front.tally.count(.signInThrottled)
      return .wait(wait)
    }
    guard try matches(password, account), let account else {
      try front.database.write { connection in
        try front.throttle.recordFailure(
          login: counted, address: visit.wire.address, now: visit.now, on: connection)
      }
      front.tally.count(.signInWrong)
      return .wrong
    }
    if account.state == .suspended { return .suspended }
    return try accept(account, password, counted, begin)
  }

  /// The password was compared outside of any transaction, which takes a while: whoever has changed it
  /// meanwhile, or suspended the account, is not outrun.
  private func accept(
    _ account: Account, _ password: String, _ counted: String, _ begin: Begin
  ) throws -> Outcome {
    let newHash =
      front.passwords.needsRehash(account.password) ? try front.passwords.hash(password) : nil
    var accepted = account
    accepted.password = newHash ?? account.password
    let isAccepted = try front.database.write { connection in
      guard let now = try Account.find(account.person, on: connection),
        now.password == account.password, now.state == account.state,
        let keys = try KeyCabinet(front.vault).keys(of: account.person, on: connection)
      else { return false }
      try front.throttle.recordSuccess(
        login: counted, address: visit.wire.address, now: visit.now, on: connection)
      if let newHash { try Account.setPassword(newHash, of: account.person, on: connection) }
      try begin(keys, account, connection)
      return true
    }
    guard isAccepted else { return .wrong }
    front.tally.count(.signedIn)
    return .signedIn(accepted)
  }

  private func matches(_ password: String, _ account: Account?) throws -> Bool {
    guard let account else {
      try front.passwords.verifyDecoy(password)
      return false
    }
    return try front.passwords.verify(password, against: account.password)
  }

  /// What ``Throttle`` counts an account's attempts by.
  static func counted(_ loginHash: [UInt8]) -> String { loginHash.hexadecimalText }
}
