import PolyclinicCore

/// A change that an administrator made to an account or a module.
///
/// It holds ids and fixed words only, no text that a user typed. Erasing a person clears their ids
/// and keeps the entry.
package struct AuditEntry {
  package let at: Instant
  package let author: Author
  package let action: Action
  /// The affected person; nil if there is none or the person was erased.
  package let subject: ID<Person>?
  /// The guardian whose right to act for the subject has changed; nil for any other change, and if
  /// the guardian was erased.
  package let guardian: ID<Person>?
  package let role: Role?
  package let module: ModuleID?

  /// The administrator who made the change.
  package enum Author: Equatable {
    case person(ID<Person>)
    /// A user of the server's command line who may read the key file.
    case commandLine
    /// A person who has been erased since.
    case erased
  }

  package enum Action: String, CaseIterable {
    case add
    /// A person was registered without an account, for example at reception.
    case enter
    /// The details of a person without an account were corrected.
    case correct
    case approve
    case decline
    case give
    case take
    case suspend
    case reinstate
    case passwordLink = "password-link"
    /// A password link that also removes the second factor.
    case secondFactorLink = "second-factor-link"
    /// A link that had not been used was made invalid.
    case withdrawLink = "withdraw-link"
    /// A person without an account was invited to create one.
    case invite
    /// The clinic has ended the access of a guardian, who cannot get it again without the clinic.
    case blockGuardian = "block-guardian"
    case allowGuardian = "allow-guardian"
    /// A parent reads on after the review, as the child has agreed.
    case agreeGuardian = "agree-guardian"
    /// A parent only books after the review.
    case limitGuardian = "limit-guardian"
    /// The reception has made a link for a parent of a child.
    case connectGuardian = "connect-guardian"
    /// The reception has ended what its own link gave a guardian.
    case disconnectGuardian = "disconnect-guardian"
    case erase
    case enableModule = "enable-module"
    case disableModule = "disable-module"
    /// A person's records were recovered from a backup.
    case bringBack = "bring-back"
    /// The portal got a new master key. The entry has no subject.
    case rotateKey = "rotate-key"
  }

  package static let migration = Migration(
    "0001-audit",
    """
    CREATE TABLE audit (
      id_audit \(.identity),
      at \(.integer) NOT NULL,
      actor \(.actor),
      origin TEXT NOT NULL,
      action TEXT NOT NULL,
      subject \(.actor),
      guardian \(.actor),
      role TEXT NOT NULL,
      module TEXT NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX audit_actor ON audit (actor)",
    "CREATE INDEX audit_subject ON audit (subject)",
    "CREATE INDEX audit_guardian ON audit (guardian)")

  /// The origin of the change in the column `audit.origin`.
  private enum Origin: String {
    case portal
    case commandLine = "command-line"
  }

  package init(
    _ action: Action, by author: Author, at now: Instant, subject: ID<Person>? = nil,
    guardian: ID<Person>? = nil, role: Role? = nil, module: ModuleID? = nil
  ) {
    at = now
    self.author = author
    self.action = action
    self.subject = subject
    self.guardian = guardian
    self.role = role
    self.module = module
  }

  /// Stores the entry. The caller does it in the transaction of the change.
  package func insert(on connection: Connection) throws {
    let actor: ID<Person>? = if case .person(let person) = author { person } else { nil }
    let origin: Origin = author == .commandLine ? .commandLine : .portal
    try connection.run(
      """
      INSERT INTO audit (at, actor, origin, action, subject, guardian, role, module)
      VALUES (\(at), \(actor), \(origin.rawValue), \(action.rawValue), \(subject), \(guardian),
        \(role?.rawValue ?? ""), \(module?.rawValue ?? ""))
      """)
  }
}

/// Functions that read the audit log.
extension AuditEntry {
  private static let columns: SQL = "at, actor, origin, action, subject, role, module, guardian"

  package static func count(on connection: Connection) throws -> Int {
    try connection.integer("SELECT count(*) FROM audit") ?? 0
  }

  /// Returns a page of the log, newest entries first. Leaves out actions that only a newer release
  /// knows.
  package static func latest(
    _ limit: Int, after offset: Int, on connection: Connection
  ) throws -> [AuditEntry] {
    try connection.rows(
      "SELECT \(columns) FROM audit ORDER BY id_audit DESC LIMIT \(limit) OFFSET \(offset)", read
    ).compactMap { $0 }
  }

  /// Returns the changes to a person's account, oldest first.
  package static func about(_ person: ID<Person>, on connection: Connection) throws -> [AuditEntry]
  {
    try connection.rows(
      "SELECT \(columns) FROM audit WHERE subject = \(person) ORDER BY id_audit", read
    ).compactMap { $0 }
  }

  private static func read(_ row: Row) -> AuditEntry? {
    guard let action = Action(rawValue: row.string(3)) else { return nil }
    let author: Author
    if row.string(2) == Origin.commandLine.rawValue {
      author = .commandLine
    } else {
      author = row.isNull(1) ? .erased : .person(row.id(1))
    }
    return AuditEntry(
      action, by: author, at: row.instant(0), subject: row.isNull(4) ? nil : row.id(4),
      guardian: row.isNull(7) ? nil : row.id(7), role: Role(rawValue: row.string(5)),
      module: ModuleID(row.string(6)))
  }
}

extension SecurityEvent {
  /// Creates the event of a change in the audit log.
  package init(_ action: AuditEntry.Action, of person: ID<Person>?, _ role: Role?) {
    var details = ["action": action.rawValue]
    details["role"] = role?.rawValue
    let isLink = [.passwordLink, .secondFactorLink, .invite].contains(action)
    self.init(isLink ? .linkMade : .accountChanged, of: [person].compactMap(\.self), details)
  }
}
