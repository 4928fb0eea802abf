import FoundationEssentials
import Glibc

/// A program with its arguments, to be started by its path: after an update the path is the new
/// program, while /proc/self/exe would still be the old one.
struct Program: Sendable {
  var path: String
  var arguments: [String]

  /// Starts it in a process group of its own, so that a terminal's Ctrl-C reaches the supervisor
  /// alone, with no signal blocked.
  ///
  /// The listening socket, if any, becomes its descriptor 0 (else /dev/null), the lifeline its
  /// descriptor 3.
  func start(socket: Int32? = nil, lifeline: Int32? = nil) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let socket {
      posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if let lifeline {
      posix_spawn_file_actions_adddup2(&actions, lifeline, Lifeline.descriptor)
    }
    var attributes = Self.attributes()
    defer { posix_spawnattr_destroy(&attributes) }

    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var variables = environment(withLifeline: lifeline != nil).map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var pid = pid_t()
    let code = posix_spawn(&pid, path, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw SystemError("posix_spawn", code, on: path) }
    return pid
  }

  private static func attributes() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var pipe = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &pipe)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    return attributes
  }

  private func environment(withLifeline: Bool) -> [String] {
    var variables = ProcessInfo.processInfo.environment
    // A backtrace prints memory, and memory holds people's data.
    variables["SWIFT_BACKTRACE"] = "enable=no"
    variables[Lifeline.variable] = withLifeline ? "\(Lifeline.descriptor)" : nil
    return variables.map { "\($0.key)=\($0.value)" }
  }
}

/// How a process ended.
enum Ending: Equatable, CustomStringConvertible {
  case status(Int32)
  case signal(Int32)

  /// Reads what `waitpid` gives (wait(2): the low seven bits are the signal).
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .status(waitStatus >> 8 & 0xff) : .signal(signal)
  }

  var description: String {
    switch self {
    case .status(let status): "status \(status)"
    case .signal(let signal): "signal \(signal)"
    }
  }
}
