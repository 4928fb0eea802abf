import Glibc
import PolyclinicCore
import PolyclinicServing
import PolyclinicSystem

/// Checks of nginx's port before the start, because nginx's own message about a port in use offers
/// no remedy.
extension Portal.Origin {
  /// The first port that every user may listen on (ip(7), `ip_unprivileged_port_start`).
  static var firstPortForAll: Int {
    do {
      let text = try TextFile.read("/proc/sys/net/ipv4/ip_unprivileged_port_start")
      return Int(text.filter(\.isNumber)) ?? 1_024
    } catch {
      return 1_024
    }
  }

  /// Throws ``FirstRunError`` if another program listens on the port, or this user may not.
  func requireFreePort() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw SystemError("open", on: "a socket") }
    defer { close(descriptor) }
    // nginx sets this option too, so that a connection that has just ended does not hold the port.
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    guard call(bind, descriptor) != 0 else { return }
    switch errno {
    case EADDRINUSE:
      throw FirstRunError(
        "Port \(port) is taken by another program. Stop it, or take another port: "
          + "make run PORT=\(port < 65_535 ? port + 1 : 8443)")
    case EACCES:
      throw FirstRunError(
        "This user may not listen on port \(port). Take one above 1023: make run PORT=8443")
    default:
      throw SystemError("listen on", on: "port \(port)")
    }
  }

  /// Calls `bind` or `connect` with the address that nginx listens on.
  fileprivate func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = isLocal ? in_addr_t(0x7f00_0001).bigEndian : 0
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

extension Configuration.Server {
  /// True if nginx accepts connections and the supervisor listens on its socket.
  var isAnswering: Bool {
    let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return origin.call(connect, descriptor) == 0 && isListening
  }

  /// Reads the kernel's list instead of connecting, because a connection without a request would
  /// occupy a worker. The flag is __SO_ACCEPTCON (proc_net_unix(5)); the name is the one that the
  /// socket was bound to.
  private var isListening: Bool {
    do {
      return try TextFile.read("/proc/net/unix").split(separator: "\n").contains {
        $0.hasSuffix(" " + Endpoint.draft(of: socket)) && $0.contains(" 00010000 ")
      }
    } catch {
      return false
    }
  }
}
