import Glibc
import PolyclinicCore
import PolyclinicSystem

/// The address of a PostgreSQL database: the hosts on one of which its primary runs, the user, and
/// the file with the password.
///
/// A host of the network is reached by TLS alone, and must prove its name (`verify-full`). The C
/// library looks its name up, and knows no limit of time: it should be in `/etc/hosts`.
public struct PostgreSQLAddress: Sendable, Hashable, CustomStringConvertible {
  /// A server, or the directory of a server's unix socket.
  public struct Host: Sendable, Hashable {
    /// The name or number, or the path of the directory.
    public let name: String
    let port: String

    /// True for a unix socket.
    public var isSocket: Bool { name.hasPrefix("/") }
  }

  /// The address as it was written, which contains no password.
  public let url: String
  /// The path of the file with the password; nil if the server asks for none.
  public let passwordFile: String?
  /// The servers, of which one runs the primary.
  public let hosts: [Host]
  let user: String
  let database: String
  private let rootCertificates: String

  /// Debian's list of certificate authorities.
  private static let systemCertificates = "/etc/ssl/certs/ca-certificates.crt"

  /// Parses `postgresql://USER@HOST:PORT,HOST/DATABASE?sslmode=verify-full&sslrootcert=FILE`, or
  /// `postgresql:///DATABASE?host=DIRECTORY&user=USER` for a unix socket.
  ///
  /// Throws an error whose description names the mistake and the remedy, also if users other than
  /// the owner of the password file may read it.
  public init(parsing url: String, passwordFile: String? = nil) throws {
    let parts = try Parts(url)
    var settings = try parts.settings()
    rootCertificates = settings.removeValue(forKey: "sslrootcert") ?? Self.systemCertificates
    guard rootCertificates.hasPrefix("/") else {
      throw Misuse("The address must give sslrootcert as an absolute path")
    }
    let named = settings.removeValue(forKey: "user")
    guard let user = parts.user ?? named, !user.isEmpty else {
      throw Misuse("The address names no user: postgresql://USER@HOST/DATABASE")
    }
    guard !parts.database.isEmpty else {
      throw Misuse("The address names no database: postgresql://USER@HOST/DATABASE")
    }
    let port = settings.removeValue(forKey: "port") ?? "5432"
    hosts = try parts.hosts(or: settings.removeValue(forKey: "host"), port: port)
    for (name, only) in ["sslmode": "verify-full", "channel_binding": "require"] {
      guard settings.removeValue(forKey: name) ?? only == only else {
        throw Misuse("The address must not weaken \(name): leave it out, or write \(name)=\(only)")
      }
    }
    // Also a name from libpq's list: what weakens nothing today may do so in a later release.
    if let unknown = settings.keys.min() {
      throw Misuse("The address has a parameter that is not known here: \(unknown)")
    }
    self.url = url
    self.user = user
    self.database = parts.database
    self.passwordFile = passwordFile
    _ = try password()
  }

  /// The address without a password, which it never contains.
  public var description: String {
    let names = hosts.map { $0.isSocket ? $0.name : "\($0.name):\($0.port)" }
    return "\(database) on \(names.joined(separator: ", ")) as \(user)"
  }

  /// Returns the options of libpq for one of the hosts. Throws if the password cannot be read.
  ///
  /// Each option that the process's environment could set is given, because a variable such as
  /// PGSSLMODE sets each one that is not. An empty one is given, too, in this form.
  func options(for host: Host) throws -> String {
    let options = [
      ("host", host.name), ("hostaddr", ""), ("port", host.port), ("dbname", database),
      ("user", user), ("password", try password() ?? ""),
      // A path that leads nowhere: an empty one would mean the file in the home directory.
      ("passfile", "/dev/null/none"),
      ("sslmode", host.isSocket ? "disable" : "verify-full"),
      ("channel_binding", host.isSocket ? "disable" : "require"),
      ("sslrootcert", rootCertificates), ("sslcert", ""), ("sslkey", ""), ("sslcrl", ""),
      ("sslcrldir", ""), ("sslsni", "1"), ("sslcompression", "0"), ("requirepeer", ""),
      ("ssl_min_protocol_version", "TLSv1.2"), ("ssl_max_protocol_version", ""),
      ("gssencmode", "disable"), ("krbsrvname", "postgres"), ("gsslib", ""),
      ("client_encoding", "UTF8"), ("application_name", "polyclinic"),
      ("connect_timeout", "0"), ("target_session_attrs", "read-write"),
      ("tcp_user_timeout", "2000"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
      ("options", Self.serverSettings.map { "-c \($0)" }.joined(separator: " ")),
    ]
    return options.map { name, value in
      let escaped = value.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] }
      return "\(name)='\(String(escaped))'"
    }.joined(separator: " ")
  }

  /// The settings of each session:
  /// - A scan of a whole table conflicts with every writer of it under SERIALIZABLE, so that the
  ///   planner avoids it. What it cannot avoid seems so dear then that it would compile (`jit`).
  /// - The time limits free the server of sessions whose client is gone.
  private static let serverSettings = [
    "search_path=public", "enable_seqscan=off", "jit=off", "statement_timeout=30s",
    "idle_in_transaction_session_timeout=10s", "client_connection_check_interval=1s",
    "tcp_keepalives_idle=10", "tcp_keepalives_interval=5", "tcp_keepalives_count=3",
  ]

  /// Reads the password, at each connection, so that it can be changed.
  private func password() throws -> String? {
    guard let passwordFile else { return nil }
    let text: String
    do {
      let mode = try OpenFile.reading(passwordFile).status().st_mode
      guard mode & (S_IRWXG | S_IRWXO) == 0 else {
        throw Misuse("Others may read \(passwordFile): chmod 600 \(passwordFile)")
      }
      text = try TextFile.read(passwordFile)
    } catch let error as TextFileError { throw Misuse("\(passwordFile) \(error)") }
    let password = text.prefix { !$0.isNewline }
    guard !password.isEmpty, !password.contains("\0") else {
      throw Misuse("The first line of \(passwordFile) is no password")
    }
    return String(password)
  }
}

/// The parts of a URL, before the rules for them.
private struct Parts {
  private(set) var user: String?
  private(set) var database = ""
  private var places: [String] = []
  private var query: [Substring] = []

  init(_ url: String) throws {
    let scheme = ["postgresql://", "postgres://"].first { url.hasPrefix($0) }
    guard let scheme, !url.contains("#") else {
      throw Misuse("The address must begin with postgresql://")
    }
    let halves = url.dropFirst(scheme.count).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    query = halves.count > 1 ? halves[1].split(separator: "&") : []
    let path = halves[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    database = path.count > 1 ? try Self.decoded(path[1]) : ""
    var authority = path[0]
    if let at = authority.lastIndex(of: "@") {
      guard !authority[..<at].contains(":") else { throw Self.password }
      user = try Self.decoded(authority[..<at])
      authority = authority[authority.index(after: at)...]
    }
    places = authority.split(separator: ",").map(String.init)
  }

  /// The parameters behind the question mark.
  func settings() throws -> [String: String] {
    var settings: [String: String] = [:]
    for pair in query {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try Self.decoded(halves[0])
      if name == "password" { throw Self.password }
      guard halves.count > 1, settings[name] == nil else {
        throw Misuse("The address must give a parameter once, with a value: \(name)")
      }
      settings[name] = try Self.decoded(halves[1])
    }
    return settings
  }

  /// The hosts before the path, or the directory of a socket that a parameter names.
  func hosts(or socket: String?, port: String) throws -> [PostgreSQLAddress.Host] {
    guard places.isEmpty else {
      guard socket == nil else { throw Misuse("The address names its hosts twice") }
      return try places.map { try Self.host($0, port) }
    }
    guard let socket, socket.hasPrefix("/") else {
      throw Misuse("The address names no host: postgresql://USER@HOST/DATABASE")
    }
    return [.init(name: socket, port: try Self.checked(port))]
  }

  private static func host(_ place: String, _ standard: String) throws -> PostgreSQLAddress.Host {
    var name = place[...]
    var port = standard
    // An IPv6 address has colons of its own, and stands in brackets.
    if let colon = place.lastIndex(of: ":"), !place[colon...].contains("]") {
      name = place[..<colon]
      port = String(place[place.index(after: colon)...])
    }
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    let decoded = try decoded(name)
    guard !decoded.isEmpty, !decoded.contains(",") else {
      throw Misuse("The address has a host without a name")
    }
    return .init(name: decoded, port: try checked(port))
  }

  private static func checked(_ port: String) throws -> String {
    guard let number = UInt16(port), number > 0 else {
      throw Misuse("The address has a port that is no number from 1 to 65535")
    }
    return String(number)
  }

  private static func decoded(_ part: Substring) throws -> String {
    guard let text = percentDecoded(String(part)), !text.contains("\0") else {
      throw Misuse("The address has a % that stands for no character")
    }
    return text
  }

  private static let password = Misuse(
    "The address must not contain a password: write it into a file of mode 0600, and name the "
      + "file as password_file")
}
