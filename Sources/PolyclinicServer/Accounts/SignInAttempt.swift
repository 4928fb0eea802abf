import PolyclinicCore

/// Somebody says who they are: throttled, compared in a time that tells nothing, and counted.
struct SignInAttempt {
  enum Outcome {
    case signedIn(Account)
    /// The password is right, and something more is asked for.
    case needsSecondFactor(Account)
    /// The login is unknown or the password is another: which, is not told.
    case wrong
    /// Told only to those who know the password.
    case suspended
    case wait(Seconds)
  }

  let visit: Visit
  var purpose = Purpose.signIn

  /// The reason why a password is asked for.
  enum Purpose {
    case signIn
    /// Before something is changed by somebody who has signed in.
    case confirmation
  }

  private var front: Front { visit.front }

  /// The rest of the transaction that accepts the password, such as the beginning of a session; returns false where a
  /// second factor is asked for first.
  typealias Begin = (Keys, Account, Connection) throws -> Bool

  /// Throws ``HashingBusy`` when too many passwords are being compared.
  func run(
    login: String, password: String, begin: Begin = { _, _, _ in true }
  ) throws -> Outcome {
    let typed = String(String.UnicodeScalarView(login.unicodeScalars.prefix(254)))
    let isEmail = typed.contains("@")
    // An e-mail has a count of its own, whoever has it: what it answers tells nothing of accounts.
    let counted = Self.counted(
      isEmail ? Account.emailHash(typed, front.vault) : Account.loginHash(typed, front.vault))
    let (wait, client, meant, candidates) = try front.database.read { connection in
      let meant = try Account.candidates(typed, front.vault, on: connection)
      return (
        try pause(of: counted, on: connection), try priority(of: counted, on: connection), meant,
        // Guesses at an account are held up by its own count too, though without a word.
        try meant.filter { try pause(of: Self.counted($0.loginHash), on: connection) == nil }
      )
    }
    if let wait {
      record(.signInThrottled, .passwordThrottled, meant)
      front.tally.count(.signInThrottled)
      return .wait(wait)
    }
    let right = try matching(
      password, candidates, of: isEmail ? Account.mostByEmail : 1, for: client)
    guard right.count == 1, let account = right.first else {
      try front.database.write { connection in
        try front.throttle.recordFailure(
          login: counted, address: visit.wire.address, now: visit.now, on: connection)
        if isEmail { try recordMismatches(candidates, on: connection) }
      }
      record(.signInWrong, .passwordWrong, meant)
      front.tally.count(.signInWrong)
      return .wrong
    }
    guard try front.database.read({ try account.isGenuine(front.vault, on: $0) }) else {
      visit.record(SecurityEvent(.altered, of: account.person))
      return .suspended
    }
    if account.state == .suspended {
      record(.signInSuspended, .signInSuspended, [account])
      return .suspended
    }
    let others = candidates.filter { $0.person != account.person }
    return try accept(account, password, counted, others, for: client, begin)
  }

  /// The password was compared outside of any transaction, which takes a while: whoever has changed it
  /// meanwhile, or suspended the account, is not outrun.
  private func accept(
    _ account: Account, _ password: String, _ counted: String, _ others: [Account],
    for client: HashingPlaces.Priority, _ begin: Begin
  ) throws -> Outcome {
    let newHash =
      front.passwords.needsRehash(account.password)
      ? try front.passwords.hash(password, for: client) : nil
    var accepted = account
    accepted.password = newHash ?? account.password
    var isComplete = true
    let isAccepted = try front.database.write { connection in
      guard let now = try Account.find(account.person, on: connection),
        now.password == account.password, now.state == account.state,
        let keys = try KeyCabinet(front.vault).keys(of: account.person, on: connection)
      else { return false }
      isComplete = try begin(keys, account, connection)
      // An address gets known to the account by a sign-in alone.
      for name in isComplete ? Set([counted, Self.counted(account.loginHash)]) : [] {
        try front.throttle.recordSuccess(
          login: name, address: visit.wire.address, now: visit.now, on: connection)
      }
      // Or who has one of them would guess at the others' passwords by changing the own.
      try recordMismatches(others, on: connection)
      if let newHash {
        try Account.setPassword(newHash, of: account.person, front.vault, on: connection)
      }
      return true
    }
    guard isAccepted else { return .wrong }
    guard isComplete else {
      visit.record(SecurityEvent(.passwordConfirmed, of: account.person))
      return .needsSecondFactor(accepted)
    }
    record(.signedIn, .passwordConfirmed, [account])
    front.tally.count(.signedIn)
    return .signedIn(accepted)
  }

  private func record(
    _ signIn: SecurityEvent.Kind, _ confirmation: SecurityEvent.Kind, _ accounts: [Account]
  ) {
    visit.record(
      SecurityEvent(purpose == .signIn ? signIn : confirmation, of: accounts.map(\.person)))
  }

  private func pause(of counted: String, on connection: Connection) throws -> Seconds? {
    try front.throttle.check(
      login: counted, address: visit.wire.address, now: visit.now, on: connection)
  }

  /// The priority of this visitor at the places for hashing. It depends on the login that was typed and
  /// on nothing else of the account, so that waiting tells nothing of it elsewhere.
  private func priority(
    of counted: String, on connection: Connection
  ) throws -> HashingPlaces.Priority {
    let isKnown = try front.throttle.knows(
      login: counted, address: visit.wire.address, now: visit.now, on: connection)
    guard isKnown || visit.session != nil else { return .unknown }
    return front.passwords.priority(knownTo: counted, at: visit.now)
  }

  private func recordMismatches(_ accounts: [Account], on connection: Connection) throws {
    for account in accounts {
      try front.throttle.recordMismatch(
        login: Self.counted(account.loginHash), address: visit.wire.address, now: visit.now,
        on: connection)
    }
  }

  /// Whose password it is; always after `count` computations, one after another, each in its place.
  private func matching(
    _ password: String, _ accounts: [Account], of count: Int, for client: HashingPlaces.Priority
  ) throws -> [Account] {
    for _ in accounts.count..<count { try front.passwords.verifyDecoy(password, for: client) }
    return try accounts.filter {
      try front.passwords.verify(password, against: $0.password, for: client)
    }
  }

  /// By what ``Throttle`` counts an account's attempts: by its login, and by its e-mail.
  static func counted(_ account: Account) -> [String] {
    [counted(account.loginHash), counted(account.emailHash)]
  }

  private static func counted(_ hash: [UInt8]) -> String { hash.hexadecimalText }
}
