import CFastCGI
import Glibc
import PolyclinicCore
import PolyclinicSystem

/// The FastCGI library's request of one thread, which takes one connection after another.
///
/// The library reads requests. It neither waits for connections, because it would do so without a
/// timeout, nor sends responses, because it would copy them into short records.
final class AcceptedRequest {
  let request = UnsafeMutablePointer<FCGX_Request>.allocate(capacity: 1)
  /// Collects the response and sends it in pieces.
  private(set) lazy var answer = makeAnswer()
  private let connections: Connections
  /// The number of kept connections since the last attempt to accept a new one.
  private var keptInRow = 0
  /// The time by which the whole response must be sent, as ``Uptime`` in milliseconds.
  private var deadline = Int64.max
  /// The records that follow the last byte of the response; empty before that, and when sent.
  private var ending: [UInt8] = []

  /// The number of requests on kept connections after which a thread tries to accept a new
  /// connection, so that many kept connections cannot delay new ones.
  private static let turn = 4
  /// The time to wait for the next bytes of a request, in milliseconds. nginx sends a request only
  /// when it has received all of it, so a slower peer is not nginx.
  private static let readingTimeout = 2_000

  init(from connections: Connections) {
    self.connections = connections
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
    /// No connection: another thread took it, or the wait timed out so that the thread can check
    /// for shutdown.
    case nothing
    /// The error code of a failed accept.
    case failure(Int32)
  }

  /// Waits for the next connection, new or kept, until a timeout.
  func wait() -> Outcome {
    if keptInRow >= Self.turn, case .connection = accept() { return .connection }
    guard let connection = connections.wait() else { return accept() }
    keptInRow += 1
    request.pointee.ipcFd = connection
    return .connection
  }

  private func accept() -> Outcome {
    keptInRow = 0
    let connection = connections.accept()
    guard connection >= 0 else { return Self.passes(errno) ? .nothing : .failure(errno) }
    request.pointee.ipcFd = connection
    var limit = timeval(tv_sec: Self.readingTimeout / 1_000, tv_usec: 0)
    setsockopt(
      connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    return .connection
  }

  private static func passes(_ code: Int32) -> Bool {
    code == EAGAIN || code == EINTR || code == ECONNABORTED
  }

  /// Reads the head of a request, whose response must be sent by `deadline`. Returns false and
  /// closes the connection if there is none.
  func read(deadline: Int64) -> Bool {
    self.deadline = deadline
    ending = []
    answer.discard()
    // Otherwise the library considers the connection finished, and closes it.
    request.pointee.keepConnection = 1
    // Without a request there is no response that could be lost by closing at once.
    FCGX_Detach(request)
    return FCGX_Accept_r(request) == 0
  }

  /// Sends the rest of the response. Keeps the connection for the next request if `mayKeep`, the
  /// web server wants it and has sent nothing else; otherwise closes it. Throws
  /// ``DeliveryFailure``.
  func finish(mayKeep: Bool) throws {
    ending = FastCGIRecord.ending(of: request.pointee.requestId)
    try answer.flush()
    try ending.withUnsafeBytes { try sender.send([$0]) }
    let isRead = isReadToTheEnd
    if mayKeep, isRead, request.pointee.keepConnection != 0, keep() { return }
    // On TCP, or with unread input, closing immediately could lose a response that is still in
    // transit. For those the library waits until the peer has closed, for at most two seconds.
    _ = connections.isLocal && isRead ? FCGX_Detach(request) : FCGX_Attach(request)
    FCGX_Free(request, 1)
  }

  private func keep() -> Bool {
    let connection = request.pointee.ipcFd
    // Frees all but the connection, before another thread may get it.
    FCGX_Free(request, 0)
    request.pointee.ipcFd = -1
    if connections.keep(connection) { return true }
    request.pointee.ipcFd = connection
    return false
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

  /// Sends a piece as records, each by one call. The last record takes the ending along.
  private func send(_ piece: [UInt8]) throws {
    for start in stride(from: 0, to: piece.count, by: FastCGIRecord.longest) {
      let end = min(start + FastCGIRecord.longest, piece.count)
      try transmit(piece[start..<end], isLast: end == piece.count)
    }
  }

  private func transmit(_ content: ArraySlice<UInt8>, isLast: Bool) throws {
    let head = FastCGIRecord(
      kind: .output, length: content.count, request: request.pointee.requestId
    ).head
    let end = isLast ? ending : []
    try head.withUnsafeBytes { head in
      try content.withUnsafeBytes { content in
        try end.withUnsafeBytes { try sender.send([head, content, $0]) }
      }
    }
    if isLast { ending = [] }
  }

  private var sender: TimedSender {
    TimedSender(connection: request.pointee.ipcFd, deadline: deadline)
  }

  private var isReadToTheEnd: Bool {
    let input = request.pointee.in
    return FCGX_GetChar(input) == EOF && FCGX_GetError(input) == 0
  }
}
