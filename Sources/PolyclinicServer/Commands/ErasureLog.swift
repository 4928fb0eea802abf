import Glibc

/// The erasure ids of all people who were erased, in a file beside the backups: one a line, in
/// hexadecimal digits. A restored backup forgets those people too.
struct ErasureLog {
  static let name = "erasures.log"

  /// The directory of the backups.
  let directory: String

  private var path: String { directory + "/" + Self.name }

  /// Appends those ids that are not in the file, and returns when they are on the disk.
  ///
  /// Throws ``SystemError``. The same ids may be given again: what an earlier call failed to write is
  /// made good then.
  func append(_ ids: [[UInt8]]) throws {
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
      throw SystemError("mkdir", on: directory)
    }
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError("open", on: path) }
    defer { close(descriptor) }
    try giveAway(descriptor)
    let text = try contents(of: descriptor)
    let known = Set(text.split(separator: UInt8(ascii: "\n")).map(Array.init))
    let missing = ids.map { Array($0.hexadecimalText.utf8) }.filter { !known.contains($0) }
    if !missing.isEmpty {
      // A line that was cut off by a full disk or a power cut must not run into the next.
      let isCut = text.last.map { $0 != UInt8(ascii: "\n") } ?? false
      let lines = missing.flatMap { $0 + [UInt8(ascii: "\n")] }
      try write((isCut ? [UInt8(ascii: "\n")] : []) + lines, to: descriptor)
    }
    guard fsync(descriptor) == 0 else { throw SystemError("fsync", on: path) }
    try synchronizeDirectory()
  }

  /// What root makes belongs to the owner of the directory: the portal must be able to append to it.
  private func giveAway(_ descriptor: Int32) throws {
    var owner = stat()
    guard geteuid() == 0 else { return }
    guard stat(directory, &owner) == 0 else { throw SystemError("stat", on: directory) }
    guard fchown(descriptor, owner.st_uid, owner.st_gid) == 0 else {
      throw SystemError("chown", on: path)
    }
  }

  private func contents(of descriptor: Int32) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read", on: path) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write", on: path) }
      rest = rest.dropFirst(count)
    }
  }

  /// Without it, a power cut could take a new file's name away.
  private func synchronizeDirectory() throws {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open", on: directory) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw SystemError("fsync", on: directory) }
  }
}
