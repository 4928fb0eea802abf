/// Addresses at which something of one person's can be read without signing in, such as a calendar's
/// feed: whoever knows one reads there, until it is revoked.
///
/// Only a hash of each is stored. One opens the person's keys, so a page behind it shows what its
/// person has agreed to, and changes nothing.
public protocol SecretAddresses: Sendable {
  /// Makes one, and returns the part of it that nobody can guess; it cannot be shown again.
  ///
  /// `purpose` is the module's own word for what can be read there.
  func make(
    for keys: Keys, purpose: String, at now: Instant, on connection: Connection
  ) throws -> String

  /// What it opens; nil for what was never given or is revoked, and while the account is suspended.
  func open(_ secret: String, on connection: Connection) throws -> SecretAddress.Opened?

  /// A person's addresses in this module, the oldest first.
  func all(of person: ID<Person>, on connection: Connection) throws -> [SecretAddress]

  /// Revokes one of a person's; nothing can be read there from then on. False where there is none.
  func revoke(
    _ id: ID<SecretAddress>, of person: ID<Person>, on connection: Connection
  ) throws -> Bool
}

/// A secret address as its owner sees it: without the secret.
public struct SecretAddress: Sendable {
  /// Its number.
  public let id: ID<SecretAddress>
  /// The module's word for what can be read there.
  public let purpose: String
  /// When it was made.
  public let createdAt: Instant

  /// One that is stored.
  public init(id: ID<SecretAddress>, purpose: String, createdAt: Instant) {
    self.id = id
    self.purpose = purpose
    self.createdAt = createdAt
  }

  /// What stands behind a secret address.
  public struct Opened: Sendable {
    /// Those of whoever made the address.
    public let keys: Keys
    /// The module's word for what can be read there.
    public let purpose: String

    /// Made by the server alone.
    public init(keys: Keys, purpose: String) {
      self.keys = keys
      self.purpose = purpose
    }
  }
}
