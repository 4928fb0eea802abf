import Foundation
import PolyclinicCore
import PolyclinicSystem
import PolyclinicVault

/// Slows down password guessing, by account and by address, across all processes and restarts.
///
/// The database stores HMACs of logins and addresses. See ``ThrottlePolicy`` for the rules.
package struct Throttle: Sendable {
  package static let schema: [SQL] = [
    """
    CREATE TABLE throttle (
      subject \(.bytes) NOT NULL PRIMARY KEY,
      failures \(.integer) NOT NULL,
      until \(.integer) NOT NULL,
      updated_at \(.integer) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX throttle_updated_at ON throttle (updated_at)",
    """
    CREATE TABLE known_addresses (
      account \(.bytes) NOT NULL,
      address \(.bytes) NOT NULL,
      seen_at \(.integer) NOT NULL,
      PRIMARY KEY (account, address)
    ) \(.strict)
    """,
  ]

  /// The time for which an address stays known without a sign-in from it.
  static let knownFor = Seconds.days(180)

  private let vault: Vault
  private var account = ThrottlePolicy.account

  package init(_ vault: Vault) { self.vault = vault }

  /// This throttle for codes of a second factor, of which an account accepts fewer wrong ones.
  package var ofCodes: Throttle {
    var throttle = self
    throttle.account = .codesOfAccount
    return throttle
  }

  /// An attempt to sign in.
  package struct Attempt {
    /// The typed login or e-mail, or a name of one of several accounts with the same e-mail.
    package let login: String
    /// The client's IP address as text.
    let address: String

    package init(_ login: String, from client: Client) {
      self.init(login: login, address: client.address)
    }

    init(login: String, address: String) {
      self.login = login
      self.address = address
    }
  }

  /// Returns the time that this attempt must wait; nil if it is allowed now.
  package func check(_ attempt: Attempt, in work: Work) throws -> Seconds? {
    let subjects = Subjects(of: attempt, vault)
    return try wait(of: subjects, counts(of: subjects, on: work), in: work)
  }

  private func wait(
    of subjects: Subjects, _ counts: [[UInt8]: ThrottlePolicy.Count], in work: Work
  ) throws -> Seconds? {
    let pair = counts[subjects.pair]?.wait(at: work.now)
    let others = [subjects.address, subjects.account].compactMap { counts[$0]?.wait(at: work.now) }
    guard let longest = others.max(), try !isKnown(subjects, in: work) else {
      return pair
    }
    return max(longest, pair ?? longest)
  }

  /// Returns true if the account has signed in from this address before.
  package func knows(_ attempt: Attempt, in work: Work) throws -> Bool {
    try isKnown(Subjects(of: attempt, vault), in: work)
  }

  /// Returns the number of remembered failures of this account from all addresses.
  package func failures(of login: String, in work: Work) throws -> Int {
    let subjects = Subjects(of: Attempt(login: login, address: ""), vault)
    return try counts(of: subjects, on: work)[subjects.account]?.remembered(at: work.now) ?? 0
  }

  /// Counts a wrong password or an unknown login.
  package func recordFailure(_ attempt: Attempt, in work: Work) throws {
    let subjects = Subjects(of: attempt, vault)
    try count(policies(of: subjects), after: locked(subjects.all, in: work), in: work)
  }

  /// Counts a failure like ``recordFailure(_:in:)``, unless the attempt must wait. Returns the time
  /// that it must wait; nil if it was counted.
  ///
  /// Of attempts that fail at the same time, each waits for the counts of those before it, also in
  /// ``Database/writeIndependently(_:)``.
  package func recordFailureUnlessWaiting(_ attempt: Attempt, in work: Work) throws -> Seconds? {
    let subjects = Subjects(of: attempt, vault)
    let counts = try locked(subjects.all, in: work)
    if let wait = try wait(of: subjects, counts, in: work) { return wait }
    try count(policies(of: subjects), after: counts, in: work)
    return nil
  }

  private func policies(of subjects: Subjects) -> [(Subject, ThrottlePolicy)] {
    [(subjects.pair, .pair), (subjects.address, .address), (subjects.account, account)]
  }

  /// Counts a wrong password for one of several accounts with the same e-mail. The address is
  /// counted only once for all of them; otherwise its waits would reveal their number.
  package func recordMismatch(_ attempt: Attempt, in work: Work) throws {
    let subjects = Subjects(of: attempt, vault)
    try count(
      [(subjects.pair, .pair), (subjects.account, account)],
      after: locked([subjects.pair, subjects.account], in: work), in: work)
  }

  /// The HMAC of what is counted.
  private typealias Subject = [UInt8]

  /// Returns the counts, which nobody else changes until the end of the transaction. A new subject
  /// gets a row without failures, because a missing row cannot be locked.
  private func locked(
    _ subjects: [Subject], in work: Work
  ) throws -> [Subject: ThrottlePolicy.Count] {
    // In one order always, so that two transactions do not wait for one another.
    let rows = Self.joined(
      subjects.sorted { $0.lexicographicallyPrecedes($1) }.map { "(\($0), 0, 0, \(work.now))" })
    return try counts(
      """
      INSERT INTO throttle (subject, failures, until, updated_at) VALUES \(rows)
      ON CONFLICT (subject) DO UPDATE SET failures = throttle.failures
      RETURNING subject, failures, until, updated_at
      """, on: work)
  }

  /// Adds a failure to each of the subjects, which are locked.
  private func count(
    _ policies: [(Subject, ThrottlePolicy)], after counts: [Subject: ThrottlePolicy.Count],
    in work: Work
  ) throws {
    let rows: [SQL] = policies.map { subject, policy in
      let count = policy.count(after: counts[subject] ?? .init(), failureAt: work.now)
      return "(\(subject), \(count.failures), \(count.until), \(count.updated))"
    }
    try work.run(
      """
      INSERT INTO throttle (subject, failures, until, updated_at) VALUES \(Self.joined(rows))
      ON CONFLICT (subject) DO UPDATE SET failures = excluded.failures, until = excluded.until,
        updated_at = excluded.updated_at
      """)
  }

  private static func joined(_ rows: [SQL]) -> SQL {
    rows.dropFirst().reduce(rows.first ?? "") { "\($0), \($1)" }
  }

  /// Deletes the pair's failures and makes the address known to the account.
  ///
  /// The counts of the address and of the account stay:
  /// - An attacker with an account could otherwise clear the address's count by signing in between
  ///   guesses.
  /// - A success of the rightful user says nothing about an attacker of the account.
  package func recordSuccess(_ attempt: Attempt, in work: Work) throws {
    let subjects = Subjects(of: attempt, vault)
    try work.run("DELETE FROM throttle WHERE subject = \(subjects.pair)")
    try work.run(
      """
      INSERT INTO known_addresses (account, address, seen_at)
      VALUES (\(subjects.account), \(subjects.pair), \(work.now))
      ON CONFLICT (account, address) DO UPDATE SET seen_at = excluded.seen_at
      """)
  }

  /// Deletes everything about an account, after its person was erased or its password was reset.
  ///
  /// Failures at addresses from which the account never signed in remain for ten hours, because
  /// they can be found only by the address.
  package func forget(login: String, on connection: Connection) throws {
    let account = Subjects.account(login, vault)
    try connection.run("DELETE FROM throttle WHERE subject = \(account)")
    try connection.run(
      """
      DELETE FROM throttle WHERE subject IN (
        SELECT address FROM known_addresses WHERE account = \(account))
      """)
    try connection.run("DELETE FROM known_addresses WHERE account = \(account)")
  }

  /// Deletes everything about all accounts and addresses.
  package static func forgetAll(on connection: Connection) throws {
    try connection.run("DELETE FROM throttle")
    try connection.run("DELETE FROM known_addresses")
  }

  /// Deletes rows that have no effect any more. A job calls it several times a day.
  package static func purge(now: Instant, on connection: Connection) throws {
    let forgotten = now - ThrottlePolicy.forgetting
    try connection.run("DELETE FROM throttle WHERE updated_at < \(forgotten)")
    try connection.run("DELETE FROM known_addresses WHERE seen_at < \(now - knownFor)")
    try connection.run("DELETE FROM known_addresses WHERE seen_at > \(now + .clockLead)")
  }

  private func counts(
    of subjects: Subjects, on connection: Connection
  ) throws -> [Subject: ThrottlePolicy.Count] {
    try counts(
      """
      SELECT subject, failures, until, updated_at FROM throttle
      WHERE subject IN (\(subjects.pair), \(subjects.address), \(subjects.account))
      """, on: connection)
  }

  private func counts(
    _ selection: SQL, on connection: Connection
  ) throws -> [Subject: ThrottlePolicy.Count] {
    let rows = try connection.rows(selection) { row in
      let count = ThrottlePolicy.Count(
        failures: row.int(1), until: row.instant(2), updated: row.instant(3))
      return (row.bytes(0), count)
    }
    return Dictionary(rows, uniquingKeysWith: { one, _ in one })
  }

  private func isKnown(_ subjects: Subjects, in work: Work) throws -> Bool {
    let seen = try work.row(
      """
      SELECT seen_at FROM known_addresses
      WHERE account = \(subjects.account) AND address = \(subjects.pair)
      """
    ) { $0.instant(0) }
    return seen.map { $0 > work.now - Self.knownFor && $0 <= work.now + .clockLead } ?? false
  }
}

extension Seconds {
  /// The greatest lead of a stored time over the clock. What began later was begun while the clock
  /// was ahead, and would outlive its lifetime.
  package static let clockLead = Seconds.hours(1)
}

extension Throttle {
  /// The subjects that an attempt is counted for, as HMACs, which reveal neither login nor address.
  struct Subjects: Sendable {
    let pair: [UInt8]
    let address: [UInt8]
    let account: [UInt8]
    var all: [[UInt8]] { [pair, address, account] }

    init(of attempt: Attempt, _ vault: Vault) {
      let (login, network) = (attempt.login, IPNetwork(of: attempt.address).name)
      // The address comes first, because it contains no space and a login might.
      pair = vault.lookup("throttle", "pair:\(network) \(login)")
      address = vault.lookup("throttle", "address:\(network)")
      account = Self.account(login, vault)
    }

    static func account(_ login: String, _ vault: Vault) -> [UInt8] {
      vault.lookup("throttle", "account:\(login)")
    }
  }
}
