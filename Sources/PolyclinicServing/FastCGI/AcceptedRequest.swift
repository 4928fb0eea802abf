import CFastCGI
import Glibc
import PolyclinicCore
import PolyclinicSystem

/// The FastCGI library's request of one thread, which accepts one connection after another.
///
/// It accepts connections itself, because the library would wait for them without a timeout.
final class AcceptedRequest {
  let request = UnsafeMutablePointer<FCGX_Request>.allocate(capacity: 1)
  /// Collects the response and sends it in pieces.
  private(set) lazy var answer = makeAnswer()
  private let socket: Int32

  /// The timeouts of a connection in milliseconds: for its next bytes, and for room in its send
  /// buffer.
  ///
  /// nginx sends a request only when it has received all of it, and reads a response immediately.
  /// So a slower peer is not nginx, or its client does not read a response that exceeds nginx's
  /// buffers.
  private static let timeouts: (reading: Int64, writing: Int64) = (2_000, 5_000)
  /// The number of bytes that can be sent without waiting: a quarter of the kernel's send buffer.
  /// The kernel counts its own overhead as well, up to as much again.
  private let neverWaits: Int
  private let isLocal: Bool
  /// The bytes of this response that were sent or are being sent.
  private var sent = 0
  /// The time by which the whole response must be sent, as ``Uptime`` in milliseconds.
  private var deadline = Int64.max
  /// The send timeout set for this connection, in milliseconds; nil if none is set.
  private var longestWait: Int64?

  init(from socket: Int32) {
    self.socket = socket
    neverWaits = Self.kept(for: socket) / 4
    isLocal = Self.isLocal(socket)
    request.initialize(to: FCGX_Request())
    FCGX_InitRequest(request, -1, 0)
  }

  deinit {
    FCGX_Free(request, 1)
    request.deallocate()
  }

  /// The result of waiting for a connection.
  enum Outcome {
    /// A connection, from which ``read(deadline:)`` reads the request.
    case connection
    /// No connection: another thread accepted it, or the wait timed out so that the thread can
    /// check for shutdown.
    case nothing
    /// The error code of a failed accept.
    case failure(Int32)
  }

  /// Waits for the next connection, until the socket's timeout.
  ///
  /// With a blocking accept the kernel wakes one waiting thread for each connection. poll(2) would
  /// wake all of them, and epoll(7) would take one more call for each connection.
  func wait() -> Outcome {
    let connection = accept4(socket, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
    guard connection >= 0 else { return Self.passes(errno) ? .nothing : .failure(errno) }
    request.pointee.ipcFd = connection
    return .connection
  }

  private static func passes(_ code: Int32) -> Bool {
    code == EAGAIN || code == EINTR || code == ECONNABORTED
  }

  /// Reads the head of a request, whose response must be sent by `deadline`. Returns false and
  /// closes the connection if there is none.
  func read(deadline: Int64) -> Bool {
    self.deadline = deadline
    sent = 0
    longestWait = nil
    answer.discard()
    wait(atMost: Self.timeouts.reading, for: SO_RCVTIMEO)
    // Otherwise the library considers the connection finished, and closes it.
    request.pointee.keepConnection = 1
    return FCGX_Accept_r(request) == 0
  }

  /// Sends the rest of the response and closes the connection. Throws ``DeliveryFailure``.
  ///
  /// A connection kept open would occupy this thread and delay other clients.
  func finish() throws {
    try answer.flush()
    request.pointee.keepConnection = 0
    FCGX_FClose(request.pointee.err)
    FCGX_FClose(request.pointee.out)
    // On TCP, or with unread input, closing immediately could lose a response that is still in
    // transit. For those the library waits until the peer has closed, for at most two seconds.
    _ = isLocal && isReadToTheEnd ? FCGX_Detach(request) : FCGX_Attach(request)
    FCGX_Finish_r(request)
  }

  /// Closes the connection without the final record (FCGI_END_REQUEST), so that the web server
  /// detects that the response is incomplete.
  func breakOff() {
    // Detached, because otherwise the library would wait until the peer has closed.
    FCGX_Detach(request)
    FCGX_Free(request, 1)
  }

  /// Frees the buffer of the next response.
  func giveMemoryBack() { answer = makeAnswer() }

  private func makeAnswer() -> ByteSink {
    ByteSink { [unowned self] in try send($0) }
  }

  /// Half of the library's buffer, so that each part waits at most once.
  private static let partSize = 4_096

  private func send(_ piece: [UInt8]) throws {
    sent += piece.count
    try piece.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: Self.partSize) {
        if sent > neverWaits { try limitWait() }
        let part = bytes[start..<min(start + Self.partSize, bytes.count)]
        let written = FCGX_PutStr(
          UnsafeRawBufferPointer(rebasing: part).bindMemory(to: CChar.self).baseAddress,
          Int32(part.count), request.pointee.out)
        guard written == part.count else {
          throw FCGX_GetError(request.pointee.out) == EAGAIN ? DeliveryFailure.slow : .left
        }
      }
    }
  }

  /// Sets the send timeout to the time left until the deadline, at most `timeouts.writing`.
  private func limitWait() throws {
    let left = deadline - Uptime.milliseconds
    guard left > 0 else { throw DeliveryFailure.slow }
    let limit = min(left, Self.timeouts.writing)
    if limit == longestWait { return }
    wait(atMost: limit, for: SO_SNDTIMEO)
    longestWait = limit
  }

  private var isReadToTheEnd: Bool {
    let input = request.pointee.in
    return FCGX_GetChar(input) == EOF && FCGX_GetError(input) == 0
  }

  private static func isLocal(_ socket: Int32) -> Bool {
    var family: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &size)
    return family == AF_UNIX
  }

  /// Returns the size of the socket's send buffer. Connections inherit it or have the same default.
  private static func kept(for socket: Int32) -> Int {
    var bytes: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, &size)
    return Int(bytes)
  }

  private func wait(atMost milliseconds: Int64, for option: Int32) {
    var limit = timeval(
      tv_sec: Int(milliseconds / 1_000), tv_usec: Int(milliseconds % 1_000 * 1_000))
    setsockopt(
      request.pointee.ipcFd, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
  }
}

/// The reason why a response did not reach the web server completely.
package enum DeliveryFailure: String, Error {
  /// The peer closed the connection.
  case left
  /// The peer read nothing within the timeout, or not everything before the deadline.
  case slow
}
