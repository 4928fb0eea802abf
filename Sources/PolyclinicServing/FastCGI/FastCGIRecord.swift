import Glibc
import PolyclinicSystem

/// The head of a record of a response (FastCGI Specification 1.0, section 3).
struct FastCGIRecord {
  /// The kind by its number in the specification.
  enum Kind: UInt8 {
    case endOfRequest = 3
    case output = 6
  }

  let kind: Kind
  /// The number of bytes that follow.
  let length: Int
  let request: Int32

  /// The longest content of a record: the largest multiple of eight, because records without
  /// padding are aligned to eight bytes.
  static let longest = 65_528

  /// Returns the end of a response: an empty FCGI_STDOUT, and FCGI_END_REQUEST with the status 0.
  static func ending(of request: Int32) -> [UInt8] {
    FastCGIRecord(kind: .output, length: 0, request: request).head
      + FastCGIRecord(kind: .endOfRequest, length: 8, request: request).head
      + [UInt8](repeating: 0, count: 8)
  }

  var head: [UInt8] {
    [
      1, kind.rawValue, UInt8(request >> 8 & 0xff), UInt8(request & 0xff), UInt8(length >> 8),
      UInt8(length & 0xff), 0, 0,
    ]
  }
}

/// Sends bytes to a connection until a deadline.
struct TimedSender {
  let connection: Int32
  /// ``Uptime`` in milliseconds.
  let deadline: Int64

  /// The longest time without room in the send buffer, in milliseconds. nginx reads a response
  /// immediately, unless its client does not read one that exceeds nginx's buffers.
  private static let longestWait: Int64 = 5_000

  /// Sends the parts one after the other, by one call if the send buffer has room for them. Throws
  /// ``DeliveryFailure``.
  func send(_ parts: [UnsafeRawBufferPointer]) throws {
    var parts = parts.filter { !$0.isEmpty }.map {
      iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
    }[...]
    while !parts.isEmpty {
      let sent = parts.withUnsafeMutableBufferPointer { parts in
        var message = msghdr()
        message.msg_iov = parts.baseAddress
        message.msg_iovlen = parts.count
        return sendmsg(connection, &message, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      }
      if sent >= 0 { Self.drop(sent, from: &parts) } else { try waitForRoom(after: errno) }
    }
  }

  /// Drops bytes from the front of the parts.
  private static func drop(_ count: Int, from parts: inout ArraySlice<iovec>) {
    var count = count
    while let first = parts.first, count >= first.iov_len {
      count -= first.iov_len
      parts.removeFirst()
    }
    guard count > 0, let base = parts.first?.iov_base else { return }
    parts[parts.startIndex].iov_base = base + count
    parts[parts.startIndex].iov_len -= count
  }

  private func waitForRoom(after code: Int32) throws {
    guard code == EAGAIN || code == EINTR else { throw DeliveryFailure.left }
    let left = min(deadline - Uptime.milliseconds, Self.longestWait)
    var room = pollfd(fd: connection, events: Int16(POLLOUT), revents: 0)
    guard left > 0, poll(&room, 1, Int32(left)) != 0 else { throw DeliveryFailure.slow }
  }
}

/// The reason why a response did not reach the web server completely.
package enum DeliveryFailure: String, Error {
  /// The peer closed the connection.
  case left
  /// The peer read nothing within the timeout, or not everything before the deadline.
  case slow
}
