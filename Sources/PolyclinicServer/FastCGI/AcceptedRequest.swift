import CFastCGI
import Glibc

/// The library's request of one thread, which takes one connection after another from a socket.
///
/// Connections are accepted here, since the library would wait at them without a limit.
final class AcceptedRequest {
  let request = UnsafeMutablePointer<FCGX_Request>.allocate(capacity: 1)
  private let socket: Int32

  /// How long a connection may keep a thread waiting for its next bytes, and for room for ours. nginx
  /// sends a request only when it has it whole, and takes an answer as fast as it comes, so whoever is
  /// slower is not nginx, or its client does not read an answer larger than nginx keeps.
  private static let patience = [(SO_RCVTIMEO, 2), (SO_SNDTIMEO, 5)]

  init(from socket: Int32) {
    self.socket = socket
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
    let connection = accept(socket, nil, nil)
    guard connection >= 0 else { return Self.passes(errno) ? .nothing : .failure(errno) }
    request.pointee.ipcFd = connection
    return .connection
  }

  private static func passes(_ code: Int32) -> Bool {
    code == EAGAIN || code == EINTR || code == ECONNABORTED
  }

  /// Reads the head of a request; closes the connection, and returns false, where there is none.
  func read() -> Bool {
    let connection = request.pointee.ipcFd
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    for (option, seconds) in Self.patience {
      var limit = timeval(tv_sec: seconds, tv_usec: 0)
      setsockopt(connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    // Else the library takes it for one that is done with, and closes it.
    request.pointee.keepConnection = 1
    return FCGX_Accept_r(request) == 0
  }
}
