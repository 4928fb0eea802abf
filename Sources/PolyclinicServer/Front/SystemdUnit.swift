/// The unit that `polyclinic config systemd` prints: the supervisor with no more rights than it uses.
struct SystemdUnit {
  let configuration: Configuration
  /// The program's absolute path.
  let executable: String
  /// True where a job of an enabled module starts a program that reaches other machines.
  let usesNetwork: Bool

  /// Throws ``ConfigurationError`` for a path that systemd cannot be told literally.
  func text() throws -> String {
    try """
    # Made by "polyclinic config systemd": /etc/systemd/system/polyclinic.service
    # The user is made by: adduser --system --group --home /var/lib/polyclinic polyclinic
    # nginx's workers reach the socket as members of its group: adduser www-data polyclinic

    [Unit]
    Description=Polyclinic
    After=network.target
    Before=nginx.service
    # Whatever ends it, and however often: it is started again.
    StartLimitIntervalSec=0

    [Service]
    ExecStart=\(quoted(executable)) serve --config \(quoted(configuration.path))
    ExecReload=/bin/kill -HUP $MAINPID
    Restart=always
    RestartSec=200ms
    # Workers finish what they have begun within 30 seconds.
    TimeoutStopSec=40
    KillMode=mixed
    User=polyclinic
    Group=polyclinic
    UMask=0027
    # A crash report would print memory, and memory holds health data.
    Environment=SWIFT_BACKTRACE=enable=no
    LimitCORE=0

    \(hardening)
    ReadWritePaths=\(writable())

    [Install]
    WantedBy=multi-user.target

    """
  }

  /// The portal itself opens no connection to another machine; the mail command and jobs' programs may.
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

  /// Hides home directories, unless something of the portal stands in one.
  private var home: String {
    let server = configuration.server
    let paths = [
      executable, configuration.path, server.www, server.socket, configuration.vault.keyFile,
      configuration.backup.directory,
    ]
    let isUsed = paths.contains { path in
      let top = path.split(separator: "/").first
      return top == "home" || top == "root" || path.hasPrefix("/run/user/")
    }
    return isUsed ? "read-only" : "yes"
  }

  private var hardening: String {
    """
    CapabilityBoundingSet=
    LockPersonality=yes
    MemoryDenyWriteExecute=yes
    NoNewPrivileges=yes
    PrivateDevices=yes
    PrivateTmp=yes
    PrivateUsers=yes
    ProcSubset=pid
    ProtectClock=yes
    ProtectControlGroups=yes
    ProtectHome=\(home)
    ProtectHostname=yes
    ProtectKernelLogs=yes
    ProtectKernelModules=yes
    ProtectKernelTunables=yes
    ProtectProc=invisible
    ProtectSystem=strict
    RemoveIPC=yes
    # By netlink the kernel tells how many connections wait.
    \(network)
    RestrictNamespaces=yes
    RestrictRealtime=yes
    RestrictSUIDSGID=yes
    SystemCallArchitectures=native
    SystemCallFilter=@system-service
    SystemCallFilter=~@privileged
    # The program that decodes pictures takes from itself what it does not need.
    SystemCallFilter=seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self
    """
  }

  /// The directories of socket, database and backups, where they are; the key's is only read.
  private func writable() throws -> String {
    var directories = [
      FilePath.directory(of: configuration.server.socket), configuration.backup.directory,
    ]
    switch configuration.database {
    case .sqlite(let path): directories.append(FilePath.directory(of: path))
    }
    return try Set(directories).sorted().map { try quoted("-" + $0) }.joined(separator: " ")
  }

  /// In systemd.syntax(7), `%` and `$` begin something and quotes and backslashes end or escape it.
  private func quoted(_ path: String) throws -> String {
    guard
      !path.unicodeScalars.contains(where: {
        "%$\"'\\".unicodeScalars.contains($0) || $0.value < 0x20
      })
    else {
      throw ConfigurationError(
        path, "holds a character that systemd gives a meaning of its own; choose another path")
    }
    return "\"\(path)\""
  }
}
