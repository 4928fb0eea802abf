import Glibc

/// A program that a first run starts beside itself and stops with itself.
struct ChildProcess {
  let name: String
  let program: Program
  let id: pid_t

  /// Starts a program by its path, as ``Program`` does. Throws ``SystemError``.
  static func spawn(
    _ name: String, _ program: String, _ arguments: [String], environment: [String: String]
  ) throws -> ChildProcess {
    let program = Program(path: program, arguments: arguments, environment: environment)
    return try ChildProcess(name, program)
  }

  init(
    _ name: String, _ program: Program, reading input: Program.Input = .same,
    output: Program.Output = .same, lifeline: Int32? = nil
  ) throws(SystemError) {
    self.name = name
    self.program = program
    id = try program.start(input, output: output, lifeline: lifeline)
  }

  /// The same program once more. Throws ``SystemError``.
  func again() throws -> ChildProcess { try ChildProcess(name, program) }

  /// Waits until it ends: its exit status, or 128 and the signal's number, as shells count.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return Ending(waitStatus: status).code
  }

  /// How it ended; nil while it runs.
  func ended() -> Ending? {
    var status: Int32 = 0
    return waitpid(id, &status, WNOHANG) == id ? Ending(waitStatus: status) : nil
  }

  func send(_ signal: Int32) { kill(id, signal) }

  /// Ends it and all that it started in its group at once: nginx's workers outlive its first process.
  func destroy() { kill(-id, SIGKILL) }
}
