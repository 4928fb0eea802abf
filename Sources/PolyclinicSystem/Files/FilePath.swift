import Glibc

/// Operations on file paths.
package enum FilePath {
  /// Resolves `path` against `directory`; an absolute path stays unchanged.
  package static func join(_ directory: String, _ path: String) -> String {
    if path.hasPrefix("/") || directory.isEmpty { return path }
    return directory.hasSuffix("/") ? directory + path : directory + "/" + path
  }

  /// Returns the absolute path without `.` and `..`. Does not follow links.
  package static func absolute(_ path: String) -> String {
    var parts: [Substring] = []
    for part in join(workingDirectory, path).split(separator: "/") where part != "." {
      if part == ".." {
        parts = parts.dropLast()
      } else {
        parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Returns the part before the last slash.
  package static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the part after the last slash.
  package static func name(of path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Resolves all links; returns nil if the path leads nowhere.
  package static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The path of the running program, with links resolved.
  package static var executable: String? { real("/proc/self/exe") }

  private static var workingDirectory: String {
    guard let directory = getcwd(nil, 0) else { return "/" }
    defer { free(directory) }
    return String(cString: directory)
  }
}
