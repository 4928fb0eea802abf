import Glibc

/// Children that live and end together, in the foreground of a terminal.
final class Foreground {
  private var children: [ChildProcess] = []
  private let say: (String) -> Void
  private let signals = SignalSet(SIGINT, SIGTERM, SIGHUP, SIGCHLD)

  /// How long a child may take to end: the supervisor gives its workers 30 seconds.
  private static let patience = 45

  /// From here on, the signals that end a program wait for ``run(until:then:)``.
  init(say: @escaping (String) -> Void) {
    self.say = say
    signals.block()
  }

  /// Starts one more; those started first are stopped first. When it cannot be, stops all, and
  /// throws ``SystemError``.
  func start(
    _ name: String, _ program: String, _ arguments: [String], environment: [String: String]
  ) throws {
    do {
      children.append(try .spawn(name, program, arguments, environment: environment))
    } catch {
      stop()
      throw error
    }
  }

  /// Calls `announce` once `isReady`, and waits: 0 when it was told to stop, 1 when a child ended by
  /// itself. All have ended when it returns. SIGHUP goes to the child that was started last.
  func run(until isReady: () -> Bool, then announce: () -> Void) -> Int32 {
    var isAnnounced = false
    while true {
      switch signals.wait(atMost: .milliseconds(isAnnounced ? 60_000 : 50)) {
      case nil where !isAnnounced && isReady():
        isAnnounced = true
        announce()
      case nil: continue
      case SIGCHLD:
        guard reportEnded() else { continue }
        stop()
        return 1
      case SIGHUP: children.last?.send(SIGHUP)
      default:
        stop()
        return 0
      }
    }
  }

  private func reportEnded() -> Bool {
    let before = children.count
    children.removeAll { child in
      guard let code = child.ended() else { return false }
      say("\(child.name) ended by itself, with status \(code): see above.")
      return true
    }
    return children.count < before
  }

  /// One after the other. Whoever is too slow, or when asked a second time, is killed.
  private func stop() {
    for child in children {
      child.send(SIGTERM)
      var waited = 0
      while child.ended() == nil {
        let signal = signals.wait(atMost: .milliseconds(1_000))
        if signal == nil { waited += 1 }
        if waited >= Self.patience || signal == SIGINT || signal == SIGTERM { child.destroy() }
      }
    }
    children = []
  }
}
