import Glibc

/// Signals that are waited for instead of being handled.
struct SignalSet: Sendable {
  private let signals: [Int32]

  init(_ signals: Int32...) {
    self.signals = signals
  }

  private var mask: sigset_t {
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in signals { sigaddset(&mask, signal) }
    return mask
  }

  /// Keeps them for ``wait(atMost:)``, in this thread and in those that it starts from now on: so
  /// it comes before the first thread.
  func block() {
    var mask = mask
    pthread_sigmask(SIG_BLOCK, &mask, nil)
  }

  /// The next of them; nil when none came in time. Without a limit it waits for ever.
  func wait(atMost limit: Duration? = nil) -> Int32? {
    var mask = mask
    while true {
      let signal: Int32
      if let limit {
        let parts = max(limit, .zero).components
        var time = timespec(
          tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
        signal = sigtimedwait(&mask, nil, &time)
      } else {
        signal = sigwaitinfo(&mask, nil)
      }
      if signal > 0 { return signal }
      if errno != EINTR { return nil }
    }
  }
}
