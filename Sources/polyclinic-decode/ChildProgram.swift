import CSeccomp
import Glibc

/// A program of poppler that reads from a pipe and writes to another.
struct ChildProgram {
  let path: String
  let arguments: [String]
  let errors: Errors

  /// The destination of its standard error.
  enum Errors { case withOutput, dropped }

  struct Output {
    let status: Int32
    let bytes: [UInt8]
  }

  /// The running child, for the signal handler that ends it.
  nonisolated(unsafe) private static var running: pid_t = 0

  static func killRunning() {
    if running > 0 { kill(running, SIGKILL) }
  }

  /// Runs the program to its end. Throws ``Refusal/slow`` when it was killed for its time,
  /// ``Refusal/damaged`` when it crashes or writes more than the limit, ``Failure`` when it cannot
  /// be started.
  func run(reading input: [UInt8], atMost limit: Int) throws -> Output {
    let toChild = try Pipe()
    let fromChild = try Pipe()
    Self.running = try spawn(toChild, fromChild)
    try Self.bound()
    toChild.closeReading()
    toChild.neverBlockWriting()
    fromChild.closeWriting()
    let bytes = Self.exchange(input, toChild, fromChild, limit)
    if bytes == nil { Self.killRunning() }
    var status: Int32 = 0
    while waitpid(Self.running, &status, 0) < 0, errno == EINTR {}
    Self.running = 0
    let signal = status & 0x7F
    if signal == SIGXCPU || signal == SIGKILL, bytes != nil { throw Refusal.slow }
    guard let bytes, signal == 0 else { throw Refusal.damaged }
    return Output(status: status >> 8 & 0xFF, bytes: bytes)
  }

  private func spawn(_ toChild: Pipe, _ fromChild: Pipe) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild.reading, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, fromChild.writing, STDOUT_FILENO)
    if errors == .withOutput {
      posix_spawn_file_actions_adddup2(&actions, fromChild.writing, STDERR_FILENO)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var words = Self.words([path] + arguments)
    var environment = Self.words(["LC_ALL=C", "PATH=/usr/bin:/bin"])
    defer { for word in words + environment { free(word) } }
    var child: pid_t = 0
    guard posix_spawn(&child, path, &actions, &attributes, &words, &environment) == 0 else {
      throw Failure()
    }
    return child
  }

  /// Bounds the child further, before it gets a byte of the input: a page of a certificate takes it
  /// a quarter of a second.
  private static func bound() throws(Failure) {
    guard limit_process(running, Int32(RLIMIT_AS.rawValue), 104 << 20) == 0,
      limit_process(running, Int32(RLIMIT_CPU.rawValue), 2) == 0
    else { throw Failure() }
  }

  private static func words(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  /// Writes the input and reads the output at once, so that neither side waits for the other.
  /// Returns nil when there is more than the limit.
  private static func exchange(
    _ input: [UInt8], _ toChild: Pipe, _ fromChild: Pipe, _ limit: Int
  ) -> [UInt8]? {
    var written = 0
    var output: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { chunk.deallocate() }
    while true {
      var ends = [
        pollfd(fd: fromChild.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: toChild.writing, events: Int16(POLLOUT), revents: 0),
      ]
      poll(&ends, written < input.count ? 2 : 1, -1)
      if ends[0].revents != 0 {
        let count = read(fromChild.reading, chunk.baseAddress, chunk.count)
        if count <= 0 { return output }
        output += chunk.prefix(count)
        if output.count > limit { return nil }
      }
      if ends[1].revents != 0 {
        let count = input[written...].withUnsafeBytes {
          write(toChild.writing, $0.baseAddress, $0.count)
        }
        if count >= 0 {
          written += count
        } else if errno != EAGAIN, errno != EINTR {
          // The child reads no further: it has seen enough.
          written = input.count
        }
        if written == input.count { toChild.closeWriting() }
      }
    }
  }
}

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
