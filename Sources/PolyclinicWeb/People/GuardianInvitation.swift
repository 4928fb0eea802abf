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
  let expiry: Instant
  let tokenHash: [UInt8]

  /// The effect of a link: it gives a right, or asks for one.
  package enum Kind: String, Sendable {
    /// The person who opens it acts for ``person``.
    case offer
    /// As ``offer``, made by the reception for a child whose guardian has shown proof.
    case proved
    /// The inviter acts for the person who opens it and agrees.
    case request
  }

  /// The time for which a link is valid.
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
      seal \(.bytes) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX guardian_invitations_inviter ON guardian_invitations (inviter)",
    "CREATE INDEX guardian_invitations_person ON guardian_invitations (person)",
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
      WHERE inviter = \(inviter) AND expires_at > \(work.now)
      """)
    guard valid ?? 0 < most else {
      throw Refusal.conflict(Text("guardians.too-many-links", ["limit": String(most)]))
    }
    let token = Token.random()
    let invitation = GuardianInvitation(
      kind: kind, inviter: inviter, person: person, basis: basis, scope: scope, endsAt: endsAt,
      expiry: work.now + lifetime, tokenHash: token.hash)
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

  /// Returns the link of this token; nil if it is no longer valid.
  package static func find(
    _ text: String?, _ vault: Vault, in work: Work
  ) throws -> GuardianInvitation? {
    guard let token = text.flatMap(Token.init) else { return nil }
    return try work.row(
      """
      SELECT kind, inviter, person, basis, scope, ends_at, expires_at, seal
      FROM guardian_invitations
      WHERE token_hash = \(token.hash) AND expires_at > \(work.now)
        AND expires_at <= \(work.now + lifetime + .clockLead)
      """
    ) { row -> GuardianInvitation? in
      guard let kind = Kind(rawValue: row.string(0)),
        let basis = Guardianship.Basis(rawValue: row.string(3)),
        let scope = GuardianScope(rawValue: row.string(4))
      else { return nil }
      let invitation = GuardianInvitation(
        kind: kind, inviter: row.id(1), person: row.id(2), basis: basis, scope: scope,
        endsAt: row.isNull(5) ? nil : row.instant(5), expiry: row.instant(6),
        tokenHash: token.hash)
      return vault.accountSeal.code(of: invitation).isSame(as: row.bytes(7)) ? invitation : nil
    }.flatMap(\.self)
  }

  /// Uses the link up. Returns false if somebody else has done so.
  package func use(on connection: Connection) throws -> Bool {
    try connection.runCounting(
      "DELETE FROM guardian_invitations WHERE token_hash = \(tokenHash)") > 0
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
