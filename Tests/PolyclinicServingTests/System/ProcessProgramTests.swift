import Glibc
import Testing

@testable import PolyclinicSystem

@Suite struct ProcessProgramTests {
  /// Runs a shell command as the supervisor runs a child, from a thread that blocks a signal.
  private func exitStatus(of command: String, lifeline: Int32? = nil) throws
    -> PolyclinicSystem.ExitStatus
  {
    let outcome = Outcome()
    let thread = try SystemThread {
      SignalSet(SIGUSR2).block()
      let program = Program(path: "/bin/sh", arguments: ["-c", command])
      outcome.result = Result {
        let pid = try program.start(lifeline: lifeline)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return PolyclinicSystem.ExitStatus(waitStatus: status)
      }
    }
    thread.join()
    return try #require(outcome.result).get()
  }

  /// A result that one thread writes and another reads after the first has ended.
  private final class Outcome: @unchecked Sendable {
    var result: Result<PolyclinicSystem.ExitStatus, any Error>?
  }

  @Test func `a child starts with no blocked signals and in its own process group`() throws {
    #expect(
      try exitStatus(of: "grep -q 'SigBlk:.0000000000000000' /proc/self/status") == .status(0))
    #expect(try exitStatus(of: "test $(cut -d' ' -f5 /proc/$$/stat) = $$") == .status(0))
  }

  @Test func `a child has empty standard input and, by default, no lifeline`() throws {
    #expect(try exitStatus(of: "test -z \"$(cat)\"") == .status(0))
    #expect(try exitStatus(of: "test -z \"$POLYCLINIC_LIFELINE\"") == .status(0))
  }

  @Test func `a byte that a child writes to its lifeline is received`() throws {
    let channel = try Channel()
    #expect(
      try exitStatus(of: "printf x >&$POLYCLINIC_LIFELINE", lifeline: channel.far) == .status(0))
    #expect(Channel.receive(from: channel.near) == UInt8(ascii: "x"))
    channel.closeFar()
    #expect(Channel.receive(from: channel.near) == nil)
    channel.closeNear()
  }

  @Test func `a killed child reports its signal`() throws {
    #expect(try exitStatus(of: "kill -9 $$") == .signal(SIGKILL))
  }

  @Test func `starting a missing program fails`() {
    #expect(throws: SystemError.self) {
      _ = try Program(path: "/nowhere/polyclinic", arguments: []).start()
    }
  }

  @Test func `an environment without a valid lifeline variable gives no lifeline`() {
    #expect(Lifeline(environment: [:]) == nil)
    #expect(Lifeline(environment: [Lifeline.variable: "x"]) == nil)
  }
}
