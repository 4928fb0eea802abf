import PolyclinicCore
import PolyclinicCryptography
import PolyclinicVault
import Synchronization

/// The stored responses to requests that change data: the repetition of a request changes nothing
/// and gets the same response.
///
/// A form's key is an HMAC of the whole submission, so that a resubmission with other content is a
/// different form. An API client names its request itself, by `Idempotency-Key`.
package final class IdempotencyStore: Sendable {
  /// Identifies the repetitions of a request.
  package struct Key {
    fileprivate let digest: [UInt8]
    /// Nil for a form.
    fileprivate var client: Client?

    /// The request of an API client: an HMAC of its body, and the keys that seal its response.
    fileprivate struct Client {
      let request: [UInt8]
      let keys: Keys
    }

    fileprivate var row: Int64 {
      Int64(bitPattern: digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  /// The sender of a form.
  package enum Sender {
    /// The person of the session.
    case person(ID<Person>)
    /// A visitor without a session, by the token of the browser's ``AntiForgery/visitorCookie``.
    case visitor(Token)
  }

  /// A stored response.
  package enum Stored: Equatable {
    /// The page after a form, and the person whom the form signed in, for example by a
    /// registration.
    case page(Path, signedIn: ID<Person>?)
    /// The new record of an API client.
    case record(location: String, tag: String, body: [UInt8])
  }

  /// The key of an API client was used for a different request before.
  struct OtherRequest: Error {}

  /// The time for which a resubmitted form is recognized.
  package static let formsKeptFor = Seconds.days(2)
  /// The time for which the repeated request of an API client is recognized.
  package static let requestsKeptFor = Seconds.hours(24)
  /// The time for which a resubmission from the same browser signs in again. A browser resends a
  /// form within it.
  static let signsInFor = Seconds.minutes(2)
  /// The greatest length of an API client's key, in bytes.
  static let keyLimit = 255
  /// The limit of one person's forms in ten minutes. It allows some hundred megabytes over the two
  /// days.
  static let mostOfPerson = 3_000

  // The column has two kinds of sealed values, so their names tell them apart.
  private static let column: StaticString = "answered_forms.sealed"
  private static let signInColumn: StaticString = "answered_forms.sealed.sign-in"
  private let vault: Vault
  private let forms: HMAC
  private let requests: HMAC
  private let rate = Mutex(RateLimit<ID<Person>>(mostOfPerson, per: .minutes(10)))

  package init(_ vault: Vault) {
    self.vault = vault
    forms = HMAC(vault.derived("answered-forms"))
    requests = HMAC(vault.derived("api-answers"))
  }

  /// Returns the key of a form; nil if the form has no `once` field.
  ///
  /// The form of a session is bound to its person, for whom alone the change was made. The form of
  /// a visitor without a session is bound to the visitor's browser. Otherwise its repetition in
  /// another browser would begin a session there.
  package func key(of fields: Fields, at path: Path, from sender: Sender) -> Key? {
    guard !fields["once"].isEmpty else { return nil }
    var bytes = ByteWriter()
    bytes.write(path.description)
    switch sender {
    case .person(let person): bytes.write("person:\(person)")
    case .visitor(let token): bytes.write(token.hash)
    }
    for pair in fields.pairs where pair.name != "csrf" {
      bytes.write(pair.name)
      bytes.write(pair.value)
    }
    return Key(digest: forms.code(of: bytes.bytes))
  }

  /// Returns the key of an API client's request with this body. Path and name tell it apart.
  func key(of body: [UInt8], named names: [String], by keys: Keys) -> Key {
    var (key, request) = (ByteWriter(), ByteWriter())
    for part in ["\(keys.person)"] + names { key.write(part) }
    request.write(body)
    return Key(
      digest: requests.code(of: key.bytes),
      client: Key.Client(request: requests.code(of: request.bytes), keys: keys))
  }

  /// Returns the stored response; nil if there is none. Throws ``OtherRequest`` if an API client
  /// used the key for a different body.
  package func find(_ key: Key, at now: Instant, on connection: Connection) throws -> Stored? {
    guard let client = key.client else { return try page(key, at: now, on: connection) }
    let since = now - Self.requestsKeptFor
    return try connection.row(
      """
      SELECT request, sealed FROM answered_forms
      WHERE form = \(key.digest) AND request IS NOT NULL AND answered_at > \(since)
      """
    ) { row in
      guard row.bytes(0) == client.request else { throw OtherRequest() }
      var reader = ByteReader(
        try client.keys.open(row.sealed(1), as: Self.column, row: key.row))
      return .record(
        location: try reader.string(), tag: try reader.string(), body: Array(try reader.bytes()))
    }
  }

  private func page(_ key: Key, at now: Instant, on connection: Connection) throws -> Stored? {
    let found = try connection.row(
      "SELECT answer, signed_in, sealed FROM answered_forms WHERE form = \(key.digest)"
    ) { row in
      (
        page: Path(local: row.string(0)),
        proof: row.isNull(1)
          ? nil : row.optional(2, Row.sealed).map { Proof(person: row.id(1), sealed: $0) }
      )
    }
    guard let found, let page = found.page else { return nil }
    let signedIn = try found.proof.flatMap { proof in
      try isValid(proof, for: key, in: Work(at: now, on: connection)) ? proof.person : nil
    }
    return .page(page, signedIn: signedIn)
  }

  /// The proof that a form signed a person in: the form, the time and the account's state.
  private struct Proof {
    let person: ID<Person>
    let sealed: Sealed
  }

  /// True if this form signed the person in a moment ago, and the account is unchanged since.
  ///
  /// Nothing outside the sealed proof is trusted: somebody who can write to the database could
  /// otherwise name another person, or another time.
  private func isValid(_ proof: Proof, for key: Key, in work: Work) throws -> Bool {
    guard let account = try Account.find(proof.person, on: work), account.state == .active,
      account.isGenuine(vault),
      let keys = try KeyStore(vault).unloggedKeys(of: proof.person, on: work)
    else { return false }
    do {
      var reader = ByteReader(try keys.open(proof.sealed, as: Self.signInColumn, row: key.row))
      let (form, time) = (Array(try reader.bytes()), Instant(try reader.integer()))
      let seal = Array(try reader.bytes())
      return form == key.digest && (.seconds(0)...Self.signsInFor).contains(work.now - time)
        && vault.accountSeal.code(of: account).isSame(as: seal)
    } catch is UnsealingError { return false }
  }

  /// Returns the ``Proof`` that a form has signed a person in.
  private func proof(
    that key: Key, signedIn person: ID<Person>, in work: Work
  ) throws -> Sealed? {
    guard let account = try Account.find(person, on: work),
      let keys = try KeyStore(vault).unloggedKeys(of: person, on: work)
    else { return nil }
    var bytes = ByteWriter()
    bytes.write(key.digest)
    bytes.write(work.now.seconds)
    bytes.write(vault.accountSeal.code(of: account))
    return try keys.seal(bytes.bytes, as: Self.signInColumn, row: key.row)
  }

  /// Counts a form of a person, because forms do not count towards the storage limit. Returns the
  /// time that the person must wait; nil unless the person exceeds ``mostOfPerson``.
  func wait(for person: ID<Person>, at now: Instant) -> Seconds? {
    rate.withLock { $0.take(person, at: now) }
  }

  /// Stores a response in the transaction of its change.
  ///
  /// If the request was answered before, this or the end of the transaction throws
  /// ``DatabaseError`` of kind `unique`.
  package func insert(_ stored: Stored, for key: Key, in work: Work) throws {
    let now = work.now
    switch (stored, key.client) {
    case (.page(let path, let signedIn), nil):
      let proof = try signedIn.flatMap {
        try self.proof(that: key, signedIn: $0, in: work)
      }
      try work.run(
        """
        INSERT INTO answered_forms (form, answer, signed_in, sealed, answered_at)
        VALUES (\(key.digest), \(path.description), \(signedIn), \(proof), \(now))
        """)
    case (.record(let location, let tag, let body), let client?):
      var bytes = ByteWriter()
      bytes.write(location)
      bytes.write(tag)
      bytes.write(body)
      let sealed = try client.keys.seal(bytes.bytes, as: Self.column, row: key.row)
      let inserted = try work.runCounting(
        """
        INSERT INTO answered_forms (form, answer, person, request, sealed, answered_at)
        VALUES (
          \(key.digest), '', \(client.keys.person), \(client.request), \(sealed), \(now))
        ON CONFLICT (form) DO UPDATE SET request = excluded.request, sealed = excluded.sealed,
          answered_at = excluded.answered_at
        WHERE answered_forms.answered_at <= \(now - Self.requestsKeptFor)
        """)
      guard inserted == 1 else {
        throw DatabaseError(.unique, code: 0, detail: "the request was answered before")
      }
    case (.page, _?), (.record, nil): break
    }
  }

  /// Prevents resubmitted forms from signing this person in. Called after a password change or a
  /// sign-out.
  static func forgetSignIns(of person: ID<Person>, on connection: Connection) throws {
    try connection.run(
      "UPDATE answered_forms SET signed_in = NULL, sealed = NULL WHERE signed_in = \(person)")
  }

  package static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM answered_forms WHERE answered_at <= \(now - requestsKeptFor)
      AND (request IS NOT NULL OR answered_at <= \(now - formsKeptFor))
      """)
  }
}

extension IdempotencyStore {
  /// The table of stored responses: to forms, and to requests of API clients, which are sealed for
  /// the person who sent the request.
  ///
  /// Rows are stored in the tree of the primary key, and the indexes are partial, so that saving a
  /// form writes few pages.
  package static let schema: [SQL] = [
    """
    CREATE TABLE answered_forms (
      form \(.bytes) NOT NULL PRIMARY KEY,
      answer TEXT NOT NULL,
      signed_in \(.actor),
      answered_at \(.integer) NOT NULL,
      request \(.bytes),
      sealed \(.bytes),
      person \(.integer) REFERENCES people(id_person) ON DELETE CASCADE
    ) \(.strictByKey)
    """,
    "CREATE INDEX answered_forms_answered_at ON answered_forms (answered_at)",
    """
    CREATE INDEX answered_forms_signed_in ON answered_forms (signed_in)
    WHERE signed_in IS NOT NULL
    """,
    "CREATE INDEX answered_forms_person ON answered_forms (person) WHERE person IS NOT NULL",
  ]
}
