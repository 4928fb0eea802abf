extension Portal {
  /// Addresses that show one person's data without signing in, such as a calendar feed.
  ///
  /// Knowledge of an address is sufficient to read it until it is revoked. Only the hash of each
  /// address is stored.
  ///
  /// An address opens the person's keys, so its page must show only data that the person has agreed
  /// to share, and must change nothing.
  public protocol SecretAddresses: Sendable {
    /// Creates an address for the data of the work's person, and returns its secret part, which
    /// cannot be guessed or shown again.
    ///
    /// `purpose` is the module's own word for the data at the address.
    func make(
      purpose: String, in work: Work
    ) throws -> String

    /// Returns the person's work and the purpose of an address; nil if it is unknown or revoked, or
    /// if the account is suspended.
    func open(_ secret: String, in work: Work) throws -> Portal.SecretAddress.Opened?

    /// Returns a person's addresses in this module, the oldest first.
    func all(of person: ID<Person>, in work: Work) throws -> [Portal.SecretAddress]

    /// Revokes one of a person's addresses immediately; returns false if there is no such address.
    func revoke(
      _ id: ID<Portal.SecretAddress>, of person: ID<Person>, in work: Work
    ) throws -> Bool
  }
}

extension Portal {
  /// A secret address without its secret, for display to its owner.
  public struct SecretAddress: Sendable {
    /// The address's number.
    public let id: ID<SecretAddress>
    /// The module's word for the data at the address.
    public let purpose: String
    /// The time of creation.
    public let createdAt: Instant

    /// Creates a stored address.
    public init(id: ID<SecretAddress>, purpose: String, createdAt: Instant) {
      self.id = id
      self.purpose = purpose
      self.createdAt = createdAt
    }

    /// The work and purpose that a secret address opens.
    public struct Opened {
      /// The work on the data of the person who created the address.
      public let work: Work
      /// The module's word for the data at the address.
      public let purpose: String

      /// Creates an opened address; only the server does this.
      public init(work: Work, purpose: String) {
        self.work = work
        self.purpose = purpose
      }
    }
  }
}
