import Glibc

/// A program that root starts in a new session without root's terminal. Otherwise a process of the
/// unprivileged user could read root's input and type commands itself (TIOCSTI).
package struct DetachedProgram {
  package let program: Program
  package let input: Program.Input
  /// The files that root has opened for the program; nil for a program that expects none.
  package let files: [HandedFile]?

  package init(
    program: Program, reading input: Program.Input = .nothing, handing files: [HandedFile]? = nil
  ) {
    self.program = program
    self.input = input
    self.files = files
  }

  /// Runs the program, forwards signals to it and its output back, and returns its exit status.
  ///
  /// The program reads an end of file from its ``Lifeline`` if this process is killed. Throws
  /// ``SystemError``.
  package func run() throws(SystemError) -> Int32 {
    // A closed output must not end the portal.
    signal(SIGPIPE, SIG_IGN)
    let signals = SignalSet(SIGINT, SIGTERM, SIGHUP, SIGCHLD)
    signals.block()
    let lifeline = try Channel()
    let output = try Channel()
    let errors = try Channel()
    var program = program
    program.isDetached = true
    let child = try ChildProcess(
      "polyclinic", program, reading: input,
      output: .descriptors(output.far, errors: errors.far), lifeline: lifeline.far, handing: files)
    for channel in [lifeline, output, errors] { channel.closeFar() }
    try completeFiles(askedBy: lifeline.near)
    let relays = [
      try Self.relay(output.near, to: STDOUT_FILENO),
      try Self.relay(errors.near, to: STDERR_FILENO),
    ]
    let exitStatus = Self.wait(for: child, signals)
    // Another process may still hold the other end, so stop reading after the output received so
    // far.
    for channel in [output, errors] { shutdown(channel.near, Int32(SHUT_RD)) }
    for relay in relays { relay.join() }
    for file in files ?? [] { file.discard() }
    return exitStatus.code
  }

  /// Gives new files their names when the program asks for it, in a thread of its own.
  private func completeFiles(askedBy lifeline: Int32) throws(SystemError) {
    guard let files else { return }
    _ = try SystemThread {
      while let number = Channel.receive(from: lifeline) {
        let code = files.indices.contains(Int(number)) ? files[Int(number)].complete() : EINVAL
        Channel.send(UInt8(truncatingIfNeeded: code), to: lifeline)
      }
    }
  }

  private static func wait(for child: ChildProcess, _ signals: SignalSet) -> ExitStatus {
    while true {
      switch signals.wait() {
      case SIGCHLD: if let exitStatus = child.ended() { return exitStatus }
      case let signal?: child.send(signal)
      case nil: continue
      }
    }
  }

  /// Copies bytes until the end of file, in a thread of its own.
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
          // Continues without output, because the terminal or the reader is gone.
        }
      }
    }
  }
}
