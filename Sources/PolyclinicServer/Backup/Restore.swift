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
/// 2. It prepares the database under another name (``RestoredDraft``).
/// 3. Only a database that passed all checks gets the final name.
package struct Restore {
  /// The permitted state of the database's path.
  enum Manner {
    case intoEmptyPlace
    case over
  }

  /// The file of the database.
  let path: String
  let files: InstallationFiles
  let keyFile: String
  let installation: Installation
  let backupPath: String
  let manner: Manner

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
    let hasFormer = FilePath.exists(path)
    let (former, problem) = hasFormer ? try readFormer() : (nil, nil)
    let draft = try RestoredDraft(.restore, in: files, installation: installation, ring: ring)
    do {
      let made = try draft.make(
        from: reader, former: former, erasures: try loggedErasures(), at: now)
      // Brings the log up to date with the database, even if the log file was lost.
      try ErasureLog(directory: files.backups.path).append(made.erasures)
      let formerPath = try put(draft.path, ring, at: now)
      return Outcome(
        draft: made, formerPath: hasFormer ? formerPath : nil, formerProblem: problem)
    } catch {
      draft.remove()
      throw error
    }
  }

  /// Reads the former database and merges its write-ahead log, so that it is one file.
  private func readFormer() throws -> (FormerDatabase?, BackupFailure?) {
    do {
      let database = try SQLiteDatabase.open(path)
      defer { database.close() }
      let former = try database.read { try FormerDatabase(database, on: $0) }
      do { try database.checkpointTruncate(timeout: .short) } catch let error as DatabaseError
        where error.kind == .busy
      {
        throw RestoreError.inUse(path: path)
      }
      return (former, nil)
    } catch let error as DatabaseError {
      return (nil, BackupFailure(error))
    }
  }

  /// Writes a missing key file first. A crash in between is safe: the portal does not start with
  /// only one of key and database, and the command can be repeated.
  private func put(_ draft: String, _ ring: KeyRing, at now: Instant) throws -> String {
    let placement = DatabasePlacement(
      path: path, formerPath: try unusedPath(files.copies.formerPath(at: now)))
    let keyPath = keyFile
    let isKeyMade = FirstKey.Presence(of: keyPath) == .absent
    if isKeyMade {
      try ring.save()
      try OpenFile.give(keyPath, toOwnerOf: FilePath.directory(of: path))
    }
    do { try placement.put(draft) } catch {
      if isKeyMade { unlink(keyPath) }
      throw error
    }
    return placement.formerPath
  }

  private func refuseWhatIsInTheWay() throws {
    if let pid = try PidFile.holder(of: files.runDirectory.pidFile), pid != getpid() {
      throw RestoreError.running(pid: pid)
    }
    if manner == .intoEmptyPlace, FirstKey.Presence(of: path) == .present {
      throw RestoreError.databaseThere(path: path)
    }
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

  /// Returns the erasure ids logged by this installation and beside the backup.
  private func loggedErasures() throws -> [[UInt8]] {
    let directories = [
      files.backups.path, FilePath.directory(of: backupPath),
    ]
    return try Set(directories).flatMap { try ErasureLog(directory: $0).ids() }
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

  private func unusedPath(_ path: String) throws -> String {
    var candidate = path
    var number = 1
    while FilePath.exists(candidate) || FilePath.exists(candidate + "-wal") {
      number += 1
      candidate = "\(path)-\(number)"
    }
    return candidate
  }
}
