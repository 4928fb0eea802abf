import Foundation
import Glibc
import PolyclinicCore
import PolyclinicSystem
import PolyclinicWeb

/// The directory named by `DATA`: configuration, database, keys, socket, backups, certificate.
struct DataDirectory {
  let path: String
  let modules: [Configuration.KnownModule]
  /// The clinic's time zone in a new configuration; nil to use the machine's.
  var timeZone: String?
  /// The accounts that need a second factor, in a new configuration.
  var secondFactor = SecondFactorRule.staff
  /// The address of the database in a new configuration; nil for a SQLite file.
  var database: String?

  var configurationPath: String { FilePath.join(path, "polyclinic.yaml") }
  /// The directory of nginx's configuration, logs and temporary files.
  var nginxDirectory: String { FilePath.join(path, "run/nginx") }
  var nginxPath: String { FilePath.join(nginxDirectory, "nginx.conf") }

  /// Creates the directory and a sample configuration if they are missing.
  ///
  /// Throws ``SystemError``.
  func make() throws {
    try Self.makeDirectory(path)
    guard !FilePath.exists(configurationPath) else { return }
    let sample = Configuration.sample(
      modules: modules, timeZone: timeZone ?? Self.systemTimeZone, secondFactor: secondFactor,
      database: database)
    try TextFile.create(sample, at: configurationPath, mode: 0o600)
  }

  /// Creates the configured directories and the certificate if they are missing, and rewrites
  /// nginx's configuration.
  ///
  /// Throws ``SystemError``, ``FirstRunError`` and ``ConfigurationError``.
  func makeParts(
    of configuration: Configuration, paths: SitePaths, environment: [String: String]
  ) throws {
    let server = configuration.server
    let files = [
      configuration.vault.keyFile, server.certificate, server.certificateKey, server.socket,
    ]
    let directories = [server.data, configuration.backup.directory, nginxDirectory]
    for directory in files.map(FilePath.directory) + directories {
      try Self.makeDirectory(directory)
    }
    if let directory = configuration.database.directory { try Self.makeDirectory(directory) }
    let certificate = Certificate(
      path: server.certificate, keyPath: server.certificateKey, host: server.origin.host)
    try certificate.makeIfMissing(environment: environment)
    try writeNginxFile(configuration, paths)
  }

  private func writeNginxFile(_ configuration: Configuration, _ paths: SitePaths) throws {
    let server = configuration.server
    let user = NginxConfiguration.user(reaching: [
      path, FilePath.join(server.www, StaticFiles.mark),
    ])
    if let user, user == "www-data" { try open(server.socket, to: user) }
    let text = try NginxConfiguration(
      configuration: configuration, directory: nginxDirectory, user: user, paths: paths
    ).text()
    if FilePath.exists(nginxPath) {
      try TextFile.replace(text, at: nginxPath)
    } else {
      try TextFile.create(text, at: nginxPath, mode: 0o600)
    }
  }

  /// Gives the group of nginx's workers access to the socket, which inherits its directory's group.
  ///
  /// Changes only directories below the data directory, and follows no link there.
  private func open(_ socket: String, to user: String) throws {
    guard let group = getpwnam(user)?.pointee.pw_gid else { return }
    for (directory, mode) in [
      (path, mode_t(0o710)), (FilePath.directory(of: socket), 0o2750), (nginxDirectory, 0o2750),
    ] {
      let opened = try descend(to: directory)
      guard try opened.status().st_uid == 0 else {
        throw FirstRunError("\(directory) is not root's. Remove it, or give it to root.")
      }
      try opened.give(to: 0, group)
      try opened.permit(mode)
    }
  }

  private func descend(to directory: String) throws -> OpenFile {
    var current = try OpenFile(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    guard directory == path || directory.hasPrefix(path + "/") else {
      throw FirstRunError(
        "Root makes nginx's way to the socket in \(path) alone, and server.listen names one in "
          + "\(directory). Have it stand in \(path)/run.")
    }
    for name in directory.dropFirst(path.utf8.count).split(separator: "/") {
      current = try OpenFile(String(name), in: current, O_RDONLY | O_DIRECTORY)
    }
    return current
  }

  /// Creates a directory and its missing parents, for this user alone.
  private static func makeDirectory(_ path: String) throws {
    if mkdir(path, 0o700) == 0 { return }
    switch errno {
    case EEXIST:
      var status = stat()
      guard stat(path, &status) == 0 else { throw SystemError("make", on: path) }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw SystemError("make", ENOTDIR, on: path)
      }
    case ENOENT:
      try makeDirectory(FilePath.directory(of: path))
      guard mkdir(path, 0o700) == 0 else { throw SystemError("make", on: path) }
    default:
      throw SystemError("make", on: path)
    }
  }

  /// The machine's time zone, as Debian stores it; UTC if it is missing or unknown.
  static var systemTimeZone: String {
    guard FilePath.exists("/etc/timezone") else { return "UTC" }
    do {
      let name = try TextFile.read("/etc/timezone").trimmingCharacters(in: .whitespacesAndNewlines)
      return (ConfigurationReader.zone(name) ?? .utc).identifier
    } catch {
      return "UTC"
    }
  }
}
