import Glibc

/// The number of connections of the web server that wait at a listening Unix socket for a thread.
/// The kernel counts them (sock_diag(7), linux/unix_diag.h), and `ss -xl` shows them.
package struct WaitingConnections {
  package let count: Int
  /// The length of the socket's queue.
  package let limit: Int

  /// `SOCK_DIAG_BY_FAMILY`.
  private static let ask: UInt16 = 20
  /// `NLM_F_REQUEST`.
  private static let isRequest: UInt16 = 1
  /// `UDIAG_SHOW_RQLEN`, and the attribute in the response, `UNIX_DIAG_RQLEN`.
  private static let show: UInt32 = 0x10
  private static let queue: UInt16 = 4
  /// The lengths of a netlink header, of a request and of a response, in bytes.
  private static let headerLength = 16
  private static let requestLength = 24
  private static let answerLength = 16

  /// Returns nil for another kind of socket, or if the kernel does not answer.
  package init?(at listener: Int32) {
    var status = stat()
    guard fstat(listener, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
    let channel = socket(AF_NETLINK, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 4)
    guard channel >= 0 else { return nil }
    defer { close(channel) }
    let question = Self.question(UInt32(truncatingIfNeeded: status.st_ino))
    guard send(channel, question, question.count, 0) == question.count else { return nil }
    var answer = [UInt8](repeating: 0, count: 1_024)
    let count = recv(channel, &answer, answer.count, Int32(MSG_DONTWAIT))
    guard count > 0, let lengths = Self.lengths(in: answer.prefix(count)) else { return nil }
    (self.count, limit) = (Int(lengths.count), Int(lengths.limit))
  }

  private static func question(_ inode: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    func append<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }
    append(UInt32(headerLength + requestLength))
    append(ask)
    append(isRequest)
    append(UInt64(0))
    // The family, no protocol, and padding.
    for byte in [UInt8(AF_UNIX), 0, 0, 0] { append(byte) }
    // All states, and a socket without its cookie.
    append(UInt32.max)
    append(inode)
    append(show)
    append(UInt64.max)
    return bytes
  }

  private static func lengths(in answer: ArraySlice<UInt8>) -> (count: UInt32, limit: UInt32)? {
    func number<Number: FixedWidthInteger>(at place: Int, as _: Number.Type) -> Number {
      answer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
    }
    guard answer.count >= headerLength + answerLength,
      number(at: 4, as: UInt16.self) == ask
    else { return nil }
    var place = headerLength + answerLength
    while place + 4 <= answer.count {
      let size = Int(number(at: place, as: UInt16.self))
      if number(at: place + 2, as: UInt16.self) == queue, size >= 12, place + 12 <= answer.count {
        return (number(at: place + 4, as: UInt32.self), number(at: place + 8, as: UInt32.self))
      }
      // Attributes are aligned to four bytes.
      place += max(4, (size + 3) & ~3)
    }
    return nil
  }
}
