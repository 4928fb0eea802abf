import Glibc
import PolyclinicCore
import PolyclinicPlaces
import PolyclinicPortal
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb
import Yams

extension Configuration {
  /// Reads and checks a file. Throws ``ConfigurationError`` with all of its problems.
  ///
  /// - Parameters:
  ///   - modules: The modules of this program; the file may name no other.
  ///   - environment: `PORT` and `POLYCLINIC_VAULT_KEY_FILE` override the file.
  static func load(
    _ path: String, modules: [KnownModule], environment: [String: String]
  ) throws -> Configuration {
    let path = FilePath.absolute(path)
    return try parse(
      try text(of: path), path: path, modules: modules, environment: environment)
  }

  /// Returns the text of a configuration file. Throws ``ConfigurationError``.
  static func text(of path: String) throws(ConfigurationError) -> String {
    do { return try TextFile.read(path) } catch { throw ConfigurationError(path, error) }
  }

  /// Parses the text of a file at `path`, like ``load(_:modules:environment:)``.
  static func parse(
    _ text: String, path: String, modules: [KnownModule], environment: [String: String]
  ) throws -> Configuration {
    let problems = ConfigurationProblems(source: path)
    let reader = ConfigurationReader(
      root: try compose(text, path: path), directory: FilePath.directory(of: path),
      environment: environment, problems: problems)
    let configuration = reader.configuration(path: path, modules: modules)
    guard problems.all.isEmpty else { throw ConfigurationError(problems.all) }
    return configuration
  }

  /// Returns the tree of a YAML text, with the position of each node; nil for an empty text.
  static func compose(_ text: String, path: String) throws -> Node? {
    let problems = ConfigurationProblems(source: path)
    do {
      return try Yams.compose(yaml: text, .default, .default, .utf8)
    } catch YamlError.scanner(_, let problem, let mark, _) {
      let message = tabRemedy(in: text, at: mark.line) ?? "is not YAML: \(problem)"
      problems.add("", at: mark, message)
    } catch YamlError.parser(_, let problem, let mark, _) {
      problems.add("", at: mark, "is not YAML: \(problem)")
    } catch YamlError.composer(_, let problem, let mark, _) {
      problems.add("", at: mark, "is not YAML: \(problem)")
    } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
      let message = "is set more than once in its section (first here): keep one"
      problems.add(keys.first ?? "", at: context.mark, message)
    } catch {
      problems.add("", at: nil, "is not YAML that can be read")
    }
    throw ConfigurationError(problems.all)
  }
}

extension Configuration {
  /// Returns the message for a line that YAML refuses, if it is indented with a tab; else nil.
  private static func tabRemedy(in text: String, at line: Int) -> String? {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.indices.contains(line - 1),
      lines[line - 1].prefix(while: { $0 == " " || $0 == "\t" }).contains("\t")
    else { return nil }
    return "is indented with a tab, which YAML does not allow: use spaces"
  }
}

/// Reads the sections one by one. It reports each problem and continues with a default value.
struct ConfigurationReader {
  let root: ConfigurationSection
  let modules: Node?
  let directory: String
  let environment: [String: String]
  let problems: ConfigurationProblems

  private static let sections = [
    "server", "database", "vault", "clinic", "mail", "notify", "backup", "storage", "accounts",
    "guardianship", "retention", "useful_contacts", "modules",
  ]

  private let accounts: ConfigurationSection

  init(
    root node: Node?, directory: String, environment: [String: String],
    problems: ConfigurationProblems
  ) {
    root = ConfigurationSection(
      node, path: "", known: Self.sections, what: "section", problems: problems)
    modules = root["modules"]
    accounts = root.section("accounts", known: ["second_factor", "address", "clinic"])
    self.directory = directory
    self.environment = environment
    self.problems = problems
  }

  func configuration(path: String, modules known: [Configuration.KnownModule]) -> Configuration {
    let database = database()
    return Configuration(
      path: path, server: server(database), database: database, vault: vault(), clinic: clinic(),
      mail: mail(), notify: notify(), backup: backup(), storage: storage(),
      secondFactor: secondFactor(),
      addressRule: askingRule("address"), clinicRule: askingRule("clinic"),
      guardianship: guardianship(),
      retentionYears: retentionYears(known), usefulContacts: usefulContacts(),
      modules: ConfigurationModules(problems: problems).read(modules, known: known))
  }

  private func server(_ database: Configuration.Database) -> Configuration.Server {
    let section = root.section(
      "server",
      known: [
        "origin", "listen", "data", "workers", "threads", "www", "max_body_bytes",
        "max_request_seconds", "max_memory_bytes", "certificate", "certificate_key",
        "hsts_subdomains", "machine", "balancers",
      ])
    return Configuration.Server(
      origin: origin(section), machine: machine(section), balancers: balancers(section),
      socket: socket(section),
      data: section.text("data").map(absolute) ?? database.directory ?? absolute("data"),
      workers: section.integer("workers", in: 1...64) ?? 2,
      threads: section.integer("threads", in: 1...64) ?? 4,
      www: www(section),
      maxBodyBytes: section.integer("max_body_bytes", in: 65_536...RequestChecks.bodyLimit)
        ?? RequestChecks.bodyLimit,
      maxRequestSeconds: section.integer("max_request_seconds", in: 2...600) ?? 30,
      maxMemoryBytes: section.integer("max_memory_bytes", in: (256 << 20)...(64 << 30)) ?? 512
        << 20,
      certificate: absolute(section.text("certificate") ?? "certificate/certificate.pem"),
      certificateKey: absolute(section.text("certificate_key") ?? "certificate/key.pem"),
      hasStrictSubdomains: section.boolean("hsts_subdomains") ?? false)
  }

  /// A kept release uses its own files, because the configured directory belongs to the installed
  /// release.
  private func www(_ section: ConfigurationSection) -> String {
    let configured = section.text("www").map(absolute)
    return StaticFiles.directory(ofKept: FilePath.executable) ?? configured
      ?? StaticFiles.directory(beside: FilePath.executable)
  }

  private func origin(_ section: ConfigurationSection) -> Portal.Origin {
    var origin = Portal.Origin(host: "localhost", port: 8443)
    if let text = section.text("origin") {
      if let given = Portal.Origin(text) {
        origin = given
      } else {
        section.refuse(
          "origin",
          "must be https:// with a host in lower case and, if need be, a port, and nothing after it"
        )
      }
    }
    guard let port = environment["PORT"], !port.isEmpty else { return origin }
    guard let number = Int(port), Portal.Origin.ports.contains(number) else {
      problems.add(variable: "PORT", "must be an integer from 1 to 65535")
      return origin
    }
    return Portal.Origin(host: origin.host, port: number)
  }

  private func socket(_ section: ConfigurationSection) -> String {
    let text = section.text("listen") ?? "unix:run/polyclinic.sock"
    guard text.hasPrefix("unix:"), text.utf8.count > "unix:".utf8.count else {
      section.refuse("listen", "must be unix: and the path of a socket; nothing else is secure")
      return ""
    }
    let path = absolute(String(text.dropFirst("unix:".count)))
    // `sun_path` of `sockaddr_un` holds 108 bytes, including the final zero.
    if path.utf8.count > 107 {
      section.refuse(
        "listen",
        "makes a path of \(path.utf8.count) bytes, and a socket's has at most 107; use a shorter one"
      )
    }
    return path
  }

  private func vault() -> Configuration.Vault {
    let section = root.section("vault", known: ["key_file"])
    let path = section.text("key_file") ?? "keys/master.key"
    if let given = environment["POLYCLINIC_VAULT_KEY_FILE"], !given.isEmpty {
      return Configuration.Vault(keyFile: FilePath.absolute(given))
    }
    return Configuration.Vault(keyFile: absolute(path))
  }

  private func mail() -> Configuration.Mail? {
    guard root["mail"] != nil else { return nil }
    let section = root.section("mail", known: ["command", "from"])
    let command = section.text("command")
    let from = section.text("from")
    for key in ["command", "from"] where !section.has(key) {
      section.refuse(key, "is missing; without mail, leave the whole section out")
    }
    checkCommand(command, in: section)
    if let from, Mailbox(from) == nil {
      section.refuse(
        "from", "must be an e-mail address, such as \"Riverside <desk@clinic.example>\"")
    }
    return Configuration.Mail(command: command ?? "", from: from ?? "")
  }

  private func notify() -> Configuration.Notify? {
    guard root["notify"] != nil else { return nil }
    let section = root.section("notify", known: ["command"])
    let command = section.text("command")
    if !section.has("command") {
      section.refuse(
        "command", "is missing; without lines to telephones, leave the whole section out")
    }
    checkCommand(command, in: section)
    return Configuration.Notify(command: command ?? "")
  }

  private func checkCommand(_ command: String?, in section: ConfigurationSection) {
    guard let command else { return }
    if !command.trimmingPrefix("\"").hasPrefix("/") {
      section.refuse("command", "must begin with the absolute path of a program")
    } else if DeliveryCommand(command) == nil {
      section.refuse("command", "holds a quotation mark without its partner")
    }
  }

  private func backup() -> Configuration.Backup {
    let section = root.section("backup", known: ["directory", "every", "keep"])
    var every = Seconds.hours(24)
    if let text = section.text("every") {
      if let span = Self.span(text), span >= .minutes(1), span <= .days(365) {
        every = span
      } else {
        section.refuse("every", "must be a number with s, m, h or d, from 1m to 365d, such as 24h")
      }
    }
    return Configuration.Backup(
      directory: absolute(section.text("directory") ?? "backups"), every: every,
      keep: section.integer("keep", in: 1...10_000) ?? 14)
  }

  private func storage() -> Configuration.Storage {
    let section = root.section("storage", known: ["person_bytes", "person_records"])
    var storage = Configuration.Storage()
    // The minimum fits a profile and the largest file that may be imported.
    if let bytes = section.integer("person_bytes", in: (10 << 20)...(1 << 40)) {
      storage.personBytes = bytes
    }
    if let records = section.integer("person_records", in: 100...100_000_000) {
      storage.personRecords = records
    }
    return storage
  }

  /// Optional by default, so that an upgrade locks out no account without an authenticator app.
  private func secondFactor() -> SecondFactorRule {
    let section = accounts
    guard let text = section.text("second_factor") else { return .optional }
    if let rule = SecondFactorRule(rawValue: text) { return rule }
    let known = SecondFactorRule.allCases.map(\.rawValue).joined(separator: ", ")
    section.refuse("second_factor", "must be one of \(known)")
    return .optional
  }

  private func askingRule(_ key: String) -> AskingRule {
    guard let text = accounts.text(key) else { return .later }
    if let rule = AskingRule(rawValue: text) { return rule }
    let known = AskingRule.allCases.map(\.rawValue).joined(separator: ", ")
    accounts.refuse(key, "must be one of \(known)")
    return .later
  }

  private func guardianship() -> GuardianshipAges {
    let section = root.section("guardianship", known: ["review_at", "ends_at"])
    var ages = GuardianshipAges()
    if let end = section.integer("ends_at", in: 10...21) { ages.end = end }
    ages.review = min(ages.review, ages.end)
    if let review = section.integer("review_at", in: 0...21) {
      if review > ages.end { section.refuse("review_at", "must not be above ends_at") }
      ages.review = min(review, ages.end)
    }
    return ages
  }

  private func retentionYears(_ known: [Configuration.KnownModule]) -> [ModuleID: Int] {
    let keeping = known.filter(\.hasRetention).map(\.id)
    let section = root.section("retention", known: keeping.map(\.retentionKey))
    var years: [ModuleID: Int] = [:]
    for id in keeping { years[id] = section.integer(id.retentionKey, in: 0...100) ?? 0 }
    return years
  }

  private static func span(_ text: String) -> Seconds? {
    guard let number = Int(text.dropLast()), (1...100_000_000).contains(number) else { return nil }
    switch text.last {
    case "s": return .seconds(number)
    case "m": return .minutes(number)
    case "h": return .hours(number)
    case "d": return .days(number)
    default: return nil
    }
  }

  func absolute(_ path: String) -> String {
    FilePath.absolute(FilePath.join(directory, path))
  }
}
