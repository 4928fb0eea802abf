import Glibc
import PolyclinicCore
import PolyclinicServing
import PolyclinicSystem

/// Checks nginx's port before the start, because nginx's own message about a port in use offers no
/// remedy.
enum PortCheck {
  /// The first port that every user may listen on (ip(7), `ip_unprivileged_port_start`).
  static var firstForAll: Int {
    do {
      let text = try TextFile.read("/proc/sys/net/ipv4/ip_unprivileged_port_start")
      return Int(text.filter(\.isNumber)) ?? 1_024
    } catch {
      return 1_024
    }
  }

  /// Throws ``FirstRunError`` if another program listens on the port, or this user may not.
  static func requireFree(_ origin: Portal.Origin) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw SystemError("open", on: "a socket") }
    defer { close(descriptor) }
    // nginx sets this option too, so that a connection that has just ended does not hold the port.
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    guard Self.call(bind, descriptor, origin) != 0 else { return }
    switch errno {
    case EADDRINUSE:
      throw FirstRunError(
        "Port \(origin.port) is taken by another program. Stop it, or take another port: "
          + "make run PORT=\(origin.port < 65_535 ? origin.port + 1 : 8443)")
    case EACCES:
      throw FirstRunError(
        "This user may not listen on port \(origin.port). Take one above 1023: make run PORT=8443")
    default:
      throw SystemError("listen on", on: "port \(origin.port)")
    }
  }

  /// Returns true if nginx accepts connections and the supervisor listens on its socket.
  static func answers(_ server: Configuration.Server) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return Self.call(connect, descriptor, server.origin) == 0 && isListening(server.socket)
  }

  /// Reads the kernel's list instead of connecting, because a connection without a request would
  /// occupy a worker. The flag is __SO_ACCEPTCON (proc_net_unix(5)); the name is the one that the
  /// socket was bound to.
  private static func isListening(_ path: String) -> Bool {
    do {
      return try TextFile.read("/proc/net/unix").split(separator: "\n").contains {
        $0.hasSuffix(" " + Endpoint.draft(of: path)) && $0.contains(" 00010000 ")
      }
    } catch {
      return false
    }
  }

  /// Calls `bind` or `connect` with the address that nginx listens on.
  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32,
    _ origin: Portal.Origin
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(origin.port).bigEndian
    address.sin_addr.s_addr = origin.isLocal ? in_addr_t(0x7f00_0001).bigEndian : 0
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
