import Glibc

/// A file as memory that all processes of an installation share; it stays mapped until the process
/// ends, so that whoever uses it need not hold it.
struct MappedFile: @unchecked Sendable {
  let memory: UnsafeMutableRawPointer
  let size: Int
  /// Nil for memory of this process alone.
  let descriptor: Int32?

  /// Memory of this process alone, all zero.
  static func privately(_ size: Int) throws(SystemError) -> MappedFile {
    try MappedFile(nil, size)
  }

  /// Begins a new file, all zero but for what `fill` writes, in the place of an old one.
  static func make(
    _ path: String, size: Int, fill: (MappedFile) -> Void = { _ in }
  ) throws(SystemError) -> MappedFile {
    let draft = "\(path).new"
    let file = Glibc.open(draft, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard file >= 0 else { throw SystemError("create", on: draft) }
    // The room is taken now: on a disk that is full later, a first touch would end the process (SIGBUS).
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

  /// A file that another process has made; nil when there is none.
  static func open(_ path: String) throws(SystemError) -> MappedFile? {
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
