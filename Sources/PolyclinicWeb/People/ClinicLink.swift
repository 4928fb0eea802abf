import PolyclinicCore
import PolyclinicSystem

/// A one-time link of the clinic to a person's data that nobody has used yet: for a parent of a
/// child, or for an account of the person's own.
///
/// A parent's own links are none of them.
package struct ClinicLink: Sendable {
  package let person: ID<Person>
  package let purpose: Purpose
  private let digest: [UInt8]
  private let expiry: Instant
  /// The person who has made it; nil for the server's command line and for somebody erased.
  let maker: ID<Person>?

  /// The effect of a link.
  package enum Purpose: String, Sendable {
    /// A parent acts for the child.
    case parent
    /// The person has an account.
    case account
  }

  /// The name by which forms tell it from others. Nobody finds the token by it.
  package var id: String { digest.hexadecimalText }

  private var madeAt: Instant {
    expiry - (purpose == .parent ? GuardianInvitation.lifetime : OneTimeLink.lifetime)
  }

  /// Returns the links of a person that are valid, the first to end first.
  static func all(for person: ID<Person>, in work: Work) throws -> [ClinicLink] {
    try work.rows(
      """
      SELECT 'parent' AS purpose, token_hash, expires_at, inviter AS maker
      FROM guardian_invitations
      WHERE person = \(person) AND kind = \(GuardianInvitation.Kind.proved.rawValue)
        AND used_by IS NULL AND expires_at > \(work.now)
      UNION ALL
      SELECT 'account', token_hash, expires_at, maker
      FROM (SELECT token_hash, expires_at, (SELECT actor FROM audit
            WHERE subject = \(person) AND action = \(AuditEntry.Action.invite.rawValue)
            ORDER BY id_audit DESC LIMIT 1) AS maker
          FROM password_links
          WHERE person = \(person) AND expires_at > \(work.now)
            AND person NOT IN (SELECT person FROM accounts)) AS account_links
      WHERE maker IS NULL
        OR maker NOT IN (SELECT guardian FROM guardianships WHERE person = \(person))
      ORDER BY expires_at, token_hash
      """
    ) { row in
      Purpose(rawValue: row.string(0)).map {
        ClinicLink(
          person: person, purpose: $0, digest: row.bytes(1), expiry: row.instant(2),
          maker: row.isNull(3) ? nil : row.id(3))
      }
    }.compactMap(\.self)
  }

  /// Returns the link with this ``id``; nil if there is none any more.
  package static func find(_ id: String, in work: Work) throws -> ClinicLink? {
    guard let digest = [UInt8].reading(hexadecimalText: id.utf8) else { return nil }
    let person = try work.row(
      """
      SELECT person FROM guardian_invitations WHERE token_hash = \(digest)
      UNION ALL SELECT person FROM password_links WHERE token_hash = \(digest)
      """
    ) { row -> ID<Person> in row.id(0) }
    return try person.flatMap { try all(for: $0, in: work).first { $0.digest == digest } }
  }

  /// Deletes a link for a parent, which nobody can use from now on. A link for an account is an
  /// administrator's to withdraw, who leaves an audit entry.
  package func cancel(on connection: Connection) throws {
    try connection.run("DELETE FROM guardian_invitations WHERE token_hash = \(digest)")
  }

  /// Returns the words about it, for the reception. The maker of a link for a parent is known,
  /// because the link is erased with its maker.
  func words(madeBy name: String?, in zone: Zone) -> Text {
    func day(_ moment: Instant) -> Text.Value { .day(LocalDateTime(moment, in: zone).date) }
    // With the time, because two links of one day look alike otherwise.
    let dates = ["made": .dateTime(madeAt, zone), "until": day(expiry)]
    guard let name else {
      return Text("guardians.links.account", values: dates).spoken(by: "account")
    }
    let key =
      purpose == .parent ? "guardians.links.parent.made" : "guardians.links.account.made"
    return Text(key, ["maker": name], values: dates).spoken(by: "account")
  }
}
