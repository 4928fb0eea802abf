import FoundationEssentials
import Glibc

/// A process's end of the channel to the supervisor that started it: it says when it is ready, and
/// the end of the channel says that the supervisor is gone.
///
/// Unlike PR_SET_PDEATHSIG it has no moment at which a death goes unnoticed, and does not depend on
/// the thread that spawned.
struct Lifeline: Sendable {
  /// Names the descriptor to the child.
  static let variable = "POLYCLINIC_LIFELINE"
  /// Where the supervisor puts it.
  static let descriptor: Int32 = 3

  private let end: Int32

  /// Nil in a process that something else has started: a shell, systemd, spawn-fcgi.
  init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
    guard environment[Self.variable] == "\(Self.descriptor)",
      fcntl(Self.descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { return nil }
    end = Self.descriptor
    // It is not meant for programs that this one starts.
    unsetenv(Self.variable)
  }

  /// What a process tells; the next release may know more.
  enum Word: UInt8 {
    case ready = 1
    case alive = 2
    /// Alive, but the database does not take what people send.
    case failing = 3
  }

  /// Tells the supervisor that this process can do its work.
  func reportReady() {
    Channel.send(Word.ready.rawValue, to: end)
  }

  /// Tells the supervisor that this process lives; from the first time on it waits for the next.
  func beat(_ word: Word) {
    // A supervisor of an earlier release does not listen.
    Channel.sendIfRoom(word.rawValue, to: end)
  }

  /// Waits in a thread of its own for the supervisor to be gone.
  func whenSupervisorEnds(_ action: @escaping @Sendable () -> Void) throws(SystemError) {
    let end = end
    _ = try SystemThread {
      while Channel.receive(from: end) != nil {}
      action()
    }
  }
}
