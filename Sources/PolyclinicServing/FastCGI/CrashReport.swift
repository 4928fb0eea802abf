import Glibc

/// The Swift runtime's crash report. It prints registers and memory, and memory holds patients'
/// data.
package enum CrashReport {
  /// The signals that the runtime reports (swift/stdlib/public/runtime/CrashHandlerLinux.cpp).
  package static let signals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Makes a crash end the process silently and without a core file, in every command and however
  /// it was started.
  ///
  /// The runtime reads `SWIFT_BACKTRACE` before `main`, so the program cannot set it for itself.
  /// The runtime only installs handlers for these signals, so restoring the defaults is enough.
  package static func turnOff() {
    for number in signals { signal(number, SIG_DFL) }
    // A core file would hold patients' data too. The limit is only lowered, so that this cannot
    // fail.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
