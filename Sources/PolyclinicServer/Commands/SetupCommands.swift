import ArgumentParser
import Foundation
import Glibc
import PolyclinicCore
import PolyclinicStore
import PolyclinicSystem
import PolyclinicWeb

struct SetupCommand: InstallationCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Create what is missing of database, key and certificate, and print the first link.")

  @OptionGroup var options: InstallationOptions

  func run() throws {
    let local = try options.localInstallation()
    print(
      try local.createIfMissing(at: .current)
        ? "Made the database \(local.configuration.database.name) and its key "
          + "\(local.configuration.vault.keyFile)."
        : "The database and its key are there already.")
    if let line = try local.makeCertificate(environment: ProcessInfo.processInfo.environment) {
      print(line)
    }
    _ = try local.migrate(at: .current)
    if let link = try local.administratorLink(at: .current) {
      print("The first administrator is created here, once: \(link)")
    }
  }
}

extension LocalInstallation {
  /// Creates a self-signed certificate if none is there and its directory is writable. Returns a
  /// line for the terminal; nil if there is a certificate, or one that only root may see.
  func makeCertificate(environment: [String: String]) throws -> String? {
    let server = configuration.server
    let files = [server.certificate, server.certificateKey]
    guard files.contains(where: { access($0, F_OK) != 0 && errno == ENOENT }) else { return nil }
    guard access(FilePath.directory(of: server.certificate), W_OK) == 0 else {
      return "There is no certificate \(server.certificate), without which nginx does not start."
    }
    let certificate = Certificate(
      path: server.certificate, keyPath: server.certificateKey, host: server.origin.host)
    try certificate.makeIfMissing(environment: environment)
    return "Made the certificate \(server.certificate), which is self-signed: browsers warn of it."
  }
}

struct MigrateCommand: InstallationCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Bring the database's schema up to this release.")

  @OptionGroup var options: InstallationOptions

  func run() throws {
    let steps = try options.localInstallation().migrate(at: .current)
    for step in steps { print("\(step.module): \(step.name)") }
    if steps.isEmpty { print("The schema is up to date.") }
  }
}

struct CheckCommand: InstallationCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check configuration, key, database and modules.")

  @OptionGroup var options: InstallationOptions
  @Flag(help: "Rebuild the sealed indexes and other derived data.")
  var rebuild = false
  @Flag(help: "Check only whether this release understands configuration, key and schema.")
  var release = false

  func validate() throws {
    if release, rebuild { throw ValidationError("Give either --release or --rebuild.") }
  }

  func run() throws {
    let local = try options.localInstallation()
    if release {
      do { try local.requireCompatibility() } catch let check as UnansweredCheck {
        print(check)
        throw ExitCode(UnansweredCheck.exitStatus)
      }
      return print("This release understands configuration, key and schema.")
    }
    try local.requireAssets()
    print("The configuration \(local.configuration.path) is right.")
    let (database, ring) = try local.open()
    let migrations = try local.builder().installation().migrations
    let pending = try Migrator(database, migrations).pending()
    for step in pending { print("Not migrated yet: \(step.module) \(step.name)") }
    if !pending.isEmpty { print("To bring the schema up to this release: polyclinic migrate") }
    var problems = try database.integrityProblems()
    if database.dialect == .postgresql, pending.isEmpty {
      problems += try LocalInstallation.breaches(of: migrations, in: database)
    }
    if pending.isEmpty, problems.isEmpty {
      let server = try local.serverContext()
      if let line = try KeyRotation.unfinished(ring, database) { print(line) }
      let integrity = IntegrityCheck(server: server)
      if rebuild { problems += try rebuilt(by: integrity) }
      problems += try integrity.problems()
      for (name, result) in server.checkResults() {
        if let problem = result.problem { problems.append("\(name): \(problem)") }
        if let details = result.details { print("\(name): \(details)") }
      }
    }
    for path in local.files.copies.drafts() { print(DatabaseCopies.sentence(ofDraft: path)) }
    for path in try local.files.copies.former() { print(DatabaseCopies.sentence(of: path)) }
    let backupAge = try local.backupAge()
    print(try backupAge.sentence(at: .current))
    if let problem = try backupAge.problem(at: .current) { problems.append(problem) }
    guard problems.isEmpty, pending.isEmpty else {
      for problem in problems { print(problem) }
      throw ExitCode(1)
    }
    print(
      "The database \(local.configuration.database.name) passes its own check, and all that is sealed in "
        + "it opens.")
  }

  private func rebuilt(by integrity: IntegrityCheck) throws -> [String] {
    let problems = try integrity.rebuild()
    print("Made anew what is derived from the records.")
    return problems
  }
}

extension ServerContext {
  /// Returns the results of the modules' own checks, with the names of module and check.
  fileprivate func checkResults() -> [(name: String, result: CheckResult)] {
    installation.enabled.flatMap { member in
      member.checkResults(portal(for: member)).map { ("\(member.module.id)/\($0.check)", $0) }
    }
  }
}

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print the configuration, or the files that other programs need.",
    subcommands: [Show.self, Sample.self, NGINX.self, Balancer.self, Systemd.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print the configuration in force, with masked secrets.")
    @OptionGroup var options: InstallationOptions

    func run() throws { print(try options.localInstallation().configuration.listing) }
  }

  struct Sample: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sample", abstract: "Print a configuration to begin with.")
    @Option(help: "The address of the portal in browsers, such as https://clinic.example.")
    var origin = "https://localhost:8443"
    @Option(help: "The directory of data, keys and backups (default: that of the file).")
    var directory = ""

    func validate() throws {
      guard Portal.Origin(origin) != nil else {
        throw ValidationError("The origin must be https:// with a host in lower case.")
      }
    }

    func run() {
      let text = Configuration.sample(
        modules: LocalInstallation.known(Polyclinic.modules),
        timeZone: DataDirectory.systemTimeZone, origin: origin, directory: directory)
      print(text, terminator: "")
    }
  }

  struct NGINX: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "nginx", abstract: "Print a site for nginx, to include in http { }.")
    @OptionGroup var options: InstallationOptions

    func run() throws {
      let local = try options.localInstallation()
      let site = NginxSite(
        configuration: local.configuration, logs: "/var/log/nginx",
        paths: try SitePaths(local.builder().installation()))
      print(try site.text())
    }
  }

  struct Systemd: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "systemd", abstract: "Print a unit for systemd.")
    @OptionGroup var options: InstallationOptions

    func run() throws {
      let local = try options.localInstallation()
      let modules = try local.builder().installation().enabled.map(\.module)
      let unit = SystemdUnit(
        configuration: local.configuration, executable: Polyclinic.executable,
        usesNetwork: modules.contains { $0.jobs.contains(where: \.usesNetwork) })
      print(try unit.text())
    }
  }
}
