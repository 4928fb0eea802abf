import Foundation

/// The request that a thread is handling. If a trap ends the process, a signal handler prints it,
/// because all that the process prints otherwise is a backtrace.
struct RunningRequest {
  /// The method and the target.
  let name: String

  /// The text of the request on each thread.
  private static let key = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()
  private nonisolated(unsafe) static var earlier: [Int32: sigaction] = [:]

  /// Sets the signal handlers once. A trap is SIGILL on x86-64 and SIGTRAP on arm64.
  private static let isWatched: Bool = {
    _ = key
    for signal in [SIGILL, SIGTRAP] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { RunningRequest.print(before: $0) }
      var old = sigaction()
      sigaction(signal, &action, &old)
      earlier[signal] = old
    }
    return true
  }()

  /// Runs `body` as the work for this request.
  func run<Value>(_ body: () -> Value) -> Value {
    _ = Self.isWatched
    let text = strdup("trap while the test portal handled \(name)\n")
    let outer = pthread_getspecific(Self.key)
    pthread_setspecific(Self.key, text)
    defer {
      pthread_setspecific(Self.key, outer)
      free(text)
    }
    return body()
  }

  /// Prints the request, then lets the earlier handler end the process: the instruction traps
  /// again.
  private static func print(before signal: Int32) {
    if let text = pthread_getspecific(key) {
      _ = write(STDERR_FILENO, text, strlen(text.assumingMemoryBound(to: CChar.self)))
    }
    sigaction(signal, &earlier[signal, default: sigaction()], nil)
  }
}
