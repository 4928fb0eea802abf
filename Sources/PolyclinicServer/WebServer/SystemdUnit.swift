import PolyclinicStore
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
      "predecessors": predecessors,
      "home": home,
      "network": network,
      "writable": writable(),
    ])
  }

  /// The network restrictions. The portal itself connects to its database alone, but the commands
  /// that send messages and programs of jobs may reach any machine.
  private var network: String {
    let hosts = configuration.database.hosts.filter { !$0.isSocket }.map(\.name)
    guard configuration.mail == nil, configuration.notify == nil, !usesNetwork,
      hosts.allSatisfy(Self.isFixed)
    else {
      return "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK"
    }
    let allowed =
      hosts.isEmpty ? "" : "IPAddressAllow=\(Set(hosts).sorted().joined(separator: " "))\n"
    return """
      # Print this file anew when the database's hosts change, mail.command or notify.command is \
      configured, or a module is enabled that needs the network.
      IPAddressDeny=any
      \(allowed)RestrictAddressFamilies=AF_UNIX \(hosts.isEmpty ? "" : "AF_INET AF_INET6 ")AF_NETLINK
      """
  }

  /// True for a host whose addresses systemd can list: a number, or this machine. The address of any
  /// other name may change, and only a name server, which must be reached, knows it.
  private static func isFixed(_ host: String) -> Bool {
    host == "localhost" || IPNetwork.isAddress(host)
  }

  /// The units to start after.
  private var predecessors: String {
    let network = "network.target"
    return configuration.database.hosts.isEmpty ? network : "\(network) postgresql.service"
  }

  /// Hides home directories, unless the portal uses a file in one.
  private var home: String {
    let server = configuration.server
    let paths =
      [
        executable, configuration.path, server.www, server.socket, configuration.vault.keyFile,
        configuration.backup.directory, server.data,
      ] + (configuration.database.passwordFile.map { [$0] } ?? [])
      + configuration.database.hosts.filter(\.isSocket).map(\.name)
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
