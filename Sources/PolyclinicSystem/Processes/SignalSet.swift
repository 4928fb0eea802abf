import Glibc

/// A set of signals that a thread waits for, instead of handling them.
package struct SignalSet: Sendable {
  private let signals: [Int32]

  package init(_ signals: Int32...) {
    self.signals = signals
  }

  private var mask: sigset_t {
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in signals { sigaddset(&mask, signal) }
    return mask
  }

  /// Blocks the signals, so that ``wait(atMost:)`` receives them. It affects this thread and
  /// threads that it starts later, so call it before starting any thread.
  package func block() {
    var mask = mask
    pthread_sigmask(SIG_BLOCK, &mask, nil)
  }

  /// Returns the next signal; nil if none came in time. Without a limit it waits forever.
  package func wait(atMost limit: Duration? = nil) -> Int32? {
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
