import Foundation
import PolyclinicCore

/// Hashes and verifies passwords, a few at a time: see ``HashingPlaces``.
///
/// Passwords are normalized to NFKC first (NIST SP 800-63B, for passwords in Unicode), so that the
/// same one typed on another keyboard or system is the same. What is longer than
/// ``PasswordPolicy/byteLimit`` is never hashed.
final class Passwords: Sendable {
  private static let saltLength = 16
  private static let tagLength = 32

  private let cost: Argon2id
  private let places: HashingPlaces

  /// `places` is how many hashes may run at once in this process, each with its own memory.
  init(places: Int = 2, cost: Argon2id = .current) {
    self.cost = cost
    self.places = HashingPlaces(places)
  }

  /// What is stored of a password; throws ``PasswordTooLong`` and ``HashingBusy``.
  func hash(_ password: String, for client: HashingPlaces.Priority = .unknown) throws -> String {
    guard let bytes = normalized(password) else { throw PasswordTooLong() }
    return try places.run(client) {
      let salt: [UInt8] = .random(Self.saltLength)
      let tag = try cost.tag(of: bytes, salt: salt, length: Self.tagLength)
      return PasswordHash(cost: cost, salt: salt, tag: tag).text
    }
  }

  /// Whether this is the password that was stored; throws ``HashingBusy``, and ``MalformedHash`` when
  /// what is stored is not a hash.
  func verify(
    _ password: String, against stored: String, for client: HashingPlaces.Priority = .unknown
  ) throws -> Bool {
    guard let stored = PasswordHash(stored) else { throw MalformedHash() }
    guard let bytes = normalized(password) else { return false }
    return try places.run(client) {
      try stored.cost.tag(of: bytes, salt: stored.salt, length: stored.tag.count)
        .isSame(as: stored.tag)
    }
  }

  /// Takes as long as ``verify(_:against:)``, for a login that nobody has; throws ``HashingBusy``.
  func verifyDecoy(_ password: String, for client: HashingPlaces.Priority = .unknown) throws {
    guard let bytes = normalized(password) else { return }
    _ = try places.run(client) {
      try cost.tag(of: bytes, salt: .random(Self.saltLength), length: Self.tagLength)
    }
  }

  /// Whether a password that was just verified should be hashed anew: the costs have risen since.
  func needsRehash(_ stored: String) -> Bool {
    guard let stored = PasswordHash(stored) else { return true }
    return stored.cost != cost || stored.tag.count < Self.tagLength
      || stored.salt.count < Self.saltLength
  }

  /// The priority of a client that is known to this account: see ``HashingPlaces``.
  func priority(knownTo account: String, at now: Instant) -> HashingPlaces.Priority {
    places.priority(knownTo: account, at: now)
  }

  private func normalized(_ password: String) -> [UInt8]? {
    guard password.utf8.count <= PasswordPolicy.byteLimit else { return nil }
    return Array(password.precomposedStringWithCompatibilityMapping.utf8)
  }
}

/// A password above ``PasswordPolicy/byteLimit``, which the policy refuses before.
struct PasswordTooLong: Error {}

/// What is stored in place of a password's hash is not one.
struct MalformedHash: Error {}
