import PolyclinicSystem

/// The unit that `polyclinic config systemd` prints. It gives the supervisor only the rights that
/// it uses, as `Templates/polyclinic.service` lists them.
struct SystemdUnit {
  let configuration: Configuration
  /// The program's absolute path.
  let executable: String
  /// True if a job of an enabled module starts a program that reaches other machines.
  let usesNetwork: Bool

  /// Returns the text. Throws ``ConfigurationError`` for a path that systemd's syntax cannot
  /// express.
  func text() throws -> String {
    try Template(PackageResources.polyclinic_service).filled([
      "executable": PathSyntax.systemd.checked(executable),
      "configuration": PathSyntax.systemd.checked(configuration.path),
      "home": home,
      "network": network,
      "writable": writable(),
    ])
  }

  /// The network restrictions. The portal itself connects to no other machine, but the mail command
  /// and programs of jobs may.
  private var network: String {
    guard configuration.mail == nil, !usesNetwork else {
      return "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK"
    }
    return """
      # Print this file anew when mail.command is configured or a module is enabled that needs the network.
      IPAddressDeny=any
      RestrictAddressFamilies=AF_UNIX AF_NETLINK
      """
  }

  /// Hides home directories, unless the portal uses a file in one.
  private var home: String {
    let server = configuration.server
    let paths = [
      executable, configuration.path, server.www, server.socket, configuration.vault.keyFile,
      configuration.backup.directory, server.data,
    ]
    let isUsed = paths.contains { path in
      let top = path.split(separator: "/").first
      return top == "home" || top == "root" || path.hasPrefix("/run/user/")
    }
    return isUsed ? "read-only" : "yes"
  }

  /// Returns the directories of the socket, the data, the database and the backups, if they exist.
  /// The key is only read.
  private func writable() throws -> String {
    let server = configuration.server
    let directories = [
      FilePath.directory(of: server.socket), server.data, configuration.backup.directory,
      configuration.database.directory ?? server.data,
    ]
    return try Set(directories).sorted()
      .map { "\"\(try PathSyntax.systemd.checked("-" + $0))\"" }.joined(separator: " ")
  }
}
