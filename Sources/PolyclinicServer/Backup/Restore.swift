import FoundationEssentials
import Glibc
import PolyclinicCore
import PolyclinicStore

/// Puts a backup in the place of an installation's database.
///
/// The whole backup is read and authenticated before anything is written; then its database is made
/// ready beside its place (``RestoredDraft``), and only what was proved there gets its name.
struct Restore {
  /// What may stand in the database's place.
  enum Manner {
    case intoEmptyPlace
    case over
  }

  let place: Place
  let backupPath: String
  let manner: Manner

  /// What was done.
  struct Outcome {
    var draft: RestoredDraft.Outcome
    /// What the former database is called now; nil when there was none.
    var formerPath: String?
    /// Why it could not be read; nil when it could.
    var formerProblem: BackupFailure?
  }

  /// Restores with the keys of a sheet, else with those of the key file.
  ///
  /// Throws ``BackupError``, ``RestoreError``, ``KeyRingError``, ``SystemError`` and what the database
  /// throws, with everything as it was.
  func run(sheet: KeyRing?, at now: Instant) throws -> Outcome {
    try refuseWhatIsInTheWay()
    guard let sheet else { return try run(keys(nil), at: now) }
    return try RecoverySheet.tellingWhatItLacks { try run(keys(sheet), at: now) }
  }

  private func run(_ ring: KeyRing, at now: Instant) throws -> Outcome {
    let reader = try BackupReader(backupPath, ring: ring)
    try reader.read { _ in }
    try OpenFile.make(directory: FilePath.directory(of: place.databasePath))
    let directory = try OpenFile(
      FilePath.directory(of: place.databasePath), O_RDONLY | O_DIRECTORY)
    return try directory.whileLocked {
      try excludingSupervisor {
        try refuseWhatIsInTheWay()
        return try replace(by: reader, ring, at: now)
      }
    }
  }

  private func replace(
    by reader: borrowing BackupReader, _ ring: KeyRing, at now: Instant
  ) throws -> Outcome {
    let path = place.databasePath
    let hasFormer = FilePath.exists(path)
    let (former, problem) = hasFormer ? try readFormer(at: path) : (nil, nil)
    let draft = RestoredDraft(path: path + ".restored", assembly: place.assembly(), ring: ring)
    do {
      let made = try draft.make(
        from: reader, former: former, erasures: try loggedErasures(), at: now)
      // The log knows what the database knows, also where it was lost.
      try ErasureLog(directory: place.configuration.backup.directory).append(made.erasures)
      try FileOwner.give(draft.path, to: FilePath.directory(of: path))
      let formerPath = try put(draft.path, ring, at: now)
      return Outcome(
        draft: made, formerPath: hasFormer ? formerPath : nil, formerProblem: problem)
    } catch {
      draft.remove()
      throw error
    }
  }

  private func readFormer(at path: String) throws -> (FormerDatabase?, BackupFailure?) {
    do {
      return (try FormerDatabase(at: path), nil)
    } catch let error as DatabaseError {
      return (nil, BackupFailure(error))
    }
  }

  /// The key file first, where there is none: a key without its database stops a start, a database
  /// without its key does so too, and this command can be given again after either.
  private func put(_ draft: String, _ ring: KeyRing, at now: Instant) throws -> String {
    let path = place.databasePath
    let placement = DatabasePlacement(
      path: path, formerPath: try unusedPath(path + ".replaced-" + now.basicText))
    let keyPath = place.configuration.vault.keyFile
    let isKeyMade = FirstKey.Presence(of: keyPath) == .absent
    if isKeyMade {
      try ring.save()
      try FileOwner.give(keyPath, to: FilePath.directory(of: path))
    }
    do { try placement.put(draft) } catch {
      if isKeyMade { unlink(keyPath) }
      throw error
    }
    return placement.formerPath
  }

  private func refuseWhatIsInTheWay() throws {
    if let pid = try PidFile.holder(of: place.runDirectory.pidFile), pid != getpid() {
      throw RestoreError.running(pid: pid)
    }
    if manner == .intoEmptyPlace, FirstKey.Presence(of: place.databasePath) == .present {
      throw RestoreError.databaseThere(path: place.databasePath)
    }
  }

  private func keys(_ sheet: KeyRing?) throws -> KeyRing {
    let path = place.configuration.vault.keyFile
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

  /// Those of this installation, and those that were brought along with the backup.
  private func loggedErasures() throws -> [[UInt8]] {
    let directories = [
      place.configuration.backup.directory, FilePath.directory(of: backupPath),
    ]
    return try Set(directories).flatMap { try ErasureLog(directory: $0).ids() }
  }

  /// No supervisor starts meanwhile: it would open what is about to be replaced.
  private func excludingSupervisor<Value>(_ body: () throws -> Value) throws -> Value {
    let directory = place.runDirectory
    // Where nothing has run yet, nothing runs.
    guard FilePath.exists(directory.path) else { return try body() }
    let pidFile: PidFile
    do { pidFile = try PidFile(directory.pidFile) } catch let error as AlreadyRunning {
      throw RestoreError.running(pid: error.pid)
    }
    defer { pidFile.release() }
    try FileOwner.give(directory.pidFile, to: directory.path)
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
