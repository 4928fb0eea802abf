import Glibc
import PolyclinicSystem

/// A request for `/healthz` through the workers' socket, sent as nginx would send it (FastCGI
/// Specification 1.0, section 3).
struct HealthProbe: Sendable {
  /// The path of the workers' socket.
  let socket: String
  /// The portal's own host and port, because a worker refuses any other.
  let host: String
  /// The longest time that a visitor may wait. The worker refuses a request that waits longer.
  var timeout = Duration.seconds(5)

  private enum Kind: UInt8 {
    case begin = 1
    case parameters = 4
    case input = 5
    case output = 6
  }

  private static let headLength = 8

  /// True if a worker answers in time and without a server error (5xx).
  func isAnswered() -> Bool {
    let start = SuspendingClock.now
    do throws(SystemError) {
      let connection = try connect()
      defer { close(connection) }
      let bytes = request
      guard send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
        return false
      }
      let answer = Self.receive(from: connection)
      return answer.starts(with: "Status: ".utf8) && !answer.starts(with: "Status: 5".utf8)
        && start.duration(to: .now) <= timeout
    } catch {
      return false
    }
  }

  private func connect() throws(SystemError) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
    // The timeout covers connecting as well, because `connect` waits while the queue is full
    // (unix(7)).
    let (seconds, attoseconds) = timeout.components
    var limit = timeval(
      tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
      setsockopt(
        descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) }
    }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      throw SystemError("connect", code, on: socket)
    }
    return descriptor
  }

  private var request: [UInt8] {
    let parameters = [
      ("REQUEST_METHOD", "GET"), ("REQUEST_URI", "/healthz"), ("HTTP_HOST", host),
      ("REMOTE_ADDR", "127.0.0.1"), ("SERVER_PROTOCOL", "HTTP/1.1"),
    ]
    let pairs = parameters.flatMap { name, value in
      Self.length(of: name) + Self.length(of: value) + Array(name.utf8) + Array(value.utf8)
    }
    // FCGI_BEGIN_REQUEST: the role of a responder, and no flags, so that the worker closes the
    // connection.
    return Self.record(.begin, [0, 1, 0, 0, 0, 0, 0, 0])
      + Self.record(.parameters, pairs) + Self.record(.parameters, [])
      + Self.record(.input, [])
  }

  /// Encodes a length: one byte below 128; otherwise four bytes, the first with its highest bit
  /// set.
  private static func length(of text: String) -> [UInt8] {
    let count = UInt32(text.utf8.count)
    if count < 128 { return [UInt8(count)] }
    return withUnsafeBytes(of: (count | 0x8000_0000).bigEndian, Array.init)
  }

  private static func record(_ kind: Kind, _ content: [UInt8]) -> [UInt8] {
    let length = UInt16(content.count)
    return [1, kind.rawValue, 0, 1, UInt8(length >> 8), UInt8(length & 0xff), 0, 0] + content
  }

  /// Returns the content of the first record, which holds the whole head of such a short response.
  private static func receive(from connection: Int32) -> ArraySlice<UInt8> {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < buffer.count {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    guard bytes.count > headLength, bytes[1] == Kind.output.rawValue else { return [] }
    return bytes[headLength...]
  }
}
