import Glibc

/// A child program that a first run starts and stops.
package struct ChildProcess {
  package let name: String
  package let program: Program
  package let id: pid_t

  /// Starts a program.
  package init(
    _ name: String, _ program: Program, reading input: Program.Input = .same,
    output: Program.Output = .same, lifeline: Int32? = nil, handing files: [HandedFile]? = nil
  ) throws(SystemError) {
    self.name = name
    self.program = program
    id = try program.start(input, output: output, lifeline: lifeline, handing: files)
  }

  /// Starts the same program again. Throws ``SystemError``.
  package func again() throws -> ChildProcess { try ChildProcess(name, program) }

  /// Waits for the end. Returns the exit status, or 128 plus the signal's number, as in shells.
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return ExitStatus(waitStatus: status).code
  }

  /// Returns the way in which the program ended; nil while it runs.
  package func ended() -> ExitStatus? {
    var status: Int32 = 0
    return waitpid(id, &status, WNOHANG) == id ? ExitStatus(waitStatus: status) : nil
  }

  package func send(_ signal: Int32) { kill(id, signal) }

  /// Kills the program with its whole process group, because nginx's workers outlive its first
  /// process.
  package func destroy() { kill(-id, SIGKILL) }
}

/// The way in which a process ended: an exit status or a signal.
package enum ExitStatus: Equatable, CustomStringConvertible {
  case status(Int32)
  case signal(Int32)

  /// Decodes the status that `waitpid` returns (wait(2): the low seven bits are the signal).
  package init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .status(waitStatus >> 8 & 0xff) : .signal(signal)
  }

  /// The exit status, or 128 plus the signal's number, as in shells.
  package var code: Int32 {
    switch self {
    case .status(let status): status
    case .signal(let signal): 128 + signal
    }
  }

  package var description: String {
    switch self {
    case .status(let status): "status \(status)"
    case .signal(let signal): "signal \(signal)"
    }
  }
}
