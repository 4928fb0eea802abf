import CFastCGI
import Glibc

/// The library's request of one thread, which takes one connection after another from a socket.
///
/// Connections are accepted here, since the library would wait at them without a limit.
final class AcceptedRequest {
  let request = UnsafeMutablePointer<FCGX_Request>.allocate(capacity: 1)
  private let socket: Int32

  /// How many seconds a connection may keep a thread waiting for its next bytes, and for room for ours.
  /// nginx sends a request only when it has it whole, and takes an answer as fast as it comes, so whoever
  /// is slower is not nginx, or its client does not read an answer larger than nginx keeps.
  private static let patience = (reading: 2, writing: 5)
  /// So many bytes never wait for room: a quarter of what the kernel keeps for a connection, since it
  /// counts what it needs for itself, up to as much again.
  private let neverWaits: Int
  private let isLocal: Bool

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
    /// A connection, from which ``read()`` takes the request.
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

  /// Reads the head of a request; closes the connection, and returns false, where there is none.
  func read() -> Bool {
    wait(atMost: Self.patience.reading, for: SO_RCVTIMEO)
    // Else the library takes it for one that is done with, and closes it.
    request.pointee.keepConnection = 1
    return FCGX_Accept_r(request) == 0
  }

  /// Sends the answer, and closes the connection: one that is kept open would hold this thread and let
  /// other clients wait.
  func finish(with answer: [UInt8]) {
    if answer.count > neverWaits { wait(atMost: Self.patience.writing, for: SO_SNDTIMEO) }
    answer.withUnsafeBytes { bytes in
      _ = FCGX_PutStr(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count),
        request.pointee.out)
    }
    request.pointee.keepConnection = 0
    FCGX_FClose(request.pointee.err)
    FCGX_FClose(request.pointee.out)
    // Where something was not read, and by TCP, an answer that is on its way could be lost: there the
    // library waits until the other end has closed, at most two seconds.
    _ = isLocal && isReadToTheEnd ? FCGX_Detach(request) : FCGX_Attach(request)
    FCGX_Finish_r(request)
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

  private func wait(atMost seconds: Int, for option: Int32) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      request.pointee.ipcFd, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
  }
}
