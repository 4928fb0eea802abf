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

  /// Returns the time that this attempt must wait; nil if it is allowed now.
  ///
  /// `login` is the typed login or e-mail, or identifies one of several accounts with the same
  /// e-mail. `address` is the client's IP address as text.
  package func check(
    login: String, address: String, now: Instant, on connection: Connection
  ) throws -> Seconds? {
    let subjects = Subjects(login: login, address: address, vault)
    let counts = try counts(of: subjects, on: connection)
    let pair = counts[subjects.pair]?.wait(at: now)
    let others = [subjects.address, subjects.account].compactMap { counts[$0]?.wait(at: now) }
    guard let longest = others.max(), try !isKnown(subjects, at: now, on: connection) else {
      return pair
    }
    return max(longest, pair ?? longest)
  }

  /// Returns true if the account has signed in from this address before.
  package func knows(
    login: String, address: String, now: Instant, on connection: Connection
  ) throws -> Bool {
    try isKnown(Subjects(login: login, address: address, vault), at: now, on: connection)
  }

  /// Returns the number of remembered failures of this account from all addresses.
  package func failures(
    login: String, at now: Instant, on connection: Connection
  ) throws -> Int {
    let subjects = Subjects(login: login, address: "", vault)
    return try counts(of: subjects, on: connection)[subjects.account]?.remembered(at: now) ?? 0
  }

  /// Counts a wrong password or an unknown login.
  package func recordFailure(
    login: String, address: String, now: Instant, on connection: Connection
  ) throws {
    let subjects = Subjects(login: login, address: address, vault)
    try count(
      [(subjects.pair, .pair), (subjects.address, .address), (subjects.account, account)],
      of: subjects, in: Work(at: now, on: connection))
  }

  /// Counts a wrong password for one of several accounts with the same e-mail. The address is
  /// counted only once for all of them; otherwise its waits would reveal their number.
  package func recordMismatch(
    login: String, address: String, now: Instant, on connection: Connection
  ) throws {
    let subjects = Subjects(login: login, address: address, vault)
    try count(
      [(subjects.pair, .pair), (subjects.account, account)], of: subjects,
      in: Work(at: now, on: connection))
  }

  private func count(
    _ policies: [([UInt8], ThrottlePolicy)], of subjects: Subjects, in work: Work
  ) throws {
    let counts = try counts(of: subjects, on: work)
    for (subject, policy) in policies {
      let count = policy.count(after: counts[subject] ?? .init(), failureAt: work.now)
      try work.run(
        """
        INSERT INTO throttle (subject, failures, until, updated_at)
        VALUES (\(subject), \(count.failures), \(count.until), \(count.updated))
        ON CONFLICT (subject) DO UPDATE SET failures = excluded.failures, until = excluded.until,
          updated_at = excluded.updated_at
        """)
    }
  }

  /// Deletes the pair's failures and makes the address known to the account.
  ///
  /// The counts of the address and of the account stay:
  /// - An attacker with an account could otherwise clear the address's count by signing in between
  ///   guesses.
  /// - A success of the rightful user says nothing about an attacker of the account.
  package func recordSuccess(
    login: String, address: String, now: Instant, on connection: Connection
  ) throws {
    let subjects = Subjects(login: login, address: address, vault)
    try connection.run("DELETE FROM throttle WHERE subject = \(subjects.pair)")
    try connection.run(
      """
      INSERT INTO known_addresses (account, address, seen_at)
      VALUES (\(subjects.account), \(subjects.pair), \(now))
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
  ) throws -> [[UInt8]: ThrottlePolicy.Count] {
    let rows = try connection.rows(
      """
      SELECT subject, failures, until, updated_at FROM throttle
      WHERE subject IN (\(subjects.pair), \(subjects.address), \(subjects.account))
      """
    ) { row in
      let count = ThrottlePolicy.Count(
        failures: row.int(1), until: row.instant(2), updated: row.instant(3))
      return (row.bytes(0), count)
    }
    return Dictionary(rows, uniquingKeysWith: { one, _ in one })
  }

  private func isKnown(
    _ subjects: Subjects, at now: Instant, on connection: Connection
  ) throws -> Bool {
    let seen = try connection.row(
      """
      SELECT seen_at FROM known_addresses
      WHERE account = \(subjects.account) AND address = \(subjects.pair)
      """
    ) { $0.instant(0) }
    return seen.map { $0 > now - Self.knownFor && $0 <= now + .clockLead } ?? false
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

    init(login: String, address: String, _ vault: Vault) {
      let network = IPNetwork(of: address).name
      // The address comes first, because it contains no space and a login might.
      pair = vault.lookup("throttle", "pair:\(network) \(login)")
      self.address = vault.lookup("throttle", "address:\(network)")
      account = Self.account(login, vault)
    }

    static func account(_ login: String, _ vault: Vault) -> [UInt8] {
      vault.lookup("throttle", "account:\(login)")
    }
  }
}
