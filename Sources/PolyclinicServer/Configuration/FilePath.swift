import Glibc

/// Paths as texts: joined, made absolute, looked at.
enum FilePath {
  /// `path` as seen from `directory`; an absolute one stays as it is.
  static func join(_ directory: String, _ path: String) -> String {
    if path.hasPrefix("/") || directory.isEmpty { return path }
    return directory.hasSuffix("/") ? directory + path : directory + "/" + path
  }

  /// From the root on, without `.` and without `..`; links are not followed.
  static func absolute(_ path: String) -> String {
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

  /// All before the last slash.
  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// All after the last slash.
  static func name(of path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The path with all links followed; nil when there is nothing.
  static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The program that runs, by the path it was started from.
  static var executable: String? { real("/proc/self/exe") }

  private static var workingDirectory: String {
    guard let directory = getcwd(nil, 0) else { return "/" }
    defer { free(directory) }
    return String(cString: directory)
  }
}
