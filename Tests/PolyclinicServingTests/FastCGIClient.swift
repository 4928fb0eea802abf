import Glibc

@testable import PolyclinicSystem

/// A web server's side of FastCGI (FastCGI Specification 1.0, section 3), for tests.
struct FastCGIClient {
  private let descriptor: Int32

  /// Connects to `path`. With `SOCK_NONBLOCK` a full backlog is an error at once, as for nginx.
  init(path: String, flags: Int32 = 0) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | flags, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard result == 0 else { throw SystemError("connect", on: path) }
    // The receive timeout makes a hanging test fail.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Sends a request. With `keeping` it asks the responder to keep the connection.
  func send(_ parameters: [(String, [UInt8])], body: [UInt8] = [], keeping: Bool = false) {
    var bytes = Self.record(1, [0, 1, keeping ? 1 : 0, 0, 0, 0, 0, 0])
    let pairs = parameters.flatMap { name, value in
      Self.length(name.utf8.count) + Self.length(value.count) + Array(name.utf8) + value
    }
    bytes += Self.record(4, pairs) + Self.record(4, [])
    if !body.isEmpty { bytes += Self.record(5, body) }
    bytes += Self.record(5, [])
    sendRaw(bytes)
  }

  func sendRaw(_ bytes: [UInt8]) {
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  func close() {
    Glibc.close(descriptor)
  }

  /// Returns the standard output up to the end of the connection, and closes the socket.
  func receive() -> String {
    defer { close() }
    return receiveAll()
  }

  /// Sends a GET that asks the responder to keep the connection, and returns the answer; nil if the
  /// connection ends before it.
  func get(_ parameters: [(String, [UInt8])] = [], method: String = "GET") -> String? {
    send(parameters + [("REQUEST_METHOD", Array(method.utf8))], keeping: true)
    return receiveKept()
  }

  /// Returns the standard output up to the end of an answer; nil if the connection ends before it.
  func receiveKept() -> String? {
    var output: [UInt8] = []
    while let head = read(8) {
      guard let content = read(Int(head[4]) << 8 | Int(head[5])), read(Int(head[6])) != nil else {
        return nil
      }
      if head[1] == 6 { output += content }
      if head[1] == 3 { return String(decoding: output, as: UTF8.self) }
    }
    return nil
  }

  /// Returns so many bytes; nil if the connection ends before them.
  private func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let received = count == 0 ? 0 : recv(descriptor, &bytes, count, Int32(MSG_WAITALL))
    return received == count ? bytes : nil
  }

  /// True if the server has closed its end of the connection.
  var isAlone: Bool {
    Glibc.send(descriptor, [0], 1, Int32(MSG_NOSIGNAL)) < 0 && errno == EPIPE
  }

  /// Returns the standard output up to the end of the connection.
  func receiveAll() -> String { receiveAnswer().output }

  /// Returns the standard output, and true if an end-of-request record came.
  func receiveAnswer() -> (output: String, isEnded: Bool) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    var output: [UInt8] = []
    var isEnded = false
    var rest = bytes[...]
    while rest.count >= 8 {
      let head = Array(rest.prefix(8))
      let length = Int(head[4]) << 8 | Int(head[5])
      if head[1] == 6 { output += rest.dropFirst(8).prefix(length) }
      if head[1] == 3 { isEnded = true }
      rest = rest.dropFirst(8 + length + Int(head[6]))
    }
    return (String(decoding: output, as: UTF8.self), isEnded)
  }

  private static func record(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
    [1, type, 0, 1, UInt8(content.count >> 8), UInt8(content.count & 0xff), 0, 0] + content
  }

  private static func length(_ count: Int) -> [UInt8] {
    count < 128
      ? [UInt8(count)]
      : [UInt8(count >> 24) | 0x80]
        + [16, 8, 0].map { UInt8(count >> $0 & 0xff) }
  }
}
