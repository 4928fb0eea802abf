import Glibc
import PolyclinicCore
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

/// Replaces the newest master key, for `polyclinic vault rotate`. It can run while the portal
/// serves.
///
/// Each step is on disk before the next begins:
/// 1. The key file gets the new key, which wraps nothing yet.
/// 2. One transaction wraps the lookup key with it. From then on every process wraps the keys of
///    new people with the new key. It reads the key from the file when it first meets its id
///    (``LiveKeyRing``).
/// 3. Several transactions wrap the keys of all existing people, a batch each.
///
/// If other machines share the database, the first run ends after the first step. Their processes
/// would fail at a key that their file lacks, so the next run wraps only when all of them have the
/// new file.
///
/// The next run finishes an interrupted rotation and creates no further key. Older keys stay in the
/// file, because earlier backups are sealed with them.
package struct KeyRotation {
  let database: any StoredDatabase
  /// The path of the key file.
  let path: String
  /// Returns the names of the running machines that do not have the keys of this ring yet.
  var lacking: (KeyRing) throws -> [String] = { _ in [] }
  /// Called after each step that is on disk.
  var report: (Step) throws -> Void = { _ in }

  package enum Step: Equatable {
    case keyAdded(KeyRing.ID)
    case lookupKeyWrapped
    /// The number of people whose keys are wrapped, and the total.
    case peopleWrapped(Int, of: Int)
  }

  package struct Outcome {
    enum Manner: Equatable {
      /// A new key was created.
      case begun
      /// An earlier rotation was interrupted, or a backup from before one was restored.
      case finished
      /// A new key was created, and wraps nothing until these machines have the key file.
      case distributing([String])
    }
    let manner: Manner
    let key: KeyRing.Key
    /// The number of people whose keys were wrapped again.
    let people: Int
    /// People whose keys cannot be unwrapped. They were damaged before, and are left unchanged.
    let unreadable: [ID<Person>]
  }

  private struct Wrapped {
    var isChanged = false
    var people = 0
    var unreadable: [ID<Person>] = []
  }

  /// Runs the rotation. Throws ``KeyRotationError``, ``KeyRingError`` or ``VaultError``. After an
  /// error nothing is lost, and the next run continues.
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
      let lacking = try lacking(new)
      if !lacking.isEmpty {
        return Outcome(
          manner: .distributing(lacking), key: new.newest, people: 0, unreadable: [])
      }
      let wrapped = try wrapAll(by: new, at: now)
      return Outcome(
        manner: .begun, key: new.newest, people: wrapped.people, unreadable: wrapped.unreadable)
    }
  }

  /// Wraps everything with the ring's newest key that an older key wraps.
  private func wrapAll(by ring: KeyRing, at now: Instant) throws -> Wrapped {
    var wrapped = Wrapped()
    do {
      let lacking = try lacking(ring)
      func requireAll() throws {
        if !lacking.isEmpty { throw KeyRotationError.lacking(lacking, path: path) }
      }
      let vault = try database.read { try Vault.open(ring: ring, on: $0) }
      // The database must not refer to a key that a power failure could remove from the file.
      try ring.synchronizeFile()
      wrapped.isChanged = try database.write { connection in
        guard try vault.wrapLookupKey(by: ring, on: connection) else { return false }
        try requireAll()
        try AuditEntry(.rotateKey, by: .commandLine, at: now).insert(on: connection)
        return true
      }
      if wrapped.isChanged { try report(.lookupKeyWrapped) }
      let people = try database.read { try Self.people(notWrappedBy: ring.newest.id, on: $0) }
      if !people.isEmpty { try requireAll() }
      for part in people.parts(of: 256) {
        let (count, unreadable) = try database.write { try wrap(part, vault, ring, on: $0) }
        wrapped.people += count
        wrapped.unreadable += unreadable
        if count > 0 { try report(.peopleWrapped(wrapped.people, of: people.count)) }
      }
      // A key that the former master key wraps would open with it.
      if wrapped.people > 0 { try database.removeDeletedBytes(for: .command) }
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
        // One damaged key must not prevent the rotation of the others.
        unreadable.append(row.person)
      } catch VaultError.unknownMasterKey {
        unreadable.append(row.person)
      }
    }
    return (rows.count - unreadable.count, unreadable)
  }

  /// Returns the people whose keys are wrapped with another master key than this one.
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

  /// Returns a message if an older master key than the newest wraps keys of people; nil if none
  /// does.
  static func unfinished(_ ring: KeyRing, _ database: any StoredDatabase) throws -> String? {
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

/// The reason why the master key cannot be rotated. Each description names the remedy.
enum KeyRotationError: Error, CustomStringConvertible {
  /// Another process uses the keys of the same file.
  case underWay(path: String)
  /// The ring is full: see ``KeyRing/capacity``.
  case full(path: String)
  /// These machines run without the newest key.
  case lacking([String], path: String)
  /// A database error interrupted the rotation between two steps.
  case cutOff(DatabaseError)

  var description: String {
    switch self {
    case .underWay(let path):
      "The master key in \(path) is in use by another \"vault rotate\" or \"restore --person\": let it end. This one has changed "
        + "nothing."
    case .full(let path):
      "\(path) holds \(KeyRing.capacity) master keys, as many as a recovery sheet can: no further one was "
        + "made."
    case .lacking(let machines, let path):
      "Nothing was wrapped, because these machines do not have the newest key yet: "
        + "\(machines.joined(separator: ", ")). Copy \(path) to the key file of each one, wait some seconds "
        + "until it has reported, and then run the same command again."
    case .cutOff(let error):
      "The rotation is not complete. \(error.sentence) Nothing is lost: everything opens with the key "
        + "file as it is. Then run the same command again: it goes on with the same key."
    }
  }
}
