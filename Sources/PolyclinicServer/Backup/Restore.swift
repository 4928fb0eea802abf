import FoundationEssentials
import Glibc
import PolyclinicCore
import PolyclinicPortal
import PolyclinicServing
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

/// Replaces an installation's database with a backup.
///
/// 1. It reads and authenticates the whole backup before it writes anything.
/// 2. It prepares the database in a file of its own (``RestoredDraft``).
/// 3. Only a database that passed all checks takes its place (``RestorePlace``).
package struct Restore {
  /// The permitted state of the database's place.
  enum Manner {
    case intoEmptyPlace
    case over
  }

  let place: any RestorePlace
  let files: InstallationFiles
  let keyFile: String
  let installation: Installation
  let backupPath: String
  let manner: Manner
  /// The paths of further logs of erasures, such as those of other machines.
  var erasureLogs: [String] = []

  /// The result of a restore.
  package struct Outcome {
    var draft: RestoredDatabase.Outcome
    /// The new path of the former database; nil if there was none.
    var formerPath: String?
    /// The error that prevented reading the former database, if any.
    var formerProblem: BackupFailure?
  }

  /// Restores with the keys of the sheet if given, otherwise with those of the key file.
  ///
  /// Throws ``BackupError``, ``RestoreError``, ``KeyRingError``, ``SystemError`` and errors of the
  /// database, and then changes nothing.
  func run(sheet: KeyRing?, at now: Instant) throws -> Outcome {
    try refuseWhatIsInTheWay()
    guard let sheet else { return try run(keys(nil), at: now) }
    return try RecoverySheet.tellingWhatItLacks { try run(keys(sheet), at: now) }
  }

  private func run(_ ring: KeyRing, at now: Instant) throws -> Outcome {
    let reader = try BackupReader(backupPath, ring: ring)
    try reader.read { _ in }
    try OpenFile.make(directory: files.directory)
    try OpenFile.make(directory: files.data)
    return try files.whileReplacing {
      try excludingSupervisor {
        try refuseWhatIsInTheWay()
        return try replace(by: reader, ring, at: now)
      }
    }
  }

  private func replace(
    by reader: borrowing BackupReader, _ ring: KeyRing, at now: Instant
  ) throws -> Outcome {
    let (former, problem) = try place.former()
    let draft = try RestoredDraft(.restore, in: files, installation: installation, ring: ring)
    // A draft that became the database has no file left to remove.
    defer { draft.remove() }
    let made = try draft.make(
      from: reader, former: former, erasures: try loggedErasures(), at: now)
    // Brings the log up to date with the database, even if the log file was lost.
    try ErasureLog(directory: files.backups.path).append(made.erasures)
    return Outcome(
      draft: made, formerPath: try put(draft.path, ring, at: now), formerProblem: problem)
  }

  /// Writes a missing key file first. A crash in between is safe: the portal does not start with
  /// only one of key and database, and the command can be repeated.
  private func put(_ draft: String, _ ring: KeyRing, at now: Instant) throws -> String? {
    let isKeyMade = FirstKey.Presence(of: keyFile) == .absent
    if isKeyMade {
      try ring.save()
      try OpenFile.give(keyFile, toOwnerOf: files.directory)
    }
    do { return try place.put(draft, at: now) } catch {
      // A commit whose end nobody knows may need the key.
      if isKeyMade, (error as? DatabaseError)?.kind != .unknown { unlink(keyFile) }
      throw error
    }
  }

  private func refuseWhatIsInTheWay() throws {
    if let pid = try PidFile.holder(of: files.runDirectory.pidFile), pid != getpid() {
      throw RestoreError.running(pid: pid)
    }
    try place.requireRoom(for: manner)
  }

  private func keys(_ sheet: KeyRing?) throws -> KeyRing {
    let path = keyFile
    guard let sheet else {
      guard FirstKey.Presence(of: path) == .present else {
        throw RestoreError.keyMissing(path: path)
      }
      return try KeyRing.load(at: path)
    }
    guard FirstKey.Presence(of: path) == .present else { return sheet }
    let ring = try KeyRing.load(at: path)
    guard ring.holdsAll(of: sheet) else { throw RestoreError.otherKeys(path: path) }
    return ring
  }

  /// Returns the erasure ids logged by this installation, beside the backup and in further logs.
  private func loggedErasures() throws -> [[UInt8]] {
    let directories = [
      files.backups.path, FilePath.directory(of: backupPath),
    ]
    let logs =
      Set(directories).map { ErasureLog(directory: $0) } + erasureLogs.map { ErasureLog(path: $0) }
    return try logs.flatMap { try $0.ids() }
  }

  /// Runs `body` while no supervisor can start, because it would open the database that is being
  /// replaced.
  private func excludingSupervisor<Value>(_ body: () throws -> Value) throws -> Value {
    let directory = files.runDirectory
    // Without this directory the portal has never run.
    guard FilePath.exists(directory.path) else { return try body() }
    let pidFile: PidFile
    do { pidFile = try PidFile(directory.pidFile) } catch let error as AlreadyRunning {
      throw RestoreError.running(pid: error.pid)
    }
    defer { pidFile.release() }
    try OpenFile.give(directory.pidFile, toOwnerOf: directory.path)
    return try body()
  }
}
