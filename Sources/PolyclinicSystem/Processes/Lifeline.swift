import FoundationEssentials
import Glibc

/// A process's end of the channel to the supervisor that started it. The process sends its status;
/// an end of file means that the supervisor is gone.
///
/// Unlike PR_SET_PDEATHSIG it misses no death, and does not depend on the thread that spawned the
/// process.
package struct Lifeline: Sendable {
  /// The environment variable that names the descriptor to the child.
  package static let variable = "POLYCLINIC_LIFELINE"
  /// The child's descriptor of the channel.
  package static let descriptor = Channel.inherited

  private let end: Int32

  /// Returns nil if a shell, systemd or spawn-fcgi started the process.
  package init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
    guard environment[Self.variable] == "\(Self.descriptor)",
      fcntl(Self.descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { return nil }
    end = Self.descriptor
    // Programs that this process starts must not see it.
    unsetenv(Self.variable)
  }

  /// A message to the supervisor. The next release may add messages.
  package enum Word: UInt8 {
    case ready = 1
    case alive = 2
    /// The process lives, but the database accepts no writes.
    case failing = 3
  }

  /// Tells the supervisor that this process is ready for work.
  package func reportReady() {
    Channel.send(Word.ready.rawValue, to: end)
  }

  /// Sends a heartbeat. After the first one the supervisor expects more.
  package func beat(_ word: Word) {
    // Does not wait, because a stopped supervisor does not read.
    Channel.sendIfRoom(word.rawValue, to: end)
  }

  /// Runs the action when the supervisor is gone, in a thread of its own.
  package func whenSupervisorEnds(_ action: @escaping @Sendable () -> Void) throws(SystemError) {
    let end = end
    _ = try SystemThread {
      while Channel.receive(from: end) != nil {}
      action()
    }
  }
}
