import Glibc
import PolyclinicSystem

/// The socket through which the web server reaches the workers. Only its owner and group may open
/// it, because FastCGI neither encrypts nor authenticates.
package struct Endpoint: Equatable, CustomStringConvertible {
  package let path: String

  package var description: String { path }

  package init(path: String) {
    self.path = path
  }

  /// Returns a listening socket. `backlog` is the number of connections that may wait to be
  /// accepted; the kernel refuses further ones at once.
  ///
  /// Call it only while holding the ``PidFile``, because it assumes that an existing socket file
  /// belongs to a dead supervisor. The new socket is renamed over the old file when it already
  /// listens, so that every client connects to one of the two.
  package func listen(backlog: Int) throws -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
    do {
      let draft = Self.draft(of: path)
      try Self.bind(descriptor, path: path, draft: draft)
      guard Glibc.listen(descriptor, Int32(backlog)) == 0, rename(draft, path) == 0 else {
        throw SystemError("listen", on: path)
      }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Removes the socket file, so that new connections are refused at once.
  package func remove() { unlink(path) }

  /// The path to which a socket is bound before it is renamed. The kernel's lists keep showing this
  /// path.
  package static func draft(of path: String) -> String { path + ".new" }

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
    // Linux gives the file the socket's own mode, less the umask. So the file is never open to all
    // users, not even between bind and chmod.
    guard fchmod(descriptor, 0o660) == 0 else { throw SystemError("fchmod", on: path) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw SystemError("bind", on: path) }
    guard chmod(draft, 0o660) == 0 else { throw SystemError("chmod", on: path) }
  }

  private static func requireSocketOrNothing(_ path: String) throws {
    var file = stat()
    guard lstat(path, &file) != 0 || file.st_mode & S_IFMT == S_IFSOCK else {
      throw Misuse("\(path) is not a socket: move it away, or choose another path")
    }
  }
}
