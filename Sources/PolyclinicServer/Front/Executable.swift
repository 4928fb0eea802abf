import Glibc

/// Other programs, found as a shell finds them.
enum Executable {
  /// The path of a program in `PATH` or where Debian keeps those of administrators.
  ///
  /// Throws ``FirstRunError`` when there is none.
  static func find(_ name: String, environment: [String: String]) throws -> String {
    let directories = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for directory in directories + ["/usr/sbin", "/usr/bin", "/sbin", "/bin"] {
      let path = FilePath.join(directory, name)
      if directory.hasPrefix("/"), access(path, X_OK) == 0 { return path }
    }
    throw FirstRunError("\(name) is not installed. As root: apt-get install \(name)")
  }
}
