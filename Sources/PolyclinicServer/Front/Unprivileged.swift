import Glibc

/// Lets root run the portal with fewer rights than its own, by `setpriv` of util-linux, which every Debian
/// has.
struct Unprivileged {
  /// The user that the portal runs as.
  struct User: Equatable {
    let id: uid_t
    let group: gid_t
    let name: String
    let home: String

    /// The system user that `.ci/install` makes.
    static let standard = "polyclinic"

    /// The owner of the data directory; `polyclinic` where root owns it, nil where that user is missing.
    init?(owning data: borrowing OwnedTree) {
      if data.owner != 0 {
        (id, home) = (data.owner, data.path)
        let entry = getpwuid(id)?.pointee
        name = entry.map { String(cString: $0.pw_name) } ?? "\(id)"
        // Root's group is no ordinary user's, though it may be the directory's.
        group = entry?.pw_gid ?? (data.group == 0 ? gid_t(id) : data.group)
      } else {
        guard let entry = getpwnam(Self.standard)?.pointee else { return nil }
        (id, group, name) = (entry.pw_uid, entry.pw_gid, Self.standard)
        home = String(cString: entry.pw_dir)
      }
    }
  }

  /// The path of `setpriv`.
  let program: String

  /// Arguments that take all capabilities away for good, also from programs with a setuid bit.
  static let withoutCapabilities = ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]

  init(environment: [String: String]) throws {
    program = try Executable.find("setpriv", environment: environment)
  }

  /// The arguments that run a command as a user, or as the current one.
  static func arguments(as user: User?, _ command: [String]) -> [String] {
    let change = user.map {
      ["--reuid=\($0.id)", "--regid=\($0.group)", "--clear-groups"]
    }
    return (change ?? []) + withoutCapabilities + ["--"] + command
  }

  /// Returns true if the system lets this process give its capabilities away: in some containers it does not.
  func isPossible() throws(SystemError) -> Bool {
    try status(of: ["true"], as: nil) == 0
  }

  /// The first path that the user may not use; nil when all are well.
  ///
  /// The user must be able to start the program, with its libraries, to read the other files, and to pass
  /// directories.
  func obstacle(for user: User, program: String, reading paths: [String]) throws(SystemError)
    -> String?
  {
    // The exit status is the number of the path.
    let script = """
      "$1" --help >/dev/null 2>&1 || exit 1
      shift; number=1
      for path; do
        number=$((number + 1))
        if test -d "$path"; then test -x "$path"; else test -r "$path"; fi || exit $number
      done
      """
    let all = [program] + paths
    let status = try status(of: ["sh", "-c", script, "sh"] + all, as: user)
    return status == 0 ? nil : all[min(max(Int(status), 1), all.count) - 1]
  }

  private func status(of command: [String], as user: User?) throws(SystemError) -> Int32 {
    var program = Program(path: program, arguments: Self.arguments(as: user, command))
    program.isDetached = true
    return try ChildProcess("setpriv", program, reading: .nothing, output: .nothing).wait()
  }
}
