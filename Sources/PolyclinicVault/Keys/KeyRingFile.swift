import Glibc
import PolyclinicCore
import PolyclinicSystem

extension KeyRing {
  /// The size limit in bytes. A larger file is not a key ring.
  private static let sizeLimit = 65_536

  /// Returns a ring with one new key, which is only in memory until ``save()``.
  package static func new(at path: String, today: CalendarDate) -> KeyRing {
    KeyRing(newest: .random(created: today), older: [], path: path)
  }

  /// Creates a key file with one new key; see ``save()``.
  package static func create(at path: String, today: CalendarDate) throws(KeyRingError) -> KeyRing {
    let ring = new(at: path, today: today)
    try ring.save()
    return ring
  }

  /// Creates the key file, readable only by this user, and synchronizes it to disk.
  ///
  /// It also creates a missing directory, with access only for this user. Throws ``KeyRingError``.
  /// An existing file is never modified.
  package func save() throws(KeyRingError) {
    let directory = FilePath.directory(of: path)
    var isMade = false
    do throws(SystemError) {
      try OpenFile.make(directory: directory)
      let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
      isMade = true
      var text = self.text
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

  /// Replaces the keys in the key file, and synchronizes it to disk. At every moment the file is
  /// complete, with either the former keys or these.
  ///
  /// A symbolic link to the file is preserved. The new file belongs to this user, because
  /// ``load(at:)`` refuses files of other users. Throws ``KeyRingError`` and leaves the former file
  /// in place.
  package func replaceFile() throws(KeyRingError) {
    let path = FilePath.real(path) ?? path
    let draft = path + ".new"
    do throws(SystemError) {
      // A killed rotation may have left this file. No wrapped key refers to its keys.
      unlink(draft)
      let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_EXCL)
      var text = self.text
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

  /// Runs `body` while no other command uses the key file's keys. Throws ``SystemError`` with the
  /// code EWOULDBLOCK immediately if one does.
  ///
  /// The kernel releases the lock when the process ends, even by a crash.
  package static func whileLocked<Value>(at path: String, _ body: () throws -> Value) throws
    -> Value
  {
    let directory = FilePath.directory(of: FilePath.real(path) ?? path)
    return try OpenFile(directory, O_RDONLY | O_DIRECTORY).whileLocked(attempts: 1, body)
  }

  /// Synchronizes the key file to disk, so that no value is wrapped with a key that a power failure
  /// could lose.
  package func synchronizeFile() throws(KeyRingError) {
    let path = FilePath.real(path) ?? path
    do throws(SystemError) {
      try OpenFile(path, O_RDONLY).synchronize()
      try OpenFile.synchronize(directory: FilePath.directory(of: path))
    } catch {
      throw .unwritable(path: path, errno: error.code)
    }
  }

  /// Reads the key file. Throws ``KeyRingError`` if it is missing, accessible to others, or
  /// damaged.
  package static func load(at path: String) throws(KeyRingError) -> KeyRing {
    // O_NONBLOCK, because opening a pipe would wait for a writer.
    let file = try reading(path) { () throws(SystemError) in
      try OpenFile(path, O_RDONLY | O_NONBLOCK)
    }
    // Checks the open file instead of the path, which may refer to another file a moment later.
    let status = try reading(path) { () throws(SystemError) in try file.status() }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= sizeLimit else {
      throw .malformed(path: path, line: 1, .notAKeyRing)
    }
    try checkAccess(
      path: path, mode: status.st_mode & 0o7777, owner: status.st_uid, user: geteuid())
    var text = try reading(path) { () throws(SystemError) in try file.read(atMost: sizeLimit) }
    defer { text.wipe() }
    return try KeyRing(text, path: path)
  }

  /// Throws ``KeyRingError`` if users other than `user` and root can read or replace a file of this
  /// mode and owner.
  package static func checkAccess(
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
