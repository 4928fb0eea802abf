import Foundation
import PolyclinicCore

extension KeyRing {
  /// More than any ring needs; a larger file is something else.
  private static let sizeLimit = 65_536

  /// Makes a key file with one new key, which only this user can read, and has it on disk on return.
  ///
  /// A missing directory is made too, for this user alone. Throws ``KeyRingError``; an existing file
  /// is never touched.
  static func create(at path: String, today: CalendarDate) throws(KeyRingError) -> KeyRing {
    let directory = (path as NSString).deletingLastPathComponent
    if !directory.isEmpty, mkdir(directory, 0o700) != 0, errno != EEXIST {
      throw .unwritable(path: path, errno: errno)
    }
    let file = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw errno == EEXIST ? .alreadyThere(path: path) : .unwritable(path: path, errno: errno)
    }
    defer { close(file) }
    let key = Key.random(created: today)
    var text = KeyRingText.encoded([key])
    defer { text.wipe() }
    do throws(Failure) {
      try write(text, to: file)
      try synchronize(directory.isEmpty ? "." : directory)
    } catch {
      unlink(path)
      throw .unwritable(path: path, errno: error.code)
    }
    return KeyRing(newest: key, older: [], path: path)
  }

  /// Reads the key file; throws ``KeyRingError`` when it is missing, open to others, or damaged.
  static func load(at path: String) throws(KeyRingError) -> KeyRing {
    let file = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      let code = errno
      throw code == ENOENT || code == ENOTDIR
        ? .missing(path: path) : .unreadable(path: path, errno: code)
    }
    defer { close(file) }
    // The open file is asked, not the path, which may name another one a moment later.
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable(path: path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= sizeLimit else {
      throw .malformed(path: path, line: 1, .notAKeyRing)
    }
    try checkAccess(
      path: path, mode: status.st_mode & 0o7777, owner: status.st_uid, user: geteuid())
    var text = try contents(of: file, size: Int(status.st_size), path: path)
    defer { text.wipe() }
    return try KeyRingText.ring(text, path: path)
  }

  /// Throws when somebody else than `user` and root can read or replace a file of this mode and owner.
  static func checkAccess(
    path: String, mode: UInt32, owner: UInt32, user: UInt32
  ) throws(KeyRingError) {
    guard owner == user || owner == 0 else { throw .foreign(path: path, owner: owner) }
    guard mode & 0o077 == 0 else { throw .exposed(path: path, mode: mode) }
  }

  private static func contents(
    of file: Int32, size: Int, path: String
  ) throws(KeyRingError) -> [UInt8] {
    var text = [UInt8](repeating: 0, count: size)
    var length = 0
    while length < size {
      let count = text.withUnsafeMutableBytes {
        read(
          file, UnsafeMutableRawBufferPointer(rebasing: $0[length...]).baseAddress, size - length)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path: path, errno: errno) }
      if count == 0 { break }
      length += count
    }
    text.removeLast(size - length)
    return text
  }

  /// Writes everything and waits until the disk has it.
  private static func write(_ bytes: [UInt8], to file: Int32) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Failure(code: errno) }
      rest = rest.dropFirst(count)
    }
    guard fsync(file) == 0 else { throw Failure(code: errno) }
  }

  /// Waits until the disk has the directory's new entry.
  private static func synchronize(_ directory: String) throws(Failure) {
    let handle = Foundation.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard handle >= 0 else { throw Failure(code: errno) }
    defer { close(handle) }
    guard fsync(handle) == 0 else { throw Failure(code: errno) }
  }

  /// What a system call answered.
  private struct Failure: Error {
    let code: Int32
  }
}
