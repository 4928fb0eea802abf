import Glibc
import PolyclinicCore
import PolyclinicServing
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

/// The creation of a database together with its key, which a crash may interrupt at any step.
protocol DatabaseCreation {
  /// True if an earlier creation stopped before its last step.
  var isHalfInPlace: Bool { get }

  /// Creates both. Throws errors of the key file and of the database.
  func make(for installation: Installation, at now: Instant) throws

  /// Completes an earlier creation. Throws ``VaultError`` if the key belongs to another database.
  func finish(for installation: Installation, at now: Instant) throws
}

/// Creates a SQLite database together with its key, so that a crash leaves both, neither, or a complete
/// draft that the key opens.
///
/// 1. It builds the database under another name.
/// 2. It writes the key. A draft without a key is worthless; a draft beside its key is complete.
/// 3. It renames the database.
struct FirstDatabase: DatabaseCreation {
  let path: String
  let keyPath: String

  private var draft: String { path + ".new" }

  var isHalfInPlace: Bool {
    FirstKey.Presence(of: keyPath) == .present && FirstKey.Presence(of: path) == .absent
      && FirstKey.Presence(of: draft) == .present
  }

  /// Creates both files. Leaves neither if it throws.
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

  func finish(for installation: Installation, at now: Instant) throws {
    let ring = try KeyRing.load(at: keyPath)
    let database = try SQLiteDatabase.open(draft)
    defer { database.close() }
    _ = try database.read { try Vault.open(ring: ring, on: $0) }
    try database.closeAsOneFile()
    try putInPlace()
  }

  private func build(_ installation: Installation, _ ring: KeyRing, at now: Instant) throws {
    let database = try SQLiteDatabase.create(draft)
    defer { database.close() }
    try InstallationBuilder.establish(database, installation, ring: ring, at: now)
    try database.closeAsOneFile()
  }

  private func putInPlace() throws {
    guard rename(draft, path) == 0 else { throw SystemError("rename", on: draft) }
    try OpenFile.synchronize(directory: FilePath.directory(of: path))
  }

  private func removeDraft() {
    unlink(draft)
    SQLiteDatabase.removeCompanions(of: draft)
  }
}
