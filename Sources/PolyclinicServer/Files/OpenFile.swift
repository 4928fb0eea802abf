import FoundationEssentials
import Glibc

/// A file or directory that is open until its last owner is gone. What fails is thrown as
/// ``SystemError``, and a call that a signal interrupts is made again.
struct OpenFile: ~Copyable {
  let descriptor: Int32
  private let path: String

  /// Opens for one's own use: no program that is started inherits it. `mode` is that of a new file.
  init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) {
    let descriptor = open(path, flags | O_CLOEXEC, mode)
    guard descriptor >= 0 else {
      throw SystemError(flags & O_CREAT == 0 ? "open" : "create", on: path)
    }
    self.descriptor = descriptor
    self.path = path
  }

  /// Opens an entry of a directory, itself where it is a link.
  init(
    _ name: String, in directory: borrowing OpenFile, _ flags: Int32
  ) throws(SystemError) {
    let path = FilePath.join(directory.path, name)
    let descriptor = openat(directory.descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open", on: path) }
    self.descriptor = descriptor
    self.path = path
  }

  /// Linux's O_PATH, which the Glibc module does not import (asm-generic/fcntl.h): a descriptor that
  /// names a file without opening it.
  static let pathOnly: Int32 = 0o10_000_000

  /// AT_EMPTY_PATH, which it does not import either (linux/fcntl.h): the descriptor itself is meant.
  private static let itself: Int32 = 0x1000

  /// A file in memory without a name, to be read from its beginning by a program that is started with it.
  init(inMemory bytes: [UInt8]) throws(SystemError) {
    path = "/polyclinic-\([UInt8].random(16).hexadecimalText)"
    descriptor = shm_open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw SystemError("shm_open") }
    shm_unlink(path)
    try write(bytes)
    try rewind(to: 0)
  }

  deinit { close(descriptor) }

  /// What the kernel knows of it, which the path may no longer tell.
  func status() throws(SystemError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat", on: path) }
    return status
  }

  /// All that is left to read, or one byte more than `limit` where there is more than that.
  func read(atMost limit: Int = .max - 1) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit + 1, 65_536))
    // A small file is in one place then, which its reader can wipe.
    bytes.reserveCapacity(chunk.count)
    defer { chunk.wipe() }
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit + 1 - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read", on: path) }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// The next bytes, fewer than `count` only where the file ends.
  func read(upTo count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), count - filled)
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw SystemError("read", on: path) }
      if read == 0 { break }
      filled += read
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// The next read begins so many bytes from the file's beginning.
  func rewind(to offset: Int) throws(SystemError) {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
      throw SystemError("seek", on: path)
    }
  }

  /// Returns when all is written, though perhaps not on the disk yet.
  func write(_ bytes: some ContiguousBytes & RandomAccessCollection<UInt8>) throws(SystemError) {
    try Self.write(bytes, to: descriptor, path)
  }

  /// To a descriptor that is nobody's own, such as that of standard error.
  static func write(
    _ bytes: some ContiguousBytes & RandomAccessCollection<UInt8>, to descriptor: Int32,
    _ path: String? = nil
  ) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write", on: path) }
      written += count
    }
  }

  /// Has the disk begin with what was written: a large file is then not waited for at its end alone.
  func startWriting(_ range: Range<Int>) {
    // Advice: where it is not taken, all is written at the end.
    posix_fadvise(descriptor, off_t(range.lowerBound), off_t(range.count), POSIX_FADV_DONTNEED)
  }

  /// Returns when the disk has it.
  func synchronize() throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw SystemError("fsync", on: path) }
  }

  /// Returns when the disk has a directory's entries: without it, a power cut could take a new name
  /// away or bring an old one back.
  static func synchronize(directory: String) throws(SystemError) {
    try OpenFile(directory, O_RDONLY | O_DIRECTORY).synchronize()
  }

  /// Makes a directory for this user alone where there is none; those above it are there.
  static func make(directory: String) throws(SystemError) {
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
      throw SystemError("mkdir", on: directory)
    }
  }

  /// Keeps all descriptors but those of input, output and errors from programs that are started.
  static func keepAllFromPrograms() throws(SystemError) {
    for name in try OpenFile("/proc/self/fd", O_RDONLY | O_DIRECTORY).entries() {
      guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Sets the mode, whatever the umask is.
  func permit(_ mode: mode_t) throws(SystemError) {
    guard fchmod(descriptor, mode) == 0 else { throw SystemError("chmod", on: path) }
  }

  /// Gives it to another user and group, unless it is theirs.
  ///
  /// Refuses a file with a second name (EMLINK): a user who may write in the directory could have linked
  /// it there to own it.
  func give(to owner: stat) throws(SystemError) {
    let status = try status()
    guard status.st_uid != owner.st_uid || status.st_gid != owner.st_gid else { return }
    guard status.st_mode & S_IFMT != S_IFREG || status.st_nlink == 1 else {
      throw SystemError("chown", EMLINK, on: path)
    }
    try give(to: owner.st_uid, owner.st_gid)
  }

  /// Gives it to another user and group, also where it was opened with ``pathOnly``.
  func give(to user: uid_t, _ group: gid_t) throws(SystemError) {
    guard fchownat(descriptor, "", user, group, Self.itself) == 0 else {
      throw SystemError("chown", on: path)
    }
  }

  /// The names in a directory.
  func entries() throws(SystemError) -> [String] {
    let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0, let stream = fdopendir(own) else {
      let code = errno
      if own >= 0 { close(own) }
      throw SystemError("open", code, on: path)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Runs `body` while nobody else holds the file's lock; throws ``SystemError`` with the code
  /// EWOULDBLOCK when somebody holds it for five seconds, or for so many attempts ten milliseconds apart.
  func whileLocked<Value>(attempts: Int = 500, _ body: () throws -> Value) throws -> Value {
    guard Self.lock(descriptor, attempts: attempts) else { throw SystemError("flock", on: path) }
    defer { flock(descriptor, LOCK_UN) }
    return try body()
  }

  /// Tries to lock so many times, ten milliseconds apart; false, with the reason in `errno`, when it
  /// does not come to it.
  static func lock(_ descriptor: Int32, attempts: Int) -> Bool {
    for _ in 0..<attempts {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else { return false }
      poll(nil, 0, 10)
    }
    errno = EWOULDBLOCK
    return false
  }
}
