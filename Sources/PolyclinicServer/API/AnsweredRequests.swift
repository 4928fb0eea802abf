import Crypto
import PolyclinicCore

/// Answers to requests that carried an `Idempotency-Key`: the same request again is one record, and
/// gets the same answer.
///
/// Of key and body an HMAC is kept; the answer is sealed for the person who asked.
struct AnsweredRequests: Sendable {
  static let migration = Migration(
    "0011-api-answers",
    """
    CREATE TABLE api_answers (
      mark \(.bytes) NOT NULL PRIMARY KEY,
      person \(.person),
      request \(.bytes) NOT NULL,
      sealed \(.bytes) NOT NULL,
      answered_at \(.integer) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX api_answers_answered_at ON api_answers (answered_at)",
    "CREATE INDEX api_answers_person ON api_answers (person)")

  static let keptFor = Seconds.hours(24)
  /// The longest key that is taken.
  static let keyLimit = 255

  private static let slot: StaticString = "api_answers.sealed"
  private let keyed: HMAC<SHA256>

  init(_ vault: Vault) { keyed = HMAC(key: vault.derived("api-answers")) }

  /// What recognises a request when it comes again.
  struct Mark {
    fileprivate let mark: [UInt8]
    fileprivate let request: [UInt8]

    fileprivate var row: Int64 {
      Int64(bitPattern: mark.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  /// What was made.
  struct Answer: Equatable {
    let location: String
    let tag: String
    let body: [UInt8]
  }

  /// The key came with another request before.
  struct OtherRequest: Error {}

  func mark(of key: String, to path: String, _ body: [UInt8], from person: ID<Person>) -> Mark {
    Mark(
      mark: code([Array("\(person)".utf8), Array(path.utf8), Array(key.utf8)]),
      request: code([body]))
  }

  /// Throws ``OtherRequest``.
  func find(
    _ mark: Mark, at now: Instant, by keys: Keys, on connection: Connection
  ) throws -> Answer? {
    try connection.row(
      """
      SELECT request, sealed FROM api_answers
      WHERE mark = \(mark.mark) AND answered_at > \(now - Self.keptFor)
      """
    ) { row in
      guard row.bytes(0) == mark.request else { throw OtherRequest() }
      var reader = ByteReader(try keys.open(row.sealed(1), as: Self.slot, row: mark.row))
      return Answer(
        location: try reader.string(), tag: try reader.string(), body: Array(try reader.bytes()))
    }
  }

  /// Keeps an answer in the transaction of what was made.
  func insert(
    _ mark: Mark, _ answer: Answer, by keys: Keys, at now: Instant, on connection: Connection
  ) throws {
    var bytes = ByteWriter()
    bytes.write(answer.location)
    bytes.write(answer.tag)
    bytes.write(answer.body)
    let sealed = try keys.seal(bytes.bytes, as: Self.slot, row: mark.row)
    try connection.run(
      """
      INSERT INTO api_answers (mark, person, request, sealed, answered_at)
      VALUES (\(mark.mark), \(keys.person), \(mark.request), \(sealed), \(now))
      ON CONFLICT (mark) DO UPDATE SET request = excluded.request, sealed = excluded.sealed,
        answered_at = excluded.answered_at
      """)
  }

  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM api_answers WHERE answered_at <= \(now - keptFor)")
  }

  private func code(_ parts: [[UInt8]]) -> [UInt8] {
    var bytes = ByteWriter()
    for part in parts { bytes.write(part) }
    var code = keyed
    code.update(data: bytes.bytes)
    return code.finalize().withUnsafeBytes(Array.init)
  }
}
