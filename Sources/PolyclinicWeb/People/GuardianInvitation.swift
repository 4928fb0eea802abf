import PolyclinicCore
import PolyclinicVault

/// A link that works once, with which one person becomes the guardian of another.
package struct GuardianInvitation: Sendable {
  package let kind: Kind
  /// The person who has made it.
  package let inviter: ID<Person>
  /// The person for whom the guardian will act; the inviter's own number in a request, which asks
  /// whoever opens it.
  package let person: ID<Person>
  package let basis: Guardianship.Basis
  package let scope: GuardianScope
  /// The end of the guardianship; nil for none.
  package let endsAt: Instant?
  /// The end of the link; of one that was used, the end of the time for which it is known who did.
  package private(set) var expiry: Instant
  /// The person who has used it; nil for a link that is still valid.
  package private(set) var usedBy: ID<Person>?
  let tokenHash: [UInt8]

  /// The time at which it was made, or used.
  package var changedAt: Instant { expiry - Self.lifetime }
  /// The name by which forms tell it from others. Nobody finds the token by it.
  package var id: String { tokenHash.hexadecimalText }

  /// The effect of a link: it gives a right, or asks for one.
  package enum Kind: String, Sendable {
    /// The person who opens it acts for ``person``.
    case offer
    /// As ``offer``, made by the reception for a child whose guardian has shown proof.
    case proved
    /// The inviter acts for the person who opens it and agrees.
    case request
  }

  /// The time for which a link is valid, and for which the portal knows who has used it.
  package static let lifetime = Seconds.days(7)
  /// The most links of one person that are valid at a time.
  package static let most = 20

  package static let schema: [SQL] = [
    """
    CREATE TABLE guardian_invitations (
      token_hash \(.bytes) NOT NULL PRIMARY KEY,
      kind TEXT NOT NULL,
      inviter \(.person),
      person \(.person),
      basis TEXT NOT NULL,
      scope TEXT NOT NULL,
      ends_at \(.integer),
      expires_at \(.integer) NOT NULL,
      used_by \(.actor),
      seal \(.bytes) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX guardian_invitations_inviter ON guardian_invitations (inviter)",
    "CREATE INDEX guardian_invitations_person ON guardian_invitations (person)",
    "CREATE INDEX guardian_invitations_used_by ON guardian_invitations (used_by)",
  ]

  /// Stores a new link and returns its token. Throws ``Refusal/conflict(_:)`` if the inviter has too
  /// many.
  package static func make(
    _ kind: Kind, by inviter: ID<Person>, for person: ID<Person>, basis: Guardianship.Basis,
    scope: GuardianScope, endsAt: Instant? = nil, _ vault: Vault, in work: Work
  ) throws -> Token {
    let valid = try work.integer(
      """
      SELECT count(*) FROM guardian_invitations
      WHERE inviter = \(inviter) AND used_by IS NULL AND expires_at > \(work.now)
      """)
    guard valid ?? 0 < most else {
      throw Refusal.conflict(Text("guardians.too-many-links", ["limit": String(most)]))
    }
    let token = Token.random()
    let invitation = GuardianInvitation(
      kind: kind, inviter: inviter, person: person, basis: basis, scope: scope, endsAt: endsAt,
      expiry: work.now + lifetime, usedBy: nil, tokenHash: token.hash)
    try work.run(
      """
      INSERT INTO guardian_invitations
        (token_hash, kind, inviter, person, basis, scope, ends_at, expires_at, seal)
      VALUES (\(token.hash), \(kind.rawValue), \(inviter), \(person), \(basis.rawValue),
        \(scope.rawValue), \(endsAt), \(invitation.expiry),
        \(vault.accountSeal.code(of: invitation)))
      """)
    return token
  }
}

extension GuardianInvitation {
  private static let columns: SQL = """
    token_hash, kind, inviter, person, basis, scope, ends_at, expires_at, used_by, seal
    """

  /// Reads a row; nil for one that something other than the portal has changed, and for a used one
  /// whose user was erased.
  private init?(_ row: Row, _ vault: Vault) {
    guard let kind = Kind(rawValue: row.string(1)),
      let basis = Guardianship.Basis(rawValue: row.string(4)),
      let scope = GuardianScope(rawValue: row.string(5))
    else { return nil }
    (self.kind, self.basis, self.scope) = (kind, basis, scope)
    (inviter, person) = (row.id(2), row.id(3))
    endsAt = row.isNull(6) ? nil : row.instant(6)
    expiry = row.instant(7)
    usedBy = row.isNull(8) ? nil : row.id(8)
    tokenHash = row.bytes(0)
    guard vault.accountSeal.code(of: self).isSame(as: row.bytes(9)) else { return nil }
  }

  /// Returns the link of this token, also one that was used within its lifetime; nil if there is
  /// none.
  package static func find(
    _ text: String?, _ vault: Vault, in work: Work
  ) throws -> GuardianInvitation? {
    guard let token = text.flatMap(Token.init) else { return nil }
    return try work.row(
      """
      SELECT \(columns) FROM guardian_invitations
      WHERE token_hash = \(token.hash) AND expires_at > \(work.now)
        AND expires_at <= \(work.now + lifetime + .clockLead)
      """
    ) { GuardianInvitation($0, vault) }.flatMap(\.self)
  }

  /// Returns the links that lead to the data of these people, and their own requests, in the order
  /// in which they end; also those that were used within their lifetime.
  package static func all(
    for people: [ID<Person>], _ vault: Vault, in work: Work
  ) throws -> [GuardianInvitation] {
    try work.rows(
      """
      SELECT \(columns) FROM guardian_invitations
      WHERE person IN \(list: people) AND expires_at > \(work.now)
      ORDER BY expires_at, token_hash
      """
    ) { GuardianInvitation($0, vault) }.compactMap(\.self)
  }

  /// Uses the link up. Returns false if somebody else has done so.
  package func use(by person: ID<Person>, _ vault: Vault, in work: Work) throws -> Bool {
    var used = self
    (used.usedBy, used.expiry) = (person, work.now + Self.lifetime)
    return try work.runCounting(
      """
      UPDATE guardian_invitations SET used_by = \(person), expires_at = \(used.expiry),
        seal = \(vault.accountSeal.code(of: used))
      WHERE token_hash = \(tokenHash) AND used_by IS NULL
      """) > 0
  }

  /// Deletes the link, which nobody can use from now on.
  package func cancel(on connection: Connection) throws {
    try connection.run("DELETE FROM guardian_invitations WHERE token_hash = \(tokenHash)")
  }

  /// Deletes all unused links that lead to a person's data, also those of other people, because the
  /// person has taken a right back or has got an account.
  package static func forgetUnused(for person: ID<Person>, on connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM guardian_invitations
      WHERE person = \(person) AND kind <> \(Kind.request.rawValue) AND used_by IS NULL
      """)
  }

  /// Deletes the links that lead to a person's data, because a right to it has ended: those of the
  /// guardian, and one with which a child makes an account, because nobody knows who holds it.
  package static func forget(for person: ID<Person>, by inviter: ID<Person>, on work: Connection)
    throws
  {
    try work.run(
      """
      DELETE FROM guardian_invitations WHERE person = \(person) AND inviter = \(inviter)
      """)
    try work.run(
      """
      DELETE FROM password_links
      WHERE person = \(person) AND person NOT IN (SELECT person FROM accounts)
      """)
  }

  package static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM guardian_invitations
      WHERE expires_at <= \(now) OR expires_at > \(now + lifetime + .clockLead)
      """)
  }
}
