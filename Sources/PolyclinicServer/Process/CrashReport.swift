import Glibc

/// What the Swift runtime prints of a crash: registers and memory, and memory holds people's data.
enum CrashReport {
  /// The signals that the runtime reports (swift/stdlib/public/runtime/CrashHandlerLinux.cpp).
  static let signals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Has a crash end the process and say nothing, in every command and however it was started.
  ///
  /// The runtime reads `SWIFT_BACKTRACE` before `main`, too early to be told by the program itself;
  /// but all that it does then is to handle these signals.
  static func turnOff() {
    for number in signals { signal(number, SIG_DFL) }
  }
}
