import Crypto
import PolyclinicCore
import Synchronization

/// Forms that were taken, so that the same one sent twice is one record and gets the same answer.
///
/// Kept is an HMAC of all that was sent: a form sent again with other content is another form.
final class AnsweredForms: Sendable {
  static let migration = Migration(
    "0005-answered-forms",
    """
    CREATE TABLE answered_forms (
      form \(.bytes) NOT NULL PRIMARY KEY,
      answer TEXT NOT NULL,
      signed_in \(.actor),
      answered_at \(.integer) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX answered_forms_answered_at ON answered_forms (answered_at)",
    "CREATE INDEX answered_forms_signed_in ON answered_forms (signed_in)")

  /// Each form that is saved writes half as many pages: its row stands in the tree of its key, and only
  /// those that signed somebody in are listed by person.
  static let migrationToFewerPages = Migration(
    "0012-answered-forms-in-fewer-pages",
    """
    CREATE TABLE answered_forms_by_key (
      form \(.bytes) NOT NULL PRIMARY KEY,
      answer TEXT NOT NULL,
      signed_in \(.actor),
      answered_at \(.integer) NOT NULL
    ) \(.strict), WITHOUT ROWID
    """,
    """
    INSERT INTO answered_forms_by_key (form, answer, signed_in, answered_at)
    SELECT form, answer, signed_in, answered_at FROM answered_forms
    """,
    "DROP TABLE answered_forms",
    "ALTER TABLE answered_forms_by_key RENAME TO answered_forms",
    "CREATE INDEX answered_forms_answered_at ON answered_forms (answered_at)",
    """
    CREATE INDEX answered_forms_signed_in ON answered_forms (signed_in)
    WHERE signed_in IS NOT NULL
    """)

  /// How long a form can be sent again.
  static let keptFor = Seconds.days(2)

  /// Where a form led to.
  struct Answer {
    let path: Path
    /// Who was signed in by it, as by a registration.
    let signedIn: ID<Person>?
  }

  /// How long the same form signs in again: as long as a browser may take to send it twice.
  static let signsInFor = Seconds.minutes(2)

  /// Copied for each form: preparing the key takes as long as most forms.
  private let keyed: HMAC<SHA256>

  /// Of one person in ten minutes: some hundred megabytes, if somebody goes on for the two days.
  static let mostOfPerson = 3_000
  private let rate = Mutex(RateLimit<ID<Person>>(mostOfPerson, per: .minutes(10)))

  init(_ vault: Vault) { keyed = HMAC(key: vault.derived("answered-forms")) }

  func find(_ form: [UInt8], at now: Instant, on connection: Connection) throws -> Answer? {
    try connection.row(
      "SELECT answer, signed_in, answered_at FROM answered_forms WHERE form = \(form)"
    ) { row in
      let signsIn = !row.isNull(1) && now - row.instant(2) <= Self.signsInFor
      return Path(local: row.string(0)).map {
        Answer(path: $0, signedIn: signsIn ? row.id(1) : nil)
      }
    } ?? nil
  }

  /// Keeps the first answer: a button pressed twice at once has two, and both lead to the same place.
  ///
  /// Throws ``Refusal/tooMany(retryAfter:)`` where the person has sent more forms than anybody does: these
  /// rows count towards no quota.
  func insert(
    _ form: [UInt8], by person: ID<Person>?, _ answer: Answer, at now: Instant,
    on connection: Connection
  ) throws {
    if let person, let wait = rate.withLock({ $0.take(person, at: now) }) {
      throw Refusal.tooMany(retryAfter: wait)
    }
    try connection.run(
      """
      INSERT INTO answered_forms (form, answer, signed_in, answered_at)
      VALUES (\(form), \(answer.path.description), \(answer.signedIn), \(now))
      ON CONFLICT (form) DO NOTHING
      """)
  }

  /// What stands for the form: nil when it carries no token of its own.
  func mark(of fields: Fields, at path: Path) -> [UInt8]? {
    guard !fields["once"].isEmpty else { return nil }
    var bytes = ByteWriter()
    bytes.write(path.description)
    for pair in fields.pairs where pair.name != "csrf" {
      bytes.write(pair.name)
      bytes.write(pair.value)
    }
    var code = keyed
    code.update(data: bytes.bytes)
    return code.finalize().withUnsafeBytes(Array.init)
  }

  /// From now on no form signs this person in again: a password was changed, or somebody signed out.
  static func forgetSignIns(of person: ID<Person>, on connection: Connection) throws {
    try connection.run("UPDATE answered_forms SET signed_in = NULL WHERE signed_in = \(person)")
  }

  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM answered_forms WHERE answered_at <= \(now - keptFor)")
  }
}
