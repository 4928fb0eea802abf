import Glibc

/// A program of root's in a session of its own, without root's terminal: otherwise a process of the user
/// that it becomes could read what root types, and type commands itself (TIOCSTI).
struct DetachedProgram {
  let program: Program

  /// Runs the program, passes signals on to it and its output back, and returns its exit status.
  ///
  /// The program reads the end of its ``Lifeline`` when this process is killed. Throws ``SystemError``.
  func run() throws(SystemError) -> Int32 {
    // A reader of the output that is gone does not end the portal.
    signal(SIGPIPE, SIG_IGN)
    let signals = SignalSet(SIGINT, SIGTERM, SIGHUP, SIGCHLD)
    signals.block()
    let lifeline = try Channel()
    let output = try Channel()
    let errors = try Channel()
    var program = program
    program.isDetached = true
    let child = try ChildProcess(
      "polyclinic", program, reading: .nothing,
      output: .descriptors(output.far, errors: errors.far), lifeline: lifeline.far)
    for channel in [lifeline, output, errors] { channel.closeFar() }
    let relays = [
      try Self.relay(output.near, to: STDOUT_FILENO),
      try Self.relay(errors.near, to: STDERR_FILENO),
    ]
    let ending = Self.wait(for: child, signals)
    // Another process may still hold the other end: what has come until now is the last.
    for channel in [output, errors] { shutdown(channel.near, Int32(SHUT_RD)) }
    for relay in relays { relay.join() }
    return ending.code
  }

  private static func wait(for child: ChildProcess, _ signals: SignalSet) -> Ending {
    while true {
      switch signals.wait() {
      case SIGCHLD: if let ending = child.ended() { return ending }
      case let signal?: child.send(signal)
      case nil: continue
      }
    }
  }

  /// Copies bytes in a thread of its own until there are no more.
  private static func relay(_ source: Int32, to target: Int32) throws(SystemError) -> SystemThread {
    try SystemThread {
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(source, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        do throws(SystemError) {
          try OpenFile.write(chunk[..<count], to: target)
        } catch {
          // The terminal or the reader is gone, and the portal runs on unread.
        }
      }
    }
  }
}
