import Glibc

/// A whole configuration of an nginx of the portal's own, which any user can start.
struct NginxConfiguration {
  let configuration: Configuration
  /// Where its process id, logs and temporary files are; it must be there.
  let directory: String
  /// As whom the workers run; nil for an nginx that root did not start.
  let user: String?
  var paths = SitePaths()
  var capacity = NginxCapacity.possible

  /// Throws ``ConfigurationError`` for a path that cannot be written in nginx's language.
  func text() throws -> String {
    let site = try NginxSite(
      configuration: configuration, logs: directory, paths: paths
    ).text()
    let temporary = try ["client_body", "fastcgi", "proxy", "scgi", "uwsgi"].map {
      "  \($0)_temp_path \(try Nginx.quoted(FilePath.join(directory, $0)));"
    }
    return try """
    # Made by "polyclinic run", anew at each start.
    \(user.map { "user \($0);\n" } ?? "")daemon off;
    pid \(Nginx.quoted(FilePath.join(directory, "nginx.pid")));
    error_log stderr alert;
    worker_processes auto;
    worker_shutdown_timeout 10s;
    \(capacity.limit)
    \(capacity.events)
    http {
      sendfile on;
      tcp_nopush on;
      default_type application/octet-stream;
    \(temporary.joined(separator: "\n"))

    \(site)
    }

    """
  }

  /// As whom the workers of root's nginx run: as `www-data` where they then can reach all of these
  /// paths, else as root; nil when we are not root and cannot choose.
  static func user(reaching paths: [String]) -> String? {
    guard geteuid() == 0 else { return nil }
    guard getpwnam("www-data") != nil, paths.allSatisfy(isOpen) else { return "root root" }
    return "www-data"
  }

  /// Whether everybody may pass all directories above the path.
  private static func isOpen(_ path: String) -> Bool {
    var directory = FilePath.directory(of: path)
    while true {
      var status = stat()
      guard stat(directory, &status) == 0, status.st_mode & 0o001 != 0 else { return false }
      if directory == "/" { return true }
      directory = FilePath.directory(of: directory)
    }
  }
}
