import Glibc

/// Where the web server reaches the workers.
enum Endpoint: Equatable, CustomStringConvertible {
  case unix(path: String)
  /// Loopback only: FastCGI neither encrypts nor asks who is there.
  case tcp(port: UInt16)

  /// Reads `unix:PATH` or `127.0.0.1:PORT` (`localhost:PORT`); a relative path belongs to the
  /// directory. Throws ``Misuse`` with the remedy for anything else.
  init(_ text: String, relativeTo directory: String) throws {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard !path.isEmpty else { throw Misuse("\"\(text)\" lacks the path after \"unix:\"") }
      self = .unix(path: path.hasPrefix("/") ? path : "\(directory)/\(path)")
      return
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let port = UInt16(parts[1]), port > 0 else {
      throw Misuse("\"\(text)\" is neither unix:PATH nor 127.0.0.1:PORT")
    }
    guard parts[0] == "127.0.0.1" || parts[0] == "localhost" else {
      throw Misuse(
        "\"\(parts[0])\" is not this machine: FastCGI is not encrypted, use 127.0.0.1 or unix:PATH")
    }
    self = .tcp(port: port)
  }

  var description: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .tcp(let port): "127.0.0.1:\(port)"
    }
  }

  /// A listening socket, with a queue for so many connections that nobody has taken yet: one more is
  /// refused at once.
  ///
  /// A socket file that is there already is taken for a dead supervisor's: call it only while holding
  /// the ``PidFile``. The new one takes its place when it listens already, so that whoever connects
  /// meets one of the two.
  func listen(backlog: Int) throws -> Int32 {
    let isUnix = if case .unix = self { true } else { false }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(isUnix ? AF_UNIX : AF_INET, kind, 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
    do {
      switch self {
      case .unix(let path): try Self.bind(descriptor, path: path, draft: Self.draft(of: path))
      case .tcp(let port): try Self.bind(descriptor, port: port)
      }
      guard Glibc.listen(descriptor, Int32(backlog)) == 0 else {
        throw SystemError("listen", on: "\(self)")
      }
      if case .unix(let path) = self, rename(Self.draft(of: path), path) != 0 {
        throw SystemError("rename", on: path)
      }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Removes the socket file, so that new connections are refused at once.
  func remove() {
    if case .unix(let path) = self { unlink(path) }
  }

  /// The name that a socket is bound to before it is moved into its place: the kernel's lists go on
  /// showing it.
  static func draft(of path: String) -> String { path + ".new" }

  private static func bind(_ descriptor: Int32, path: String, draft: String) throws {
    var address = sockaddr_un()
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard draft.utf8.count < capacity else {
      let limit = capacity - 1 - (draft.utf8.count - path.utf8.count)
      throw Misuse("the socket's path is longer than \(limit) bytes: \(path)")
    }
    for path in [path, draft] { try requireSocketOrNothing(path) }
    guard unlink(draft) == 0 || errno == ENOENT else { throw SystemError("unlink", on: draft) }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: draft.utf8) }
    // Linux gives the file the socket's own mode, less the umask: never open to all, not even
    // between bind and chmod.
    guard fchmod(descriptor, 0o660) == 0 else { throw SystemError("fchmod", on: path) }
    try bind(descriptor, &address, on: path)
    guard chmod(draft, 0o660) == 0 else { throw SystemError("chmod", on: path) }
  }

  private static func requireSocketOrNothing(_ path: String) throws {
    var file = stat()
    guard lstat(path, &file) != 0 || file.st_mode & S_IFMT == S_IFSOCK else {
      throw Misuse("\(path) is not a socket: move it away, or choose another path")
    }
  }

  private static func bind(_ descriptor: Int32, port: UInt16) throws {
    var yes: Int32 = 1
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    try bind(descriptor, &address, on: "127.0.0.1:\(port)")
  }

  private static func bind<Address>(
    _ descriptor: Int32, _ address: inout Address, on subject: String
  ) throws {
    let size = socklen_t(MemoryLayout<Address>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, size) }
    }
    guard result == 0 else { throw SystemError("bind", on: subject) }
  }
}
