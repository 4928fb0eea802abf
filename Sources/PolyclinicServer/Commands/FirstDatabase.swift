import Glibc
import PolyclinicCore
import PolyclinicStore

/// A database and its key that are made together: whatever stops the making, the next start finds
/// both, or neither, or a finished draft that the key opens.
///
/// The database is built under another name, then the key is written, and last the database gets its
/// name. So a draft without a key is worth nothing, and a draft beside its key is whole.
struct FirstDatabase {
  let path: String
  let keyPath: String

  private var draft: String { path + ".new" }

  /// Whether an earlier making was stopped between its last two steps.
  var isHalfInPlace: Bool {
    FirstKey.Presence(of: keyPath) == .present && FirstKey.Presence(of: path) == .absent
      && FirstKey.Presence(of: draft) == .present
  }

  /// Makes both; leaves neither when it throws.
  func make(for installation: Installation, at now: Instant) throws {
    let ring = KeyRing.new(
      at: keyPath, today: CalendarDate(daysSince1970: Int(now.seconds / 86_400)))
    removeDraft()
    do {
      try build(installation, ring, at: now)
      try ring.save()
    } catch {
      removeDraft()
      throw error
    }
    do { try putInPlace() } catch {
      unlink(keyPath)
      removeDraft()
      throw error
    }
  }

  /// Does the last step of an earlier making. Throws ``VaultError`` when the key is another one's.
  func finish() throws {
    let ring = try KeyRing.load(at: keyPath)
    let database = try SQLiteDatabase.open(draft)
    defer { database.close() }
    _ = try database.read { try Vault.open(ring: ring, on: $0) }
    try database.checkpointTruncate()
    database.close()
    try putInPlace()
  }

  private func build(_ installation: Installation, _ ring: KeyRing, at now: Instant) throws {
    let database = try SQLiteDatabase.create(draft)
    defer { database.close() }
    try Assembly.establish(database, installation, ring: ring, at: now)
    // What is renamed is one file, with everything in it.
    try database.checkpointTruncate()
  }

  private func putInPlace() throws {
    removeSidecars()
    guard rename(draft, path) == 0 else { throw SystemError("rename", on: draft) }
    try OpenFile.synchronize(directory: FilePath.directory(of: path))
  }

  private func removeDraft() {
    unlink(draft)
    removeSidecars()
  }

  /// SQLite's own are gone when the last connection is closed; after a crash they are not.
  private func removeSidecars() {
    for suffix in SQLiteDatabase.companions { unlink(draft + suffix) }
  }
}
