import CSQLite
import Glibc
import PolyclinicCore
import PolyclinicSystem

/// The file that a ``SQLiteDatabase`` was opened on, with a check that it is still in its place.
///
/// SQLite keeps acknowledging commits to a file that was unlinked or replaced. So the path is
/// checked before a transaction begins, and again before a commit is acknowledged.
///
/// A file that was moved away and back is the same one and works again. Another file is never
/// accepted, even if it is a valid database. An older state would assign ids a second time and
/// bring back erased people. Only a new process opens a restored database.
final class DatabaseFile: Sendable {
  let path: String
  /// The file's path without links, because SQLite keeps the log beside the file and not beside a
  /// link to it.
  private let resolvedPath: String
  let identity: FileIdentity
  let owner: uid_t
  let group: gid_t
  /// Keeps the inode from being reused for another file. It is an O_PATH descriptor, because
  /// closing an ordinary one would drop SQLite's locks on the file (open(2), fcntl_locking(2)).
  private let pin: Int32
  /// Linux's O_PATH, which the Glibc module does not import (asm-generic/fcntl.h).
  private static let pathOnly: Int32 = 0o10_000_000

  var logPath: String { resolvedPath + "-wal" }

  /// Opens an existing file. Throws ``DatabaseError`` of kind `missing` if there is none or if it
  /// is empty, because SQLite would take an empty file for a new database.
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

  /// Creates an empty file that only its owner can read. Throws ``DatabaseError`` if the file
  /// exists.
  static func create(_ path: String) throws {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw DatabaseError(system: errno, detail: "cannot create the database \(path)")
    }
    Glibc.close(descriptor)
  }

  /// Returns the lock at which writers queue.
  func writersLock(_ observer: (any DatabaseObserver)?) throws -> FileLock {
    try FileLock(resolvedPath + ".lock", beside: self, observer: observer)
  }

  /// Returns the lock for work that needs an empty log. A backup holds it too, because it keeps the
  /// log from being emptied.
  func backupLock() throws -> FileLock { try FileLock(resolvedPath + ".backup.lock", beside: self) }

  /// Returns the lock that a migrating process holds for all its transactions together.
  func migrationLock() throws -> FileLock {
    try FileLock(resolvedPath + ".migration.lock", beside: self)
  }

  /// Throws ``DatabaseError`` of kind `missing` unless the path still names the file that was
  /// opened.
  func verify() throws {
    if FileIdentity(path: path) == identity { return }
    throw DatabaseError(
      .missing, code: 0,
      detail: "\(path) is not the file that was opened (move that one back, or reload)")
  }
}
