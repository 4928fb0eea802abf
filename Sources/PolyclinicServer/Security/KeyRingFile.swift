import Glibc
import PolyclinicCore

extension KeyRing {
  /// More than any ring needs; a larger file is something else.
  private static let sizeLimit = 65_536

  /// A ring with one new key, which is in memory alone until ``save()``.
  static func new(at path: String, today: CalendarDate) -> KeyRing {
    KeyRing(newest: .random(created: today), older: [], path: path)
  }

  /// Makes a key file with one new key; see ``save()``.
  static func create(at path: String, today: CalendarDate) throws(KeyRingError) -> KeyRing {
    let ring = new(at: path, today: today)
    try ring.save()
    return ring
  }

  /// Makes the key file, which only this user can read, and has it on disk on return.
  ///
  /// A missing directory is made too, for this user alone. Throws ``KeyRingError``; an existing file
  /// is never touched.
  func save() throws(KeyRingError) {
    let directory = FilePath.directory(of: path)
    var isMade = false
    do throws(SystemError) {
      try OpenFile.make(directory: directory)
      let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
      isMade = true
      var text = KeyRingText.encoded(older + [newest])
      defer { text.wipe() }
      try file.write(text)
      try file.synchronize()
      try OpenFile.synchronize(directory: directory)
    } catch {
      if isMade { unlink(path) }
      throw error.code == EEXIST
        ? .alreadyThere(path: path) : .unwritable(path: path, errno: error.code)
    }
  }

  /// Puts these keys into the place of those in the key file, and has them on disk on return: at each
  /// moment the file is whole, with the former keys or with these.
  ///
  /// A link to it stays a link. It belongs to the same user afterwards, because ``load(at:)`` reads no
  /// other's. Throws ``KeyRingError``, with the former file in its place.
  func replaceFile() throws(KeyRingError) {
    let path = FilePath.real(path) ?? path
    let draft = path + ".new"
    do throws(SystemError) {
      // What a rotation that was killed has left: no wrapped key names it.
      unlink(draft)
      let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_EXCL)
      var text = KeyRingText.encoded(older + [newest])
      defer { text.wipe() }
      try file.write(text)
      try file.synchronize()
      guard rename(draft, path) == 0 else { throw SystemError("rename", on: draft) }
      try OpenFile.synchronize(directory: FilePath.directory(of: path))
    } catch {
      unlink(draft)
      throw .unwritable(path: path, errno: error.code)
    }
  }

  /// Runs `body` while no other command works on all that the key file's keys wrap; throws
  /// ``SystemError`` with the code EWOULDBLOCK at once where one does.
  ///
  /// The kernel lets the lock go with the process that has it, however that ends.
  static func whileLocked<Value>(at path: String, _ body: () throws -> Value) throws -> Value {
    let directory = FilePath.directory(of: FilePath.real(path) ?? path)
    return try OpenFile(directory, O_RDONLY | O_DIRECTORY).whileLocked(attempts: 1, body)
  }

  /// Returns when the disk has the key file as it is: nothing is wrapped by a key that a power cut could
  /// take away.
  func synchronizeFile() throws(KeyRingError) {
    let path = FilePath.real(path) ?? path
    do throws(SystemError) {
      try OpenFile(path, O_RDONLY).synchronize()
      try OpenFile.synchronize(directory: FilePath.directory(of: path))
    } catch {
      throw .unwritable(path: path, errno: error.code)
    }
  }

  /// Reads the key file; throws ``KeyRingError`` when it is missing, open to others, or damaged.
  static func load(at path: String) throws(KeyRingError) -> KeyRing {
    let file = try reading(path) { () throws(SystemError) in try OpenFile(path, O_RDONLY) }
    // The open file is asked, not the path, which may name another one a moment later.
    let status = try reading(path) { () throws(SystemError) in try file.status() }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= sizeLimit else {
      throw .malformed(path: path, line: 1, .notAKeyRing)
    }
    try checkAccess(
      path: path, mode: status.st_mode & 0o7777, owner: status.st_uid, user: geteuid())
    var text = try reading(path) { () throws(SystemError) in try file.read(atMost: sizeLimit) }
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

  private static func reading<Value: ~Copyable>(
    _ path: String, _ body: () throws(SystemError) -> Value
  ) throws(KeyRingError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw error.code == ENOENT || error.code == ENOTDIR
        ? .missing(path: path) : .unreadable(path: path, errno: error.code)
    }
  }
}
