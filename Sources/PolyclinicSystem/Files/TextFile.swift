import Glibc
import PolyclinicCore

/// Small files that are read and replaced as a whole.
package enum TextFile {
  /// One megabyte, more than any configuration needs.
  private static let limit = 1_048_576

  /// Returns the file's text. Throws ``TextFileError`` if it cannot be read, is too large, or is
  /// refused by `IncomingText`.
  package static func read(_ path: String) throws(TextFileError) -> String {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try OpenFile.reading(path).read(atMost: limit)
    } catch { throw .unreadable(error) }
    guard bytes.count <= limit else { throw .tooLarge }
    let incoming = IncomingText(bytes)
    guard let text = incoming.text else {
      throw incoming.fault == .combiningMarks ? .tooManyMarks : .notUTF8
    }
    return text
  }

  /// Creates a file. Throws ``SystemError``, also if it exists.
  package static func create(_ text: String, at path: String, mode: mode_t) throws {
    try write(text, at: path, mode: mode, owner: nil)
  }

  /// Runs `body`, which reads and replaces the file, under a lock, so that concurrent changes are
  /// not lost. Throws ``SystemError`` if other processes hold the lock for seconds.
  package static func change<Outcome>(_ path: String, _ body: () throws -> Outcome) throws
    -> Outcome
  {
    // A missing file is an error that `body` reports itself.
    guard let real = FilePath.real(path) else { return try body() }
    // Locks the directory, because the file itself is replaced.
    return try OpenFile(FilePath.directory(of: real), O_RDONLY | O_DIRECTORY).whileLocked(body)
  }

  /// Replaces a file's text atomically. Keeps the mode, the owner and a link to the file. Throws
  /// ``SystemError``, and then keeps the old text.
  package static func replace(_ text: String, at path: String) throws {
    guard let path = FilePath.real(path) else { throw SystemError("open", on: path) }
    var old = stat()
    guard stat(path, &old) == 0 else { throw SystemError("stat", on: path) }
    // Checks the file's own rights, because a rename only needs those of the directory.
    guard access(path, W_OK) == 0 else { throw SystemError("write", on: path) }
    let temporary = "\(path).\([UInt8].random(8).hexadecimalText).new"
    do {
      try write(text, at: temporary, mode: old.st_mode & 0o7777, owner: old)
      guard rename(temporary, path) == 0 else { throw SystemError("rename", on: path) }
    } catch {
      unlink(temporary)
      throw error
    }
    try OpenFile.synchronize(directory: FilePath.directory(of: path))
  }

  private static func write(_ text: String, at path: String, mode: mode_t, owner: stat?) throws {
    let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    if let owner { try file.give(to: owner) }
    try file.permit(mode)
    try file.write(Array(text.utf8))
    try file.synchronize()
  }
}

/// The reason why a file has no text.
package enum TextFileError: Error, CustomStringConvertible {
  case unreadable(SystemError)
  case tooLarge
  case notUTF8
  case tooManyMarks

  package var description: String {
    switch self {
    case .unreadable(let error): "cannot be read: \(String(cString: strerror(error.code)))"
    case .tooLarge: "is larger than a megabyte"
    case .notUTF8: "is not UTF-8"
    case .tooManyMarks: "has more than \(IncomingText.longestRun) combining marks in a row"
    }
  }
}
