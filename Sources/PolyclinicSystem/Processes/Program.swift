import FoundationEssentials
import Glibc

/// A program with its arguments. It is started by its path: after an update the path leads to the
/// new program, while /proc/self/exe would still be the old one.
package struct Program: Sendable {
  package var path: String
  package var arguments: [String]
  package var environment = ProcessInfo.processInfo.environment
  /// True to start the program in a new session, without a terminal.
  package var isDetached = false

  package init(
    path: String, arguments: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment, isDetached: Bool = false
  ) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.isDetached = isDetached
  }

  /// Returns the path of a program in `PATH` or in Debian's directories for administrators, like a
  /// shell.
  ///
  /// Throws ``MissingProgram`` if there is none.
  package static func path(of name: String, environment: [String: String]) throws -> String {
    let directories = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for directory in directories + ["/usr/sbin", "/usr/bin", "/sbin", "/bin"] {
      let path = FilePath.join(directory, name)
      if directory.hasPrefix("/"), access(path, X_OK) == 0 { return path }
    }
    throw MissingProgram(name: name)
  }

  /// The program's standard input (descriptor 0).
  package enum Input {
    /// Inherits this process's standard input.
    case same
    case nothing
    case descriptor(Int32)
  }

  /// The program's standard output and standard error.
  package enum Output {
    /// Inherits this process's output.
    case same
    case nothing
    case descriptors(Int32, errors: Int32)
  }

  /// Starts the program with no signal blocked or ignored. It gets its own process group, so that
  /// Ctrl-C in a terminal reaches only this process. The lifeline becomes its descriptor 3, and the
  /// handed files the next ones.
  package func start(
    _ input: Input = .nothing, output: Output = .same, lifeline: Int32? = nil,
    handing files: [HandedFile]? = nil
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
    for (number, file) in (files ?? []).enumerated() {
      guard case .descriptor(let descriptor) = file.opening else { continue }
      posix_spawn_file_actions_adddup2(&actions, descriptor, HandedFiles.descriptor(number))
    }
    var attributes = attributes()
    defer { posix_spawnattr_destroy(&attributes) }

    var variables = environment
    variables[Lifeline.variable] = lifeline.map { _ in "\(Lifeline.descriptor)" }
    if let files {
      // The program asks for the names of new files by the lifeline, and watches nothing else.
      variables[Lifeline.variable] = nil
      variables.merge(HandedFiles.variables(files)) { $1 }
    }
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
    // A new session also has a new process group.
    let group = isDetached ? Self.newSession : POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    return attributes
  }
}

/// An error: a program that the portal needs is not installed.
struct MissingProgram: Error, CustomStringConvertible {
  let name: String

  var description: String { "\(name) is not installed. As root: apt-get install \(name)" }
}
