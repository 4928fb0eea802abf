import Synchronization

/// The master keys of a running process. It reads the key file again when the database refers to a
/// key that it does not know yet.
///
/// So `polyclinic vault rotate` needs no restart, because the key file has the new key before the
/// database does.
package final class LiveKeyRing: Sendable {
  private let known: Mutex<KeyRing>

  init(_ ring: KeyRing) { known = Mutex(ring) }

  /// The keys as last read.
  var ring: KeyRing { known.withLock { $0 } }

  /// Returns a ring that contains the key with that id.
  ///
  /// Throws ``VaultError/unknownMasterKey(_:path:)`` if the file has no such key, and
  /// ``KeyRingError`` if it cannot be read.
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
    // A file that lacks one of the known keys belongs to another installation.
    guard read[id] != nil, read.holdsAll(of: ring) else {
      throw VaultError.unknownMasterKey(id, path: ring.path)
    }
    known.withLock { $0 = read }
    return read
  }
}
