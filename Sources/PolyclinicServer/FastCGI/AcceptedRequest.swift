import CFastCGI
import Glibc
import PolyclinicCore

/// The library's request of one thread, which takes one connection after another from a socket.
///
/// Connections are accepted here, since the library would wait at them without a limit.
final class AcceptedRequest {
  let request = UnsafeMutablePointer<FCGX_Request>.allocate(capacity: 1)
  /// Takes the answer to the request, and sends it in pieces.
  private(set) lazy var answer = makeAnswer()
  private let socket: Int32

  /// The milliseconds for which a connection may keep a thread waiting for its next bytes, and for room for
  /// ours. nginx sends a request only when it has it whole, and takes an answer as fast as it comes, so
  /// whoever is slower is not nginx, or its client does not read an answer larger than nginx keeps.
  private static let patience: (reading: Int64, writing: Int64) = (2_000, 5_000)
  /// So many bytes never wait for room: a quarter of what the kernel keeps for a connection, since it
  /// counts what it needs for itself, up to as much again.
  private let neverWaits: Int
  private let isLocal: Bool
  /// The bytes of this answer that were sent or are being sent.
  private var sent = 0
  /// The time by which all of the answer has to be sent, as ``Uptime`` in milliseconds.
  private var deadline = Int64.max
  /// The longest wait for room, as it was set for this connection; nil for one without end.
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

  /// What the socket had.
  enum Outcome {
    /// A connection, from which ``read(deadline:)`` takes the request.
    case connection
    /// Nothing for now: another thread was quicker, or it is time to look whether all is to end.
    case nothing
    /// The code of what kept a connection from being accepted.
    case failure(Int32)
  }

  /// Waits for the next connection, for a while.
  ///
  /// Of all threads and processes that wait, the kernel wakes one for each connection; with poll(2) it
  /// wakes all, and with epoll(7) each connection takes one more call.
  func wait() -> Outcome {
    let connection = accept4(socket, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
    guard connection >= 0 else { return Self.passes(errno) ? .nothing : .failure(errno) }
    request.pointee.ipcFd = connection
    return .connection
  }

  private static func passes(_ code: Int32) -> Bool {
    code == EAGAIN || code == EINTR || code == ECONNABORTED
  }

  /// Reads the head of a request, whose answer has to be sent by `deadline`; closes the connection, and
  /// returns false, where there is none.
  func read(deadline: Int64) -> Bool {
    self.deadline = deadline
    sent = 0
    longestWait = nil
    answer.discard()
    wait(atMost: Self.patience.reading, for: SO_RCVTIMEO)
    // Else the library takes it for one that is done with, and closes it.
    request.pointee.keepConnection = 1
    return FCGX_Accept_r(request) == 0
  }

  /// Sends the rest of the answer, and closes the connection: one that is kept open would hold this thread
  /// and let other clients wait. Throws ``Undelivered``.
  func finish() throws {
    try answer.flush()
    request.pointee.keepConnection = 0
    FCGX_FClose(request.pointee.err)
    FCGX_FClose(request.pointee.out)
    // Where something was not read, and by TCP, an answer that is on its way could be lost: there the
    // library waits until the other end has closed, at most two seconds.
    _ = isLocal && isReadToTheEnd ? FCGX_Detach(request) : FCGX_Attach(request)
    FCGX_Finish_r(request)
  }

  /// Closes the connection without the record that ends an answer (FCGI_END_REQUEST), by which the web
  /// server knows that the answer is not whole.
  func breakOff() {
    // The library would wait until the other end has closed.
    FCGX_Detach(request)
    FCGX_Free(request, 1)
  }

  /// Frees the memory that the next answer would be collected in.
  func giveMemoryBack() { answer = makeAnswer() }

  private func makeAnswer() -> ByteSink {
    ByteSink { [unowned self] in try send($0) }
  }

  /// Half of the library's buffer, so that a part waits for room once at most.
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
          throw FCGX_GetError(request.pointee.out) == EAGAIN ? Undelivered.slow : .left
        }
      }
    }
  }

  /// Waits for room no longer than is left until the deadline.
  private func limitWait() throws {
    let left = deadline - Uptime.milliseconds
    guard left > 0 else { throw Undelivered.slow }
    let limit = min(left, Self.patience.writing)
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

  /// Connections inherit it, or have the same default.
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

/// The reason why an answer did not get to the web server whole.
enum Undelivered: String, Error {
  /// The other end has closed the connection.
  case left
  /// The other end took nothing for too long, or not all of it within the time for the request.
  case slow
}
