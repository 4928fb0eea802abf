import Glibc
import PolyclinicCore

/// A queue kept by the kernel: whoever locks the file goes alone, and a process that dies lets go.
///
/// A lock belongs to the descriptor, so each thread that queues has an object of its own.
final class FileLock {
  private let descriptor: Int32
  private let path: String

  /// Makes the file where there is none. Throws ``DatabaseError``.
  ///
  /// What root makes belongs to the owner of `file`, as with SQLite's own files: a command run by
  /// root must not lock the portal out.
  init(_ path: String, beside file: DatabaseFile) throws {
    descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    self.path = path
    guard descriptor >= 0 else {
      throw DatabaseError(system: errno, detail: "cannot open \(path)")
    }
    guard geteuid() != 0 || fchown(descriptor, file.owner, file.group) == 0 else {
      throw DatabaseError(system: errno, detail: "cannot give away \(path)")
    }
  }

  deinit { Glibc.close(descriptor) }

  /// Runs `body` while nobody else holds the lock; waits for as long as it takes.
  func hold<Value>(_ body: () throws -> Value) throws -> Value {
    while flock(descriptor, LOCK_EX) != 0 {
      let code = errno
      guard code == EINTR else { throw DatabaseError(system: code, detail: "cannot lock \(path)") }
    }
    defer { flock(descriptor, LOCK_UN) }
    return try body()
  }
}
