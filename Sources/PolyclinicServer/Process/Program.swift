import FoundationEssentials
import Glibc

/// A program with its arguments, to be started by its path: after an update the path is the new
/// program, while /proc/self/exe would still be the old one.
struct Program: Sendable {
  var path: String
  var arguments: [String]
  var environment = ProcessInfo.processInfo.environment
  /// True for a program with a session of its own, which has no terminal.
  var isDetached = false

  /// What it reads at its descriptor 0.
  enum Input {
    /// What this process reads there.
    case same
    case nothing
    case descriptor(Int32)
  }

  /// Where its output goes, and what it says of errors.
  enum Output {
    /// Where this process's goes.
    case same
    case nothing
    case descriptors(Int32, errors: Int32)
  }

  /// Starts it in a process group of its own, so that a terminal's Ctrl-C reaches us alone, with no
  /// signal blocked or ignored. The lifeline becomes its descriptor 3.
  func start(
    _ input: Input = .nothing, output: Output = .same, lifeline: Int32? = nil
  ) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    switch input {
    case .same: break
    case .nothing:
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    case .descriptor(let input): posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    }
    switch output {
    case .same: break
    case .nothing:
      for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
      }
    case .descriptors(let output, let errors):
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    }
    if let lifeline {
      posix_spawn_file_actions_adddup2(&actions, lifeline, Lifeline.descriptor)
    }
    var attributes = attributes()
    defer { posix_spawnattr_destroy(&attributes) }

    var variables = environment
    variables[Lifeline.variable] = lifeline.map { _ in "\(Lifeline.descriptor)" }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + settings { free(text) } }
    var pid = pid_t()
    let code = posix_spawn(&pid, path, &actions, &attributes, &words, &settings)
    guard code == 0 else { throw SystemError("start", code, on: path) }
    return pid
  }

  /// POSIX_SPAWN_SETSID, which the Glibc module does not import (glibc, posix/spawn.h).
  private static let newSession: Int32 = 0x80

  private func attributes() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    // A new session has a new group.
    let group = isDetached ? Self.newSession : POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    return attributes
  }
}
