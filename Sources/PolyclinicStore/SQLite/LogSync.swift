import Glibc
import PolyclinicCore
import PolyclinicSystem

import class Foundation.NSCondition

/// The syncs of the write-ahead log, which the writers of this process share.
///
/// A commit returns before its pages are on the disk (`synchronous = NORMAL`), so that the next
/// writer can begin. It is acknowledged after an `fdatasync` that began later. Writers that
/// committed during a sync share the next one.
///
/// Pages that have left the log need no other sync: a checkpoint syncs the log before it moves
/// them, and the database file before the log restarts
/// (sqlite.org/pragma.html#pragma_synchronous).
///
/// Unchecked, because everything that changes is guarded by the condition.
final class LogSync: @unchecked Sendable {
  /// A descriptor of the log that is closed with its last use.
  private final class OpenLog {
    let descriptor: Int32
    let identity: FileIdentity

    init(_ path: String, _ identity: FileIdentity) throws {
      descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw DatabaseError(system: errno, detail: "cannot open \(path)")
      }
      self.identity = identity
      var status = stat()
      guard fstat(descriptor, &status) == 0, FileIdentity(status) == identity else {
        throw OpenSessions.lostLog
      }
    }

    deinit { close(descriptor) }
  }

  private let path: String
  private let sync: @Sendable (Int32) -> Int32
  private let condition = NSCondition()
  private var log: OpenLog?
  private var begun = 0
  private var ended = 0
  private var isSyncing = false
  private var waiting = 0
  private var failure: DatabaseError?

  /// Takes the path of the log, and the system call, which returns 0 or an `errno`.
  init(of path: String, _ sync: @escaping @Sendable (Int32) -> Int32 = LogSync.dataSync) {
    self.path = path
    self.sync = sync
  }

  /// Opens the log, before the first commit to it: a descriptor reports once that pages could not
  /// be written since it was opened (fsync(2)).
  ///
  /// Throws ``DatabaseError``: of kind `readOnly` after a failed sync, for the rest of the process.
  /// The kernel counts pages that it could not write as written, so that a later sync would
  /// succeed without them.
  func prepare(for identity: FileIdentity) throws {
    condition.lock()
    defer { condition.unlock() }
    if let failure { throw failure }
    if log?.identity != identity { log = try OpenLog(path, identity) }
  }

  /// Returns after a sync that began after this call, in this thread or another one. Throws
  /// ``DatabaseError`` of kind `readOnly` if it failed, and from then on.
  func acknowledge() throws {
    condition.lock()
    defer { condition.unlock() }
    // A sync that is running may have begun before the caller's commit.
    let needed = begun + 1
    while ended < needed {
      if let failure { throw failure }
      if isSyncing { wait() } else { try runSync() }
    }
  }

  private func wait() {
    waiting += 1
    condition.wait()
    waiting -= 1
  }

  /// The number of writers that wait while another one syncs.
  var waitingCount: Int {
    condition.lock()
    defer { condition.unlock() }
    return waiting
  }

  /// Syncs outside the lock, so that the writers for the next sync can gather.
  private func runSync() throws {
    guard let log else { throw DatabaseError.misuse("a sync of a log that was not prepared") }
    begun += 1
    isSyncing = true
    condition.unlock()
    let code = sync(log.descriptor)
    condition.lock()
    isSyncing = false
    if code == 0 {
      ended = begun
    } else {
      failure = DatabaseError(
        .readOnly, code: Int(code),
        detail: "\(path) could not be synced: \(String(cString: strerror(code))) "
          + "(check the disk, then restart the portal)")
    }
    condition.broadcast()
  }

  /// Calls `fdatasync` and returns 0 or its `errno`.
  static func dataSync(_ descriptor: Int32) -> Int32 {
    while fdatasync(descriptor) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }
}
