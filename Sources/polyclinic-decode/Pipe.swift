import Glibc

/// The two ends of a pipe to or from a child, neither of which the child inherits as it is.
final class Pipe {
  private(set) var reading: Int32
  private(set) var writing: Int32

  init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure() }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    closeReading()
    closeWriting()
  }

  /// Makes writing return at once when the pipe is full.
  func neverBlockWriting() { _ = fcntl(writing, F_SETFL, O_NONBLOCK) }

  func closeReading() { Self.close(&reading) }
  func closeWriting() { Self.close(&writing) }

  private static func close(_ end: inout Int32) {
    if end >= 0 { Glibc.close(end) }
    end = -1
  }
}
