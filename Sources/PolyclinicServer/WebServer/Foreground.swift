import Glibc
import PolyclinicServing
import PolyclinicSystem

/// A group of child programs that start and stop together, in the foreground of a terminal.
final class Foreground {
  private var children: [ChildProcess] = []
  private var restartPolicies: [String: RestartPolicy] = [:]
  private var restartLimit = RestartLimit()
  private let say: (String) -> Void
  /// The log of the child called nginx, checked once a minute.
  var requestLog: RequestLog?
  private let signals = SignalSet(SIGINT, SIGTERM, SIGHUP, SIGCHLD)

  /// The longest wait for a child to end, in seconds. The supervisor gives its workers 30 seconds.
  private static let timeoutSeconds = 45

  /// Blocks the signals that end a program, so that ``run(until:then:)`` receives them.
  init(say: @escaping (String) -> Void) {
    self.say = say
    signals.block()
  }

  /// The restart policy for a child that a signal has killed. A child that exits with a status has
  /// printed its reason, and ends the group.
  enum RestartPolicy {
    /// Restarts the child.
    case restart
    /// Restarts the child after killing its orphaned children, which would still hold the port.
    case killGroupAndRestart
  }

  /// Starts a child. Children are stopped in the order in which they were started. If the start
  /// fails, stops all and throws ``SystemError``.
  func start(_ name: String, _ program: Program, whenKilled policy: RestartPolicy) throws {
    restartPolicies[name] = policy
    do {
      children.append(try ChildProcess(name, program))
    } catch {
      stop()
      throw error
    }
  }

  /// Runs the children until one ends by itself or a signal arrives. Calls `announce` once, after
  /// `isReady` returns true.
  ///
  /// Returns 0 after a signal to stop, or 1 if a child ended by itself. All children have ended on
  /// return. SIGHUP is forwarded to the child started last.
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

  /// Lets nginx open a new log file if the log has become large.
  private func rotateRequestLog() {
    do throws(SystemError) {
      guard try requestLog?.rotate() == true else { return }
      children.first { $0.name == "nginx" }?.send(SIGUSR1)
    } catch {
      say("\(error)")
    }
  }

  /// Returns true if a child has ended and was not restarted.
  private func reportEnded() -> Bool {
    let before = children.count
    children = children.compactMap { child in
      guard let exitStatus = child.ended() else { return child }
      if let next = restarted(child, after: exitStatus) { return next }
      if case .status(let status) = exitStatus {
        say("\(child.name) ended by itself, with status \(status): see above.")
      }
      return nil
    }
    return children.count < before
  }

  private func restarted(_ child: ChildProcess, after exitStatus: ExitStatus) -> ChildProcess? {
    guard case .signal = exitStatus, let policy = restartPolicies[child.name] else { return nil }
    if policy == .killGroupAndRestart { child.destroy() }
    guard restartLimit.allow(at: .now) else {
      say("\(child.name) was ended by \(exitStatus), too often to be started again.")
      return nil
    }
    say("\(child.name) was ended by \(exitStatus) and is started again.")
    do {
      return try child.again()
    } catch {
      say("\(error)")
      return nil
    }
  }

  /// Stops the children one by one. Kills a child that is too slow, or if the user asks a second
  /// time.
  private func stop() {
    for child in children {
      child.send(SIGTERM)
      var waited = 0
      while child.ended() == nil {
        let signal = signals.wait(atMost: .milliseconds(1_000))
        if signal == nil { waited += 1 }
        if waited >= Self.timeoutSeconds || signal == SIGINT || signal == SIGTERM {
          child.destroy()
        }
      }
    }
    children = []
  }
}

/// The access log of the portal's own nginx. No other program rotates it.
struct RequestLog {
  let path: String
  /// The size limit in bytes, about 180 000 requests.
  var limit: Int64 = 32 << 20

  /// Rotates a log above the limit, and replaces the earlier rotated one. nginx then has to reopen
  /// it.
  ///
  /// Returns true if it was rotated. Throws ``SystemError``.
  func rotate() throws(SystemError) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, Int64(status.st_size) > limit else { return false }
    guard rename(path, path + ".1") == 0 else { throw SystemError("rename", on: path) }
    return true
  }
}

/// The limit for restarts of killed programs, because a program that dies at its start would be
/// restarted forever.
struct RestartLimit {
  private static let limit = 10
  private static let span = Duration.seconds(10)
  private var latest: [SuspendingClock.Instant] = []

  /// Counts a restart. Returns false if there were ten in the last ten seconds.
  mutating func allow(at now: SuspendingClock.Instant) -> Bool {
    latest.removeAll { $0 + Self.span <= now }
    guard latest.count < Self.limit else { return false }
    latest.append(now)
    return true
  }
}
