import CSeccomp
import Glibc

/// The bounds that the program sets for itself before it reads a byte; programs that it starts
/// inherit all of them.
enum Limits {
  /// The processor time of this program alone. Each program that it starts has a second of its own.
  private static let processorSeconds: UInt = 3
  /// The clock's limit is for a program that hangs: a busy machine may leave this one a tenth of a
  /// processor. It ends before the 30 seconds that a request has by default.
  private static let clockSeconds: UInt32 = 20

  static func apply() throws(Failure) {
    takeDefaultSignals()
    try silence()
    setTimeHandlers()
    try set(RLIMIT_CPU, processorSeconds, hard: processorSeconds + 1)
    try set(RLIMIT_AS, 480 << 20)
    // A worker's own soft limit is for another program.
    try set(RLIMIT_DATA, 480 << 20)
    try set(RLIMIT_FSIZE, 0)
    try set(RLIMIT_CORE, 0)
    try set(RLIMIT_NOFILE, 24)
    try setProcessControl(PR_SET_PDEATHSIG, UInt(SIGKILL))
    try setProcessControl(PR_SET_NO_NEW_PRIVS, 1)
    try setProcessControl(PR_SET_DUMPABLE, 0)
    try ReadableFiles.bound()
    try SystemCallFilter.withoutNetworkAndWriting.load()
  }

  /// Forbids all that a decoder of pictures in memory does not need: files and programs.
  static func boundPictures() throws(Failure) {
    try SystemCallFilter.withoutFilesAndPrograms.load()
  }

  private static func set(_ kind: __rlimit_resource, _ soft: UInt, hard: UInt? = nil)
    throws(Failure)
  {
    let kind = __rlimit_resource_t(kind.rawValue)
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0 else { throw Failure() }
    // The caller may have set a tighter one.
    limit.rlim_max = min(limit.rlim_max, hard ?? soft)
    limit.rlim_cur = min(soft, limit.rlim_max)
    guard setrlimit(kind, &limit) == 0 else { throw Failure() }
  }

  private static func setProcessControl(_ option: Int32, _ value: UInt) throws(Failure) {
    guard set_process_control(option, value) == 0 else { throw Failure() }
  }

  /// Drops the decoders' warnings, which may quote the input.
  private static func silence() throws(Failure) {
    let nowhere = open("/dev/null", O_RDWR)
    guard nowhere >= 0, dup2(nowhere, STDERR_FILENO) >= 0 else { throw Failure() }
    close(nowhere)
  }

  /// Undoes handlers and masks that came from the caller and from Swift's runtime, whose crash
  /// report would show what is in memory.
  private static func takeDefaultSignals() {
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT, SIGSYS, SIGCHLD] {
      signal(number, SIG_DFL)
    }
    signal(SIGPIPE, SIG_IGN)
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
  }

  /// Answers `FAIL slow` after the processor's time, and `FAIL busy` after the clock's.
  private static func setTimeHandlers() {
    signal(SIGXCPU) { _ in Limits.fail("FAIL\0\0\0\u{4}slow") }
    signal(SIGALRM) { _ in Limits.fail("FAIL\0\0\0\u{4}busy") }
    alarm(clockSeconds)
  }

  /// Ends the program from a signal handler, with this frame as its answer.
  private static func fail(_ frame: StaticString) -> Never {
    ChildProgram.killRunning()
    write(STDOUT_FILENO, frame.utf8Start, frame.utf8CodeUnitCount)
    _exit(0)
  }

  /// Ends the clock's limit and lets the processor's end the program by a signal, because `FAIL`
  /// must not stand within other frames.
  static func stopAnsweringSignals() {
    alarm(0)
    signal(SIGXCPU, SIG_DFL)
  }
}
