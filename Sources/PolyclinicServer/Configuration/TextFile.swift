import Glibc

/// Small files that are read and replaced whole.
enum TextFile {
  /// A megabyte: no configuration is larger.
  private static let limit = 1_048_576

  /// The file's text; throws ``ConfigurationError`` when it is missing, too large or not UTF-8.
  static func read(_ path: String) throws -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let remedy = errno == ENOENT ? "; name it with --config, or let \"make run\" make one" : ""
      throw ConfigurationError(path, "cannot be read: \(reason(errno))\(remedy)")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw ConfigurationError(path, "cannot be read: \(reason(errno))")
      }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    guard bytes.count <= limit else { throw ConfigurationError(path, "is larger than a megabyte") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError(path, "is not UTF-8")
    }
    return text
  }

  /// Makes a file that must not be there yet; throws ``SystemError``.
  static func create(_ text: String, at path: String, mode: mode_t) throws {
    try write(text, at: path, mode: mode) { _ in }
  }

  /// Puts a new text in the place of a file's, at once or not at all: its mode and owner stay, a
  /// link stays a link. Throws ``SystemError``, and leaves the old text then.
  static func replace(_ text: String, at path: String) throws {
    guard let path = FilePath.real(path) else { throw SystemError("open", on: path) }
    var old = stat()
    guard stat(path, &old) == 0 else { throw SystemError("stat", on: path) }
    // Who may not write the file may still write its directory: a rename would go round that.
    guard access(path, W_OK) == 0 else { throw SystemError("write", on: path) }
    let temporary = path + ".\(getpid()).new"
    do {
      try write(text, at: temporary, mode: old.st_mode & 0o7777) { descriptor in
        let mine = old.st_uid == geteuid() && old.st_gid == getegid()
        guard mine || fchown(descriptor, old.st_uid, old.st_gid) == 0 else {
          throw SystemError("chown", on: temporary)
        }
      }
      guard rename(temporary, path) == 0 else { throw SystemError("rename", on: path) }
    } catch {
      unlink(temporary)
      throw error
    }
    try synchronize(FilePath.directory(of: path))
  }

  private static func write(
    _ text: String, at path: String, mode: mode_t, _ prepare: (Int32) throws -> Void
  ) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError("create", on: path) }
    defer { close(descriptor) }
    try prepare(descriptor)
    guard fchmod(descriptor, mode) == 0 else { throw SystemError("chmod", on: path) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write", on: path) }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw SystemError("fsync", on: path) }
  }

  /// Without it, a power cut could bring the old name back.
  private static func synchronize(_ directory: String) throws {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open", on: directory) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw SystemError("fsync", on: directory) }
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
