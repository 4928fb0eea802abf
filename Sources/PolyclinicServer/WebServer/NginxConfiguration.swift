import Glibc
import PolyclinicSystem

/// A complete configuration for the portal's own nginx, which any user can start.
struct NginxConfiguration {
  let configuration: Configuration
  /// The directory of its process id, logs and temporary files. It must exist.
  let directory: String
  /// The user of nginx's worker processes; nil if nginx is not started by root.
  let user: String?
  var paths = SitePaths()
  var capacity = NginxCapacity.possible

  /// Returns the text. Throws ``ConfigurationError`` for a path that nginx's syntax cannot express.
  func text() throws -> String {
    try Template(PackageResources.nginx_conf).filled([
      "user": user.map { "user \($0);" } ?? "",
      "descriptors": capacity.descriptors,
      "connections": capacity.connections,
      "site": NginxSite(configuration: configuration, logs: directory, paths: paths).text(),
      "directory": PathSyntax.nginx.checked(directory),
    ])
  }

  /// Returns the user for the worker processes of root's nginx: `www-data` if it can reach all of
  /// these paths, otherwise root. Nil if this process is not root and cannot choose.
  static func user(reaching paths: [String]) -> String? {
    guard geteuid() == 0 else { return nil }
    guard getpwnam("www-data") != nil, paths.allSatisfy(isOpen) else { return "root root" }
    return "www-data"
  }

  /// True if every user may pass all directories above the path.
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

/// The connections and file descriptors of each nginx worker process.
///
/// nginx cannot limit the idle connections of one address, so it needs room for thousands of slow
/// ones. A connection takes about 400 bytes at the start of nginx.
struct NginxCapacity: Equatable {
  let descriptors: Int

  /// Room for about 16 000 clients.
  static let wanted = NginxCapacity(descriptors: 32_768)

  /// A request that is passed on takes two descriptors and two connections. Half of the descriptors
  /// are spare, for files.
  var connections: Int { descriptors / 2 }

  /// The capacity within the hard limit, which not even root may exceed in many containers.
  static var possible: NginxCapacity {
    var bound = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &bound) == 0 else { return wanted }
    return wanted.within(bound.rlim_max)
  }

  /// This capacity, or as much of it as a hard limit allows.
  func within(_ limit: rlim_t) -> NginxCapacity {
    NginxCapacity(descriptors: Int(min(rlim_t(descriptors), limit)))
  }
}
