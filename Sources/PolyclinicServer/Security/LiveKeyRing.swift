import Synchronization

/// The master keys of a running process: read at its start, and once more from the key file when the
/// database names a key that the process does not know yet.
///
/// So `polyclinic vault rotate` needs no restart: the key file has the new key before the database does.
final class LiveKeyRing: Sendable {
  private let known: Mutex<KeyRing>

  init(_ ring: KeyRing) { known = Mutex(ring) }

  /// The keys as they were read last.
  var ring: KeyRing { known.withLock { $0 } }

  /// Returns a ring that holds the key of that id.
  ///
  /// Throws ``VaultError/unknownMasterKey(_:path:)`` where the file has no such key, and ``KeyRingError``
  /// where it cannot be read.
  func holding(_ id: KeyRing.ID) throws -> KeyRing {
    let ring = ring
    if ring[id] != nil { return ring }
    let read: KeyRing
    do throws(KeyRingError) {
      read = try KeyRing.load(at: ring.path)
    } catch {
      // Keys that were typed in from a recovery sheet have no file yet.
      if case .missing = error { throw VaultError.unknownMasterKey(id, path: ring.path) }
      throw error
    }
    // A file that lacks a key of before is another installation's, whatever else is in it.
    guard read[id] != nil, read.holdsAll(of: ring) else {
      throw VaultError.unknownMasterKey(id, path: ring.path)
    }
    known.withLock { $0 = read }
    return read
  }
}
