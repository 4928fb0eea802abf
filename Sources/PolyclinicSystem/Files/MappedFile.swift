import Glibc

/// A file mapped as memory that all processes of an installation share. It stays mapped until the
/// process ends, so that its memory needs no owner.
package struct MappedFile: @unchecked Sendable {
  package let memory: UnsafeMutableRawPointer
  package let size: Int
  /// Nil for memory of this process alone.
  package let descriptor: Int32?

  /// Returns zeroed memory for this process alone.
  package static func privately(_ size: Int) throws(SystemError) -> MappedFile {
    try MappedFile(nil, size)
  }

  /// Replaces the file with a new one, zeroed except for the bytes that `fill` writes.
  package static func make(
    _ path: String, size: Int, fill: (MappedFile) -> Void = { _ in }
  ) throws(SystemError) -> MappedFile {
    let draft = "\(path).new"
    let file = Glibc.open(draft, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard file >= 0 else { throw SystemError("create", on: draft) }
    // Allocates the disk space now. If the disk filled up later, the first write to a page would
    // end the process (SIGBUS).
    let code = posix_fallocate(file, 0, size)
    guard code == 0 else {
      close(file)
      unlink(draft)
      throw SystemError("posix_fallocate", code, on: draft)
    }
    let made = try MappedFile(file, size)
    fill(made)
    guard rename(draft, path) == 0 else { throw SystemError("rename", on: path) }
    return made
  }

  /// Opens a file that another process has made; returns nil if there is none.
  package static func open(_ path: String) throws(SystemError) -> MappedFile? {
    let file = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw SystemError("open", on: path)
    }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_size > 0 else {
      close(file)
      return nil
    }
    return try MappedFile(file, Int(status.st_size))
  }

  private init(_ file: Int32?, _ size: Int) throws(SystemError) {
    let kind = file == nil ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED
    guard
      let memory = mmap(nil, size, PROT_READ | PROT_WRITE, kind, file ?? -1, 0),
      memory != MAP_FAILED
    else { throw SystemError("mmap") }
    self.memory = memory
    self.size = size
    descriptor = file
  }
}
