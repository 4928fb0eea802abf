import Glibc
import PolyclinicSystem

/// Runs the portal for root with fewer rights, by `setpriv` of util-linux, which is part of every
/// Debian.
struct Unprivileged {
  /// The user that the portal runs as.
  struct User: Equatable {
    let id: uid_t
    let group: gid_t
    let name: String
    let home: String

    /// The system user that `.ci/install` creates.
    static let standard = "polyclinic"

    /// True if the system's database has this user.
    var isKnown: Bool { getpwuid(id) != nil }

    /// Uses the owner of the data directory. If root owns it, uses the user `polyclinic`; nil if
    /// that user is missing.
    init?(owning data: borrowing OwnedTree) {
      if data.owner != 0 {
        self.init(id: data.owner, group: data.group, home: data.path)
      } else {
        guard let entry = getpwnam(Self.standard)?.pointee else { return nil }
        self.init(
          id: entry.pw_uid, group: entry.pw_gid, home: String(cString: entry.pw_dir))
      }
    }

    /// Uses the group only for a user that the system's database lacks.
    init(id: uid_t, group: gid_t, home: String) {
      let entry = getpwuid(id)?.pointee
      self.id = id
      self.home = home
      name = entry.map { String(cString: $0.pw_name) } ?? "\(id)"
      // Never uses root's group for an unprivileged user, even if the directory has it.
      self.group = entry?.pw_gid ?? (group == 0 ? gid_t(id) : group)
    }
  }

  /// The path of `setpriv`.
  let program: String

  /// Arguments that drop all capabilities permanently, even for programs with a setuid bit.
  static let withoutCapabilities = ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]

  init(environment: [String: String]) throws {
    program = try Program.path(of: "setpriv", environment: environment)
  }

  /// The groups of a user besides the first one.
  enum FurtherGroups: String {
    case none = "--clear-groups"
    /// Those of the system's database, as systemd gives them to a service.
    case own = "--init-groups"
  }

  /// Returns the arguments that run a command as a user, or as the current one for nil.
  static func arguments(
    as user: User?, with groups: FurtherGroups = .none, _ command: [String]
  ) -> [String] {
    let change = user.map {
      ["--reuid=\($0.id)", "--regid=\($0.group)", groups.rawValue]
    }
    return (change ?? []) + withoutCapabilities + ["--"] + command
  }

  /// Returns true if the system lets this process drop its capabilities; some containers do not.
  func isPossible() throws(SystemError) -> Bool {
    try status(of: ["true"], as: nil) == 0
  }

  /// Returns the first path that the user cannot use; nil if all are usable.
  ///
  /// The user must be able to start the program with its libraries, to read the other files, and to
  /// pass directories.
  func obstacle(for user: User, program: String, reading paths: [String]) throws(SystemError)
    -> String?
  {
    // The exit status of the script is the number of the path.
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
