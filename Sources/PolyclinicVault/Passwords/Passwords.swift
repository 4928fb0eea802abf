import Foundation
import PolyclinicCore

/// Hashes and verifies passwords. ``HashingLimiter`` limits how many run at once.
///
/// Passwords are first normalized to NFKC (NIST SP 800-63B, for passwords in Unicode), so that the
/// same password typed on another keyboard or system matches. A password longer than
/// ``PasswordPolicy/byteLimit`` is never hashed.
package final class Passwords: Sendable {
  private static let saltLength = 16
  private static let tagLength = 32

  private let cost: Argon2id
  private let limiter: HashingLimiter

  /// `limit` is the number of hashes that may run at once in this process, each with its own
  /// memory.
  package init(limit: Int = 2, cost: Argon2id = .current) {
    self.cost = cost
    self.limiter = HashingLimiter(limit)
  }

  /// Returns the hash of a password for storage. Throws ``PasswordTooLong`` and ``HashingBusy``.
  package func hash(_ password: String, for client: HashingLimiter.Priority = .unknown) throws
    -> String
  {
    guard let bytes = normalized(password) else { throw PasswordTooLong() }
    return try limiter.run(client) {
      let salt: [UInt8] = .random(Self.saltLength)
      let tag = try cost.tag(of: bytes, salt: salt, length: Self.tagLength)
      return PasswordHash(cost: cost, salt: salt, tag: tag).text
    }
  }

  /// Returns true if the password matches the stored hash. Throws ``HashingBusy``, and
  /// ``MalformedHash`` if the stored text is not a hash.
  package func verify(
    _ password: String, against stored: String, for client: HashingLimiter.Priority = .unknown
  ) throws -> Bool {
    guard let stored = PasswordHash(stored) else { throw MalformedHash() }
    guard let bytes = normalized(password) else { return false }
    return try limiter.run(client) {
      try stored.cost.tag(of: bytes, salt: stored.salt, length: stored.tag.count)
        .isSame(as: stored.tag)
    }
  }

  /// Takes as long as ``verify(_:against:for:)``, for a login that does not exist. Throws
  /// ``HashingBusy``.
  package func verifyDecoy(_ password: String, for client: HashingLimiter.Priority = .unknown)
    throws
  {
    guard let bytes = normalized(password) else { return }
    _ = try limiter.run(client) {
      try cost.tag(of: bytes, salt: .random(Self.saltLength), length: Self.tagLength)
    }
  }

  /// True if a password that was just verified should be hashed again, because the costs have
  /// risen.
  package func needsRehash(_ stored: String) -> Bool {
    guard let stored = PasswordHash(stored) else { return true }
    return stored.cost != cost || stored.tag.count < Self.tagLength
      || stored.salt.count < Self.saltLength
  }

  /// Returns the priority of a client that this account knows: see ``HashingLimiter``.
  package func priority(knownTo account: String, at now: Instant) -> HashingLimiter.Priority {
    limiter.priority(knownTo: account, at: now)
  }

  private func normalized(_ password: String) -> [UInt8]? {
    guard password.utf8.count <= PasswordPolicy.byteLimit else { return nil }
    return Array(password.precomposedStringWithCompatibilityMapping.utf8)
  }
}

/// A password above ``PasswordPolicy/byteLimit``, which the policy refuses earlier.
struct PasswordTooLong: Error {}

/// The stored text is not a password hash.
struct MalformedHash: Error {}
