import CSeccomp
import Glibc

/// The files that the decoder and its child programs may open (Landlock). The portal's files are
/// not among them.
enum ReadableFiles {
  private static let directories = [
    "/usr", "/lib", "/lib64", "/etc/fonts", "/var/cache/fontconfig",
  ]
  private static let files = ["/etc/ld.so.cache", "/etc/localtime", "/dev/null"]

  /// Restricts file access to these. On a kernel without Landlock only the other limits apply.
  static func bound() throws(Failure) {
    let rules = make_reading_rules()
    guard rules >= 0 else { return }
    defer { close(rules) }
    let readFile = UInt(LANDLOCK_ACCESS_FS_READ_FILE)
    let readDirectory = UInt(LANDLOCK_ACCESS_FS_READ_DIR)
    let execute = UInt(LANDLOCK_ACCESS_FS_EXECUTE)
    for path in directories { try allow(path, readFile | readDirectory | execute, in: rules) }
    for path in files { try allow(path, readFile, in: rules) }
    guard apply_reading_rules(rules) == 0 else { throw Failure() }
  }

  private static func allow(_ path: String, _ access: UInt, in rules: Int32) throws(Failure) {
    let place = open(path, O_RDONLY | O_CLOEXEC)
    // A path that this machine lacks needs no rule.
    guard place >= 0 else { return }
    defer { close(place) }
    guard allow_reading(rules, place, access) == 0 else { throw Failure() }
  }
}
