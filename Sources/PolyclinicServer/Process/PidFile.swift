import Glibc

/// The file with the supervisor's process id, locked by the kernel for as long as the supervisor
/// lives: its content is believed only while somebody holds the lock.
struct PidFile {
  private let descriptor: Int32

  /// Takes the lock; throws ``AlreadyRunning`` when another process has it.
  init(_ path: String) throws {
    let descriptor = try Self.open(path, O_RDWR | O_CREAT)
    // Tried for a short while, since `holder(of:)` takes a lock for a moment too.
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

  /// The id of the process that holds the lock; nil when nobody does.
  static func holder(of path: String) throws -> pid_t? {
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

  /// Empties the file and lets the lock go. The file stays: to remove what another may be about to
  /// lock would leave two holders.
  func release() {
    ftruncate(descriptor, 0)
    close(descriptor)
  }

  private func write(_ text: String, _ path: String) throws {
    let bytes = Array(text.utf8)
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    else { throw SystemError("write", on: path) }
  }

  /// Waits for nobody: a pipe without a writer would otherwise hold up the start of the portal.
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

/// Another supervisor holds this installation.
struct AlreadyRunning: Error, CustomStringConvertible {
  /// Nil in the moment before it has written its id.
  let pid: pid_t?

  var description: String {
    "already running\(pid.map { " as process \($0)" } ?? ""); stop it first, or use \"reload\""
  }
}
