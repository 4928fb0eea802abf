import FoundationEssentials
import Glibc

/// A file or directory that closes at the end of its owner's lifetime. All methods throw
/// ``SystemError``. They repeat calls that a signal interrupts.
package struct OpenFile: ~Copyable {
  package let descriptor: Int32
  private let path: String

  /// Opens a file that started programs do not inherit. `mode` is the mode of a new file.
  package init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) {
    let descriptor = open(path, flags | O_CLOEXEC, mode)
    guard descriptor >= 0 else {
      throw SystemError(flags & O_CREAT == 0 ? "open" : "create", on: path)
    }
    self.descriptor = descriptor
    self.path = path
  }

  /// Copies a descriptor of this process.
  init(copying descriptor: Int32, _ path: String) throws(SystemError) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw SystemError("fcntl", on: path) }
    self.descriptor = copy
    self.path = path
  }

  /// Opens a file for reading that somebody has named, or takes it from root's process. Refuses
  /// pipes and devices with ENOTSUP, because their content may never come.
  package static func reading(_ path: String) throws(SystemError) -> OpenFile {
    if let handed = try HandedFiles.received?.file(at: path) { return handed }
    // O_NONBLOCK, because opening a pipe would otherwise wait for a writer.
    let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
    let kind = try file.status().st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR else { throw SystemError("read", ENOTSUP, on: path) }
    return file
  }

  /// Opens an entry of a directory without following a link.
  package init(
    _ name: String, in directory: borrowing OpenFile, _ flags: Int32
  ) throws(SystemError) {
    let path = FilePath.join(directory.path, name)
    let descriptor = openat(directory.descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open", on: path) }
    self.descriptor = descriptor
    self.path = path
  }

  /// Linux's O_PATH: a descriptor that names a file without opening it. The Glibc module does not
  /// import it (asm-generic/fcntl.h).
  package static let pathOnly: Int32 = 0o10_000_000

  /// AT_EMPTY_PATH: the path is the descriptor itself. The Glibc module does not import it
  /// (linux/fcntl.h).
  private static let itself: Int32 = 0x1000

  /// Creates an unnamed file in memory, positioned at its beginning, as input for a started
  /// program.
  package init(inMemory bytes: [UInt8]) throws(SystemError) {
    path = "/polyclinic-\([UInt8].random(16).hexadecimalText)"
    descriptor = shm_open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw SystemError("shm_open") }
    shm_unlink(path)
    try write(bytes)
    try rewind(to: 0)
  }

  deinit { close(descriptor) }

  /// Returns the status of the open file, even if the path now leads to another one.
  package func status() throws(SystemError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat", on: path) }
    return status
  }

  /// Reads the rest of the file, but at most `limit` plus one bytes. The extra byte shows that
  /// there is more.
  package func read(atMost limit: Int = .max - 1) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit + 1, 65_536))
    // Keeps a small file in one allocation, which the caller can wipe.
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

  /// Reads the next bytes; returns fewer than `count` only at the end of the file.
  package func read(upTo count: Int) throws(SystemError) -> [UInt8] {
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

  /// Sets the position for the next read, in bytes from the beginning.
  package func rewind(to offset: Int) throws(SystemError) {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
      throw SystemError("seek", on: path)
    }
  }

  /// Writes all bytes. They may not be on the disk yet.
  package func write(_ bytes: some ContiguousBytes & RandomAccessCollection<UInt8>)
    throws(SystemError)
  {
    try Self.write(bytes, to: descriptor, path)
  }

  /// Writes to a descriptor that this type does not own, such as standard error.
  package static func write(
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

  /// Asks the kernel to write a range to the disk now, so that `synchronize()` waits less for a
  /// large file.
  package func startWriting(_ range: Range<Int>) {
    // Only advice: if the kernel ignores it, `synchronize()` writes everything.
    posix_fadvise(descriptor, off_t(range.lowerBound), off_t(range.count), POSIX_FADV_DONTNEED)
  }

  /// Waits until the content is on the disk.
  package func synchronize() throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw SystemError("fsync", on: path) }
  }

  /// Waits until a directory's entries are on the disk. Without it, a power cut could remove a new
  /// name or restore an old one.
  package static func synchronize(directory: String) throws(SystemError) {
    try OpenFile(directory, O_RDONLY | O_DIRECTORY).synchronize()
  }

  /// Creates a directory for this user alone, if it is missing. Its parent must exist.
  package static func make(directory: String) throws(SystemError) {
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
      throw SystemError("mkdir", on: directory)
    }
  }

  /// Marks all descriptors as close-on-exec, except standard input, output and error, so that
  /// started programs do not inherit them.
  package static func keepAllFromPrograms() throws(SystemError) {
    for name in try OpenFile("/proc/self/fd", O_RDONLY | O_DIRECTORY).entries() {
      guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Sets the mode, independent of the umask.
  package func permit(_ mode: mode_t) throws(SystemError) {
    guard fchmod(descriptor, mode) == 0 else { throw SystemError("chmod", on: path) }
  }

  /// Changes the owner and group, unless they are already right.
  ///
  /// Refuses a file with a second name (EMLINK), because a user who may write in the directory
  /// could have linked it there to own it.
  package func give(to owner: stat) throws(SystemError) {
    let status = try status()
    guard status.st_uid != owner.st_uid || status.st_gid != owner.st_gid else { return }
    guard status.st_mode & S_IFMT != S_IFREG || status.st_nlink == 1 else {
      throw SystemError("chown", EMLINK, on: path)
    }
    try give(to: owner.st_uid, owner.st_gid)
  }

  /// Gives a file that root has made to the owner of the directory, so that the portal can use it.
  package func give(toOwnerOf directory: String) throws(SystemError) {
    guard geteuid() == 0 else { return }
    try give(to: OpenFile(directory, O_RDONLY | O_DIRECTORY).status())
  }

  /// Calls ``give(toOwnerOf:)`` for the file at a path.
  ///
  /// Do not call it for an open database, because closing any descriptor of the file drops the
  /// locks of SQLite on it (fcntl_locking(2)).
  package static func give(_ path: String, toOwnerOf directory: String) throws(SystemError) {
    // Refuses links and pipes, because another user of that directory may have put one at the path.
    try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).give(toOwnerOf: directory)
  }

  /// Changes the owner and group, also of a file opened with ``pathOnly``.
  package func give(to user: uid_t, _ group: gid_t) throws(SystemError) {
    guard fchownat(descriptor, "", user, group, Self.itself) == 0 else {
      throw SystemError("chown", on: path)
    }
  }

  /// Returns the names in a directory.
  package func entries() throws(SystemError) -> [String] {
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

  /// Runs `body` while holding the file's lock. Throws ``SystemError`` with EWOULDBLOCK if another
  /// process holds it for all attempts, ten milliseconds apart (five seconds by default).
  package func whileLocked<Value>(attempts: Int = 500, _ body: () throws -> Value) throws -> Value {
    guard Self.lock(descriptor, attempts: attempts) else { throw SystemError("flock", on: path) }
    defer { flock(descriptor, LOCK_UN) }
    return try body()
  }

  /// Tries to take the lock, with attempts ten milliseconds apart. Returns false, with the reason
  /// in `errno`, if it fails.
  package static func lock(_ descriptor: Int32, attempts: Int) -> Bool {
    for _ in 0..<attempts {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else { return false }
      poll(nil, 0, 10)
    }
    errno = EWOULDBLOCK
    return false
  }
}

/// Drafts: files that get their name, or are removed, when they are complete. The process that
/// writes one holds its lock, so that a draft without a lock was left by a killed process.
extension OpenFile {
  /// Creates a draft and locks it. Throws EEXIST if it exists.
  package static func draft(_ path: String) throws(SystemError) -> OpenFile {
    let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    guard lock(file.descriptor, attempts: 1) else { throw SystemError("flock", on: path) }
    // Another process may have removed the file as abandoned, before it was locked.
    guard try FileIdentity(path: path) == FileIdentity(file.status()) else {
      throw SystemError("create", EAGAIN, on: path)
    }
    return file
  }

  /// Runs `remove` with the draft's lock if no process holds it.
  package static func whileAbandoned(
    _ path: String, _ remove: () throws(SystemError) -> Void
  ) throws(SystemError) {
    do throws(SystemError) {
      let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      if lock(file.descriptor, attempts: 1) { return try remove() }
      guard errno == EWOULDBLOCK else { throw SystemError("flock", on: path) }
    } catch {
      // Another process has just removed it.
      guard error.code == ENOENT else { throw error }
    }
  }
}
