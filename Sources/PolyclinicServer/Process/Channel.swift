import Glibc

/// Two connected ends, closed in programs that are started; what one end closes the other reads as
/// the end.
struct Channel: Sendable {
  let near: Int32
  let far: Int32

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemError("socketpair") }
    (near, far) = (ends[0], ends[1])
  }

  func closeNear() { close(near) }
  func closeFar() { close(far) }

  /// Sends one byte from the far end to the near one.
  func sendByte() {
    Self.send(1, to: far)
  }

  /// Waits at the near end for one byte or for the end.
  func waitForByte() {
    _ = Self.receive(from: near)
  }

  /// A peer that is gone gets nothing: whoever watches it learns that elsewhere.
  static func send(_ byte: UInt8, to end: Int32) {
    var byte = byte
    while Glibc.send(end, &byte, 1, Int32(MSG_NOSIGNAL)) < 0 && errno == EINTR {}
  }

  /// Sends a byte that may get lost: a peer that does not read gets no more than fits.
  static func sendIfRoom(_ byte: UInt8, to end: Int32) {
    var byte = byte
    _ = Glibc.send(end, &byte, 1, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
  }

  /// One byte; nil at the end.
  static func receive(from end: Int32) -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = read(end, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      return count == 1 ? byte : nil
    }
  }
}
