import Glibc
import PolyclinicCore
import PolyclinicStore

/// Puts a new master key in the place of the newest: `polyclinic vault rotate`, also while the portal
/// serves.
///
/// Each step is on the disk before the next begins:
/// 1. The key file gets the new key, which wraps nothing yet.
/// 2. One transaction wraps the lookup key by it. From then on every process wraps new people's keys by
///    the new key, which it reads from the file when it meets it (``LiveKeyRing``).
/// 3. Transactions of some people each wrap the keys of all who were there before.
///
/// A rotation that was cut off anywhere is finished by the next run, which makes no further key. Older
/// keys stay in the file: backups of before are sealed with them.
struct KeyRotation {
  let database: SQLiteDatabase
  /// The key file.
  let path: String
  /// Told of each step that is on the disk.
  var report: (Step) throws -> Void = { _ in }

  enum Step: Equatable {
    case keyAdded(KeyRing.ID)
    case lookupKeyWrapped
    /// So many people's keys are wrapped by now, of so many.
    case peopleWrapped(Int, of: Int)
  }

  struct Outcome {
    enum Manner {
      /// A new key was made.
      case begun
      /// An earlier rotation was cut off, or a backup of before one was restored.
      case finished
    }
    let manner: Manner
    let key: KeyRing.Key
    /// How many people's keys were wrapped anew.
    let people: Int
    /// People whose keys do not open: damaged before, and left as they are.
    let unreadable: [ID<Person>]
  }

  private struct Wrapped {
    var isChanged = false
    var people = 0
    var unreadable: [ID<Person>] = []
  }

  /// Throws ``KeyRotationError``, ``KeyRingError`` and ``VaultError``; nothing is lost by then, and the
  /// next run goes on.
  func run(at now: Instant) throws -> Outcome {
    try excludingOthers {
      let ring = try KeyRing.load(at: path)
      let left = try wrapAll(by: ring, at: now)
      if left.isChanged {
        return Outcome(
          manner: .finished, key: ring.newest, people: left.people, unreadable: left.unreadable)
      }
      guard ring.ids.count < KeyRing.capacity else { throw KeyRotationError.full(path: path) }
      let new = ring.adding(today: CalendarDate(daysSince1970: Int(now.seconds / 86_400)))
      try new.replaceFile()
      try report(.keyAdded(new.newest.id))
      let wrapped = try wrapAll(by: new, at: now)
      return Outcome(
        manner: .begun, key: new.newest, people: wrapped.people, unreadable: wrapped.unreadable)
    }
  }

  /// Wraps all that an older key than the ring's newest wraps.
  private func wrapAll(by ring: KeyRing, at now: Instant) throws -> Wrapped {
    var wrapped = Wrapped()
    do {
      let vault = try database.read { try Vault.open(ring: ring, on: $0) }
      // Nothing in the database may name a key that a power cut could take out of the file.
      try ring.synchronizeFile()
      wrapped.isChanged = try database.write { connection in
        guard try vault.wrapLookupKey(by: ring, on: connection) else { return false }
        try AuditEntry(.rotateKey, by: .commandLine, at: now).insert(on: connection)
        return true
      }
      if wrapped.isChanged { try report(.lookupKeyWrapped) }
      let people = try database.read { try Self.people(notWrappedBy: ring.newest.id, on: $0) }
      for part in people.parts(of: 256) {
        let (count, unreadable) = try database.write { try wrap(part, vault, ring, on: $0) }
        wrapped.people += count
        wrapped.unreadable += unreadable
        if count > 0 { try report(.peopleWrapped(wrapped.people, of: people.count)) }
      }
    } catch let error as DatabaseError {
      throw KeyRotationError.cutOff(error)
    }
    if wrapped.people > 0 { wrapped.isChanged = true }
    return wrapped
  }

  private func wrap(
    _ people: [ID<Person>], _ vault: Vault, _ ring: KeyRing, on connection: Connection
  ) throws -> (count: Int, unreadable: [ID<Person>]) {
    let rows: [(person: ID<Person>, wrapped: [UInt8], erasureID: [UInt8])] = try connection.rows(
      "SELECT id_person, wrapped_key, erasure_id FROM people WHERE id_person IN \(list: people)"
    ) { ($0.id(0), $0.bytes(1), $0.bytes(2)) }
    var unreadable: [ID<Person>] = []
    for row in rows {
      do {
        let wrapped = try vault.rewrapped(row.wrapped, erasureID: row.erasureID, by: ring)
        try connection.run(
          "UPDATE people SET wrapped_key = \(wrapped) WHERE id_person = \(row.person)")
      } catch is UnsealingError {
        // Damage to one must not keep the others under the old key.
        unreadable.append(row.person)
      } catch VaultError.unknownMasterKey {
        unreadable.append(row.person)
      }
    }
    return (rows.count - unreadable.count, unreadable)
  }

  /// People whose keys another master key wraps than the one of that id.
  static func people(
    notWrappedBy id: KeyRing.ID, on connection: Connection
  ) throws -> [ID<Person>] {
    let header = KeyRing.header(id)
    return try connection.rows(
      """
      SELECT id_person FROM people WHERE substr(wrapped_key, 1, \(header.count)) <> \(header)
      ORDER BY id_person
      """
    ) { $0.id(0) }
  }

  /// Says that people's keys are wrapped by an older master key than the newest; nil where none are.
  static func unfinished(_ ring: KeyRing, _ database: SQLiteDatabase) throws -> String? {
    let left = try database.read { try people(notWrappedBy: ring.newest.id, on: $0) }
    if left.isEmpty { return nil }
    return "An older master key than \(ring.newest.id) wraps the keys of some people "
      + "(\(left.count)): a rotation was cut off, or an earlier backup was restored. To go on: "
      + "polyclinic vault rotate"
  }

  private func excludingOthers<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try KeyRing.whileLocked(at: path, body) } catch let error as SystemError
      where error.code == EWOULDBLOCK
    {
      throw KeyRotationError.underWay(path: path)
    }
  }
}

/// Why the master key is not rotated. Each text names the remedy.
enum KeyRotationError: Error, CustomStringConvertible {
  /// Another process rotates the same file's keys.
  case underWay(path: String)
  /// The ring has as many keys as it holds.
  case full(path: String)
  /// The database stopped it between two steps.
  case cutOff(DatabaseError)

  var description: String {
    switch self {
    case .underWay(let path):
      "The master key in \(path) is in use by another \"vault rotate\" or \"restore --person\": let it end. This one has changed "
        + "nothing."
    case .full(let path):
      "\(path) holds \(KeyRing.capacity) master keys, as many as a recovery sheet can: no further one was "
        + "made."
    case .cutOff(let error):
      "The rotation is not complete. \(error.sentence) Nothing is lost: everything opens with the key "
        + "file as it is. Then run the same command again: it goes on with the same key."
    }
  }
}
