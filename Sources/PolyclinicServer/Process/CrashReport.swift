import Glibc

/// What the Swift runtime prints of a crash: registers and memory, and memory holds people's data.
enum CrashReport {
  /// The signals that the runtime reports (swift/stdlib/public/runtime/CrashHandlerLinux.cpp).
  static let signals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Has a crash end the process, say nothing and leave no core file, in every command and however it was
  /// started.
  ///
  /// The runtime reads `SWIFT_BACKTRACE` before `main`, too early to be told by the program itself;
  /// but all that it does then is to handle these signals.
  static func turnOff() {
    for number in signals { signal(number, SIG_DFL) }
    // A core file would hold people's data too. It may only be lowered, so that it cannot fail.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
