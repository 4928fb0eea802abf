import Glibc

/// A pair of connected sockets (`socketpair`). Started programs do not inherit them
/// (`SOCK_CLOEXEC`). Closing one end gives the other an end of file.
package struct Channel: Sendable {
  /// The descriptor of the far end in a program that receives it.
  package static let inherited: Int32 = 3

  package let near: Int32
  package let far: Int32

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemError("socketpair") }
    (near, far) = (ends[0], ends[1])
  }

  package func closeNear() { close(near) }
  package func closeFar() { close(far) }

  /// Sends one byte from the far end to the near one.
  package func sendByte() {
    Self.send(1, to: far)
  }

  /// Waits at the near end for one byte or for the end of file.
  package func waitForByte() {
    _ = Self.receive(from: near)
  }

  /// Sends one byte. Ignores a peer that has closed its end, because the supervisor learns of its
  /// death by other means.
  package static func send(_ byte: UInt8, to end: Int32) {
    var byte = byte
    while Glibc.send(end, &byte, 1, Int32(MSG_NOSIGNAL)) < 0 && errno == EINTR {}
  }

  /// Sends one byte without waiting. The byte is lost if the peer does not read and the buffer is
  /// full.
  static func sendIfRoom(_ byte: UInt8, to end: Int32) {
    var byte = byte
    _ = Glibc.send(end, &byte, 1, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
  }

  /// Reads one byte; returns nil at the end of file.
  package static func receive(from end: Int32) -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = read(end, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      return count == 1 ? byte : nil
    }
  }
}
