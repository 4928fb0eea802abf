import Glibc

/// Children that live and end together, in the foreground of a terminal.
final class Foreground {
  private var children: [ChildProcess] = []
  private var lots: [String: Lot] = [:]
  private var revivals = Revivals()
  private let say: (String) -> Void
  /// The log that the child called nginx writes, looked at once a minute.
  var requestLog: RequestLog?
  private let signals = SignalSet(SIGINT, SIGTERM, SIGHUP, SIGCHLD)

  /// How long a child may take to end: the supervisor gives its workers 30 seconds.
  private static let patience = 45

  /// From here on, the signals that end a program wait for ``run(until:then:)``.
  init(say: @escaping (String) -> Void) {
    self.say = say
    signals.block()
  }

  /// What becomes of a child that was killed.
  enum Lot {
    /// It is started again; where it ends with a status it has said why, and ends all.
    case isRevived
    /// As revived, when all that it has started was ended: that would hold its port.
    case isReplaced
  }

  /// Starts one more; those started first are stopped first. When it cannot be, stops all, and
  /// throws ``SystemError``.
  func start(
    _ name: String, _ program: String, _ arguments: [String], environment: [String: String],
    whenKilled lot: Lot
  ) throws {
    lots[name] = lot
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
      case nil: rotateRequestLog()
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

  /// Has nginx begin its log anew when it has become large.
  private func rotateRequestLog() {
    do throws(SystemError) {
      guard try requestLog?.rotate() == true else { return }
      children.first { $0.name == "nginx" }?.send(SIGUSR1)
    } catch {
      say("\(error)")
    }
  }

  /// False when all that should run does.
  private func reportEnded() -> Bool {
    let before = children.count
    children = children.compactMap { child in
      guard let ending = child.ended() else { return child }
      if let next = revived(child, after: ending) { return next }
      if case .status(let status) = ending {
        say("\(child.name) ended by itself, with status \(status): see above.")
      }
      return nil
    }
    return children.count < before
  }

  private func revived(_ child: ChildProcess, after ending: Ending) -> ChildProcess? {
    guard case .signal = ending, let lot = lots[child.name] else { return nil }
    if lot == .isReplaced { child.destroy() }
    guard revivals.allow(at: .now) else {
      say("\(child.name) was ended by \(ending), too often to be started again.")
      return nil
    }
    say("\(child.name) was ended by \(ending) and is started again.")
    do {
      return try child.again()
    } catch {
      say("\(error)")
      return nil
    }
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
