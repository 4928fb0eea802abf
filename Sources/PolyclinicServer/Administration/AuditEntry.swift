import PolyclinicCore

/// One change that an administrator made to accounts or modules: who, whom or what, and when.
///
/// It holds ids and words of the portal alone, nothing that anybody typed. Erasing a person empties
/// the ids that were theirs: the change stays, without a name.
struct AuditEntry {
  let at: Instant
  let author: Author
  let action: Action
  /// Whom it was about; nil where it was about nobody, or about somebody who was erased since.
  let subject: ID<Person>?
  let role: Role?
  let module: ModuleID?

  /// Who made the change.
  enum Author: Equatable {
    case person(ID<Person>)
    /// Whoever may read the key file.
    case commandLine
    /// Somebody who was erased since.
    case erased
  }

  /// What was done.
  enum Action: String, CaseIterable {
    case add
    /// A person without an account was entered, at the desk say.
    case enter
    case approve
    case decline
    case give
    case take
    case suspend
    case reinstate
    case passwordLink = "password-link"
    /// A password link that takes the second factor away.
    case secondFactorLink = "second-factor-link"
    /// Somebody without an account was given the way to one.
    case invite
    case erase
    case enableModule = "enable-module"
    case disableModule = "disable-module"
    /// Records of a person came back from a backup.
    case bringBack = "bring-back"
    /// The portal got a new master key; about nobody.
    case rotateKey = "rotate-key"
  }

  static let migration = Migration(
    "0001-audit",
    """
    CREATE TABLE audit (
      id_audit \(.identity),
      at \(.integer) NOT NULL,
      actor \(.actor),
      origin TEXT NOT NULL,
      action TEXT NOT NULL,
      subject \(.actor),
      role TEXT NOT NULL,
      module TEXT NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX audit_actor ON audit (actor)",
    "CREATE INDEX audit_subject ON audit (subject)")

  /// Where the change was asked for, as `audit.origin` holds it.
  private enum Origin: String {
    case portal
    case commandLine = "command-line"
  }

  init(
    _ action: Action, by author: Author, at now: Instant, subject: ID<Person>? = nil,
    role: Role? = nil, module: ModuleID? = nil
  ) {
    at = now
    self.author = author
    self.action = action
    self.subject = subject
    self.role = role
    self.module = module
  }

  /// Stores the entry, in the transaction of the change it tells of.
  func insert(on connection: Connection) throws {
    let actor: ID<Person>? = if case .person(let person) = author { person } else { nil }
    let origin: Origin = author == .commandLine ? .commandLine : .portal
    try connection.run(
      """
      INSERT INTO audit (at, actor, origin, action, subject, role, module)
      VALUES (\(at), \(actor), \(origin.rawValue), \(action.rawValue), \(subject),
        \(role?.rawValue ?? ""), \(module?.rawValue ?? ""))
      """)
  }
}

/// Reading what was done.
extension AuditEntry {
  private static let columns: SQL = "at, actor, origin, action, subject, role, module"

  static func count(on connection: Connection) throws -> Int {
    try connection.integer("SELECT count(*) FROM audit") ?? 0
  }

  /// A part of all entries, the latest first. Actions that only a newer release knows are left out.
  static func latest(
    _ limit: Int, after offset: Int, on connection: Connection
  ) throws -> [AuditEntry] {
    try connection.rows(
      "SELECT \(columns) FROM audit ORDER BY id_audit DESC LIMIT \(limit) OFFSET \(offset)", read
    ).compactMap { $0 }
  }

  /// What was done to a person's account, the earliest first.
  static func about(_ person: ID<Person>, on connection: Connection) throws -> [AuditEntry] {
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
      role: Role(rawValue: row.string(5)), module: ModuleID(row.string(6)))
  }
}
