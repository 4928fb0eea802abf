import Glibc
import PolyclinicCore

/// Small files that are read and replaced whole.
enum TextFile {
  /// A megabyte: no configuration is larger.
  private static let limit = 1_048_576

  /// Returns the file's text; throws ``ConfigurationError`` if it is missing, too large, not UTF-8, or
  /// refused by ``IncomingText``.
  static func read(_ path: String) throws -> String {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try OpenFile(path, O_RDONLY).read(atMost: limit)
    } catch {
      let remedy =
        error.code == ENOENT ? "; name it with --config, or let \"make run\" make one" : ""
      throw ConfigurationError(
        path, "cannot be read: \(String(cString: strerror(error.code)))\(remedy)")
    }
    guard bytes.count <= limit else { throw ConfigurationError(path, "is larger than a megabyte") }
    let incoming = IncomingText(bytes)
    guard let text = incoming.text else {
      throw ConfigurationError(
        path,
        incoming.fault == .encoding
          ? "is not UTF-8" : "has more than \(IncomingText.longestRun) combining marks in a row")
    }
    return text
  }

  /// Makes a file that must not be there yet; throws ``SystemError``.
  static func create(_ text: String, at path: String, mode: mode_t) throws {
    try write(text, at: path, mode: mode, owner: nil)
  }

  /// Runs `body`, which reads the file and replaces it, while nobody else does so: of two changes at
  /// once neither is lost. Throws ``SystemError`` when others take seconds.
  static func change<Outcome>(_ path: String, _ body: () throws -> Outcome) throws -> Outcome {
    // Where there is nothing, `body` finds so itself.
    guard let real = FilePath.real(path) else { return try body() }
    // The directory stays while the file in it is replaced.
    return try OpenFile(FilePath.directory(of: real), O_RDONLY | O_DIRECTORY).whileLocked(body)
  }

  /// Puts a new text in the place of a file's, at once or not at all: its mode and owner stay, a
  /// link stays a link. Throws ``SystemError``, and leaves the old text then.
  static func replace(_ text: String, at path: String) throws {
    guard let path = FilePath.real(path) else { throw SystemError("open", on: path) }
    var old = stat()
    guard stat(path, &old) == 0 else { throw SystemError("stat", on: path) }
    // Those who may not write the file may still write its directory: a rename would go round that.
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
