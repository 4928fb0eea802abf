import Glibc
import Testing

@testable import PolyclinicServer

@Suite struct ProcessProgramTests {
  /// How a shell command ends that was started as a child of the supervisor would be, from a thread
  /// that blocks a signal.
  private func ending(of command: String, lifeline: Int32? = nil) throws -> Ending {
    let outcome = Outcome()
    let thread = try SystemThread {
      SignalSet(SIGUSR2).block()
      let program = Program(path: "/bin/sh", arguments: ["-c", command])
      outcome.result = Result {
        let pid = try program.start(lifeline: lifeline)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return Ending(waitStatus: status)
      }
    }
    thread.join()
    return try #require(outcome.result).get()
  }

  /// Written by one thread, read after its end.
  private final class Outcome: @unchecked Sendable {
    var result: Result<Ending, any Error>?
  }

  @Test func `a child starts with no signal blocked, in a process group of its own`() throws {
    #expect(try ending(of: "grep -q 'SigBlk:.0000000000000000' /proc/self/status") == .status(0))
    #expect(try ending(of: "test $(cut -d' ' -f5 /proc/$$/stat) = $$") == .status(0))
  }

  @Test func `a child reads nothing`() throws {
    #expect(try ending(of: "test -z \"$(cat)\"") == .status(0))
    #expect(try ending(of: "test -z \"$POLYCLINIC_LIFELINE\"") == .status(0))
  }

  @Test func `a child finds its lifeline and speaks through it`() throws {
    let channel = try Channel()
    #expect(
      try ending(of: "printf x >&$POLYCLINIC_LIFELINE", lifeline: channel.far) == .status(0))
    #expect(Channel.receive(from: channel.near) == UInt8(ascii: "x"))
    channel.closeFar()
    #expect(Channel.receive(from: channel.near) == nil)
    channel.closeNear()
  }

  @Test func `a child that is killed ends by the signal`() throws {
    #expect(try ending(of: "kill -9 $$") == .signal(SIGKILL))
  }

  @Test func `a program that is not there cannot be started`() {
    #expect(throws: SystemError.self) {
      _ = try Program(path: "/nowhere/polyclinic", arguments: []).start()
    }
  }

  @Test func `a process that no supervisor started has no lifeline`() {
    #expect(Lifeline(environment: [:]) == nil)
    #expect(Lifeline(environment: [Lifeline.variable: "x"]) == nil)
  }
}
