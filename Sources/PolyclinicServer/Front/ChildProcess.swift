import Glibc

/// A program that a first run starts beside itself and stops with itself.
struct ChildProcess {
  let name: String
  let id: pid_t

  /// Starts a program by its path, in a process group of its own, so that Ctrl-C reaches only us,
  /// and with no signal blocked or ignored. Throws ``SystemError``.
  static func spawn(
    _ name: String, _ program: String, _ arguments: [String], environment: [String: String]
  ) throws -> ChildProcess {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))

    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    var id = pid_t()
    let code = withStrings([program] + arguments) { words in
      withStrings(variables) { posix_spawn(&id, program, nil, &attributes, words, $0) }
    }
    guard code == 0 else { throw SystemError("start", code, on: program) }
    return ChildProcess(name: name, id: id)
  }

  /// Waits until it ends: its exit status, or 128 and the signal's number, as shells count.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return Self.code(of: status)
  }

  /// Its exit status when it has ended; nil while it runs.
  func ended() -> Int32? {
    var status: Int32 = 0
    return waitpid(id, &status, WNOHANG) == id ? Self.code(of: status) : nil
  }

  func send(_ signal: Int32) { kill(id, signal) }

  /// Ends it and all that it started in its group at once: nginx's workers outlive its first process.
  func destroy() { kill(-id, SIGKILL) }

  /// By the layout of a wait status on Linux (bits/waitstatus.h), whose macros Swift does not see.
  private static func code(of status: Int32) -> Int32 {
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}

/// Calls `body` with the texts as the array of C strings, ended by nil, that exec takes.
private func withStrings<Result>(
  _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  var strings: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
  defer { for string in strings { free(string) } }
  strings.append(nil)
  return body(strings)
}
