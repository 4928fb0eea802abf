import Glibc

/// The file with the supervisor's process id. The supervisor holds a kernel lock on it while it
/// lives. Readers trust its content only while the lock is held.
package struct PidFile {
  private let descriptor: Int32

  /// Takes the lock. Throws ``AlreadyRunning`` if another process holds it.
  package init(_ path: String) throws {
    let descriptor = try Self.open(path, O_RDWR | O_CREAT)
    // Retries for a short while, because `holder(of:)` also takes the lock for a moment.
    guard OpenFile.lock(descriptor, attempts: 10) else {
      let code = errno
      let holder = Self.number(in: descriptor)
      close(descriptor)
      if code == EWOULDBLOCK { throw AlreadyRunning(pid: holder) }
      throw SystemError("flock", code, on: path)
    }
    self.descriptor = descriptor
    try write("\(getpid())\n", path)
  }

  /// Returns the id of the process that holds the lock; nil if no process does.
  package static func holder(of path: String) throws -> pid_t? {
    let descriptor: Int32
    do {
      descriptor = try open(path, O_RDONLY)
    } catch let error as SystemError where error.code == ENOENT {
      return nil
    }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return nil }
    guard errno == EWOULDBLOCK else { throw SystemError("flock", on: path) }
    return number(in: descriptor)
  }

  /// Empties the file and releases the lock. The file stays, because removing one that another
  /// process is about to lock would allow two holders.
  package func release() {
    ftruncate(descriptor, 0)
    close(descriptor)
  }

  private func write(_ text: String, _ path: String) throws {
    let bytes = Array(text.utf8)
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    else { throw SystemError("write", on: path) }
  }

  /// Opens without blocking, because a pipe without a writer would otherwise hold up the start of
  /// the portal.
  private static func open(_ path: String, _ flags: Int32) throws -> Int32 {
    let descriptor = Glibc.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw SystemError("open", on: path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw Misuse("\(path) is not a regular file: move it away")
    }
    return descriptor
  }

  private static func number(in descriptor: Int32) -> pid_t? {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return pid_t(String(decoding: bytes[..<count], as: UTF8.self).filter(\.isNumber))
  }
}

/// An error: another supervisor runs this installation.
package struct AlreadyRunning: Error, CustomStringConvertible {
  /// Nil in the short time before the other supervisor has written its id.
  package let pid: pid_t?

  package var description: String {
    "already running\(pid.map { " as process \($0)" } ?? ""); stop it first, or use \"reload\""
  }
}
