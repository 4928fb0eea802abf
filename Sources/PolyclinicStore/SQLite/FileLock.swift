import CSQLite
import Glibc
import PolyclinicCore

/// An exclusive lock on a file. Waiting threads queue in the kernel, which also releases the lock
/// of a process that dies.
///
/// A lock belongs to a descriptor, and its timeout to a thread. So each thread that queues needs
/// its own object.
final class FileLock {
  /// The maximum time to wait for the lock.
  enum Timeout {
    case endless
    case atMost(milliseconds: Int)
    case none
  }

  private let descriptor: Int32
  private let path: String
  private let observer: (any DatabaseObserver)?
  private var interruption: Interruption?

  /// Creates the file if there is none. Does not follow links. Throws ``DatabaseError``.
  ///
  /// A file created by root is given to the owner of `file`, so that a command run by root cannot
  /// lock the portal out. SQLite does the same with its own files. Root gives away no file with a
  /// second name.
  init(
    _ path: String, beside file: DatabaseFile, observer: (any DatabaseObserver)? = nil
  ) throws {
    self.observer = observer
    descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    self.path = path
    guard descriptor >= 0 else {
      throw DatabaseError(system: errno, detail: "cannot open \(path)")
    }
    if geteuid() == 0 { try give(to: file) }
  }

  private func give(to file: DatabaseFile) throws {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_nlink == 1
    else {
      throw DatabaseError(system: EMLINK, detail: "\(path) is not a file of the portal's own")
    }
    guard fchown(descriptor, file.owner, file.group) == 0 else {
      throw DatabaseError(system: errno, detail: "cannot give away \(path)")
    }
  }

  deinit { Glibc.close(descriptor) }

  /// Runs `body` while holding the lock.
  ///
  /// Throws ``DatabaseError`` of kind `busy`, without calling `body`, if the time to wait is over.
  func hold<Value>(_ timeout: Timeout, _ body: () throws -> Value) throws -> Value {
    try queueUp(timeout)
    defer { flock(descriptor, LOCK_UN) }
    return try body()
  }

  private func queueUp(_ timeout: Timeout) throws {
    // Most callers get the lock at once, and need no clock to measure their wait.
    if try lock(LOCK_EX | LOCK_NB) { return observer?.writerWaited(nanoseconds: 0) ?? () }
    let begin = Interruption.nanoseconds
    defer { observer?.writerWaited(nanoseconds: Interruption.nanoseconds - begin) }
    try wait(timeout)
  }

  /// Waits in the kernel's queue, until the lock is free or a timer's signal interrupts the wait.
  ///
  /// Polling instead would favour the thread that has just released the lock. It was measured with
  /// eight writers in two processes: the longest wait was four to five seconds instead of 0.8, with
  /// a sixth as many commits.
  private func wait(_ timeout: Timeout) throws {
    switch timeout {
    case .none: throw busy
    case .endless: while try !lock(LOCK_EX) {}
    case .atMost(let milliseconds):
      let interruption = try interruption ?? Interruption()
      self.interruption = interruption
      let end = Interruption.now + milliseconds
      try interruption.start(after: milliseconds)
      defer { interruption.stop() }
      while try !lock(LOCK_EX) {
        if Interruption.now >= end { throw busy }
      }
    }
  }

  /// Returns false if the lock is held elsewhere, or if the wait was interrupted.
  private func lock(_ operation: Int32) throws -> Bool {
    if flock(descriptor, operation) == 0 { return true }
    let code = errno
    guard code == EINTR || code == EWOULDBLOCK else {
      throw DatabaseError(system: code, detail: "cannot lock \(path)")
    }
    return false
  }

  private var busy: DatabaseError {
    DatabaseError(.busy, code: Int(SQLITE_BUSY), detail: "others hold \(path)")
  }
}
