import CSQLite
import Glibc
import PolyclinicCore

/// What tells one file from another, whatever its name.
package struct FileIdentity: Equatable, Sendable {
  let device: dev_t
  let inode: ino_t

  init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
  }

  /// The file that the path names now; nil when there is none or it cannot be looked at.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// The one file that a ``SQLiteDatabase`` was opened on, and whether it is still in its place.
///
/// SQLite goes on acknowledging commits to a file that was unlinked or replaced, so the place is
/// looked at before a transaction begins and again before a commit is acknowledged. A file that was
/// moved away and back is the same one and serves again. Another file is never taken for it, however
/// valid: an older state would give ids a second time and bring back erased people, so a restored
/// database is taken up by a new process only.
final class DatabaseFile: Sendable {
  let path: String
  /// The file's own path: SQLite keeps the log beside the file, not beside a link to it.
  private let resolvedPath: String
  let identity: FileIdentity
  let owner: uid_t
  let group: gid_t
  /// Keeps the inode from being given to another file. Unlike that of an ordinary descriptor, the
  /// closing of an O_PATH one leaves SQLite's locks on the file alone (open(2), fcntl_locking(2)).
  private let pin: Int32
  /// Linux's O_PATH, which the Glibc module does not import (asm-generic/fcntl.h).
  private static let pathOnly: Int32 = 0o10_000_000

  var logPath: String { resolvedPath + "-wal" }

  /// Throws ``DatabaseError`` of kind `missing` when there is no file or an empty one, which SQLite
  /// would take for a new database.
  init(existing path: String) throws {
    pin = Glibc.open(path, Self.pathOnly | O_CLOEXEC)
    self.path = path
    var status = stat()
    guard pin >= 0, fstat(pin, &status) == 0, let resolved = realpath(path, nil) else {
      let code = errno
      if pin >= 0 { Glibc.close(pin) }
      throw DatabaseError(
        system: code,
        detail: "no database at \(path) (put it back, restore a backup, or set the portal up)")
    }
    defer { free(resolved) }
    resolvedPath = String(cString: resolved)
    identity = FileIdentity(status)
    owner = status.st_uid
    group = status.st_gid
    guard status.st_size > 0 else {
      throw DatabaseError(
        .missing, code: 0,
        detail: "\(path) is empty (restore a backup, or remove it and set the portal up)")
    }
  }

  deinit { Glibc.close(pin) }

  /// Makes an empty file that only its owner reads. Throws ``DatabaseError`` when there is one.
  static func create(_ path: String) throws {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw DatabaseError(system: errno, detail: "cannot create the database \(path)")
    }
    Glibc.close(descriptor)
  }

  /// Where writers queue up.
  func writersLock(_ observer: (any WriteQueueObserver)?) throws -> FileLock {
    try FileLock(resolvedPath + ".lock", beside: self, observer: observer)
  }

  /// Where those queue up who need the log empty: a backup keeps it from being emptied.
  func backupLock() throws -> FileLock { try FileLock(resolvedPath + ".backup.lock", beside: self) }

  /// Where those who migrate queue up, for all their transactions together.
  func migrationLock() throws -> FileLock {
    try FileLock(resolvedPath + ".migration.lock", beside: self)
  }

  /// Throws ``DatabaseError`` of kind `missing` unless the path names the file that was opened.
  func verify() throws {
    if FileIdentity(path: path) == identity { return }
    throw DatabaseError(
      .missing, code: 0,
      detail: "\(path) is not the file that was opened (move that one back, or reload)")
  }
}
