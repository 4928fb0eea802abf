import Glibc

/// Finds other programs, like a shell.
package enum Executable {
  /// Returns the path of a program in `PATH` or in Debian's directories for administrators.
  ///
  /// Throws ``MissingProgram`` if there is none.
  package static func find(_ name: String, environment: [String: String]) throws -> String {
    let directories = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for directory in directories + ["/usr/sbin", "/usr/bin", "/sbin", "/bin"] {
      let path = FilePath.join(directory, name)
      if directory.hasPrefix("/"), access(path, X_OK) == 0 { return path }
    }
    throw MissingProgram(name: name)
  }
}

/// An error: a program that the portal needs is not installed.
struct MissingProgram: Error, CustomStringConvertible {
  let name: String

  var description: String { "\(name) is not installed. As root: apt-get install \(name)" }
}
