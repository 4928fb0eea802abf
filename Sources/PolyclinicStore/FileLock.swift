import CSQLite
import Glibc
import PolyclinicCore

/// A queue kept by the kernel: whoever locks the file goes alone, and a process that dies lets go.
///
/// A lock belongs to the descriptor, and the end of its waiting to a thread: each thread that queues
/// has an object of its own.
final class FileLock {
  /// How long to wait for one's turn.
  enum Patience {
    case endless
    case atMost(milliseconds: Int)
    case none
  }

  private let descriptor: Int32
  private let path: String
  private let observer: (any WriteQueueObserver)?
  private var interruption: Interruption?

  /// Makes the file where there is none, and follows no link. Throws ``DatabaseError``.
  ///
  /// What root makes belongs to the owner of `file`, as with SQLite's own files: a command run by
  /// root must not lock the portal out. Root gives away no file that has a second name.
  init(
    _ path: String, beside file: DatabaseFile, observer: (any WriteQueueObserver)? = nil
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

  /// Runs `body` while nobody else holds the lock.
  ///
  /// Throws ``DatabaseError`` of kind `busy`, without having called `body`, when patience ends.
  func hold<Value>(_ patience: Patience, _ body: () throws -> Value) throws -> Value {
    try queueUp(patience)
    defer { flock(descriptor, LOCK_UN) }
    return try body()
  }

  private func queueUp(_ patience: Patience) throws {
    // Most find nobody before them, and need no clock to know how long they have waited.
    if try lock(LOCK_EX | LOCK_NB) { return observer?.writerWaited(nanoseconds: 0) ?? () }
    let begin = Interruption.nanoseconds
    defer { observer?.writerWaited(nanoseconds: Interruption.nanoseconds - begin) }
    try wait(patience)
  }

  /// Waits in the kernel's queue, which a timer's signal interrupts. To try again and again instead
  /// favours whoever has just let go: of eight writers in two processes the unluckiest then waited
  /// four to five seconds where in the queue it was 0.8, and a sixth as many commits were made.
  private func wait(_ patience: Patience) throws {
    switch patience {
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

  /// False when the lock is another's, or the waiting was interrupted.
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
