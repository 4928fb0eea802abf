import ArgumentParser
import Foundation
import PolyclinicCore
import PolyclinicStore

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make the database and its key where neither is there, and print the first link.")

  @OptionGroup var options: PlaceOptions

  func run() throws {
    let place = try options.place()
    print(
      try place.createIfMissing(at: .current)
        ? "Made the database \(place.databasePath) and its key \(place.configuration.vault.keyFile)."
        : "The database and its key are there already.")
    if let link = try place.administratorLink(at: .current) {
      print("The first administrator is created here, once: \(link)")
    }
  }
}

struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Bring the database's schema up to this release.")

  @OptionGroup var options: PlaceOptions

  func run() throws {
    let steps = try options.place().migrate(at: .current)
    for step in steps { print("\(step.module): \(step.name)") }
    if steps.isEmpty { print("The schema is up to date.") }
  }
}

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check configuration, key, database and modules.")

  @OptionGroup var options: PlaceOptions
  @Flag(help: "Make anew what is derived from the records, such as the sealed indexes.")
  var rebuild = false

  func run() throws {
    let place = try options.place()
    try place.requireAssets()
    print("The configuration \(place.configuration.path) is right.")
    let (database, ring) = try place.open()
    let pending = try Migrator(database, place.assembly().installation().migrations).pending()
    for step in pending { print("Not migrated yet: \(step.module) \(step.name)") }
    if !pending.isEmpty { print("To bring the schema up to this release: polyclinic migrate") }
    var problems = try database.integrityCheck()
    if pending.isEmpty, problems.isEmpty {
      let front = try place.front()
      if let line = try KeyRotation.unfinished(ring, database) { print(line) }
      let soundness = Soundness(front: front)
      if rebuild { problems += try rebuilt(by: soundness) }
      problems += try soundness.problems()
      for (name, finding) in front.findings() {
        if let problem = finding.problem { problems.append("\(name): \(problem)") }
        if let details = finding.details { print("\(name): \(details)") }
      }
    }
    print(try place.backupAge.sentence(at: .current))
    if let problem = try place.backupAge.problem(at: .current) { problems.append(problem) }
    guard problems.isEmpty, pending.isEmpty else {
      for problem in problems { print(problem) }
      throw ExitCode(1)
    }
    print(
      "The database \(place.databasePath) passes its own check, and all that is sealed in it opens."
    )
  }

  private func rebuilt(by soundness: Soundness) throws -> [String] {
    let problems = try soundness.rebuild()
    print("Made anew what is derived from the records.")
    return problems
  }
}

extension Front {
  /// What the modules' own checks found, with the names of module and check.
  fileprivate func findings() -> [(name: String, finding: Finding)] {
    installation.enabled.flatMap { member in
      member.findings(portal(for: member)).map { ("\(member.module.id)/\($0.check)", $0) }
    }
  }
}

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Print the configuration, or what other programs need of it.",
    subcommands: [Show.self, NGINX.self, Systemd.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "The configuration in force, secrets masked.")
    @OptionGroup var options: PlaceOptions

    func run() throws { print(try options.place().configuration.listing) }
  }

  struct NGINX: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "nginx", abstract: "A site for nginx, to be included in http { }.")
    @OptionGroup var options: PlaceOptions

    func run() throws {
      let place = try options.place()
      let site = NginxSite(
        configuration: place.configuration, logs: "/var/log/nginx",
        paths: try SitePaths(place.assembly().installation()))
      print(try site.text())
    }
  }

  struct Systemd: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "systemd", abstract: "A unit for systemd.")
    @OptionGroup var options: PlaceOptions

    func run() throws {
      let place = try options.place()
      let modules = try place.assembly().installation().enabled.map(\.module)
      let unit = SystemdUnit(
        configuration: place.configuration, executable: Polyclinic.executable,
        usesNetwork: modules.contains { $0.jobs.contains(where: \.usesNetwork) })
      print(try unit.text())
    }
  }
}
