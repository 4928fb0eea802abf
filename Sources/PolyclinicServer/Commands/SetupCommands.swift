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
    let (database, _) = try place.open()
    let pending = try Migrator(database, place.assembly().installation().migrations).pending()
    for step in pending { print("Not migrated yet: \(step.module) \(step.name)") }
    var problems = try database.integrityCheck()
    if pending.isEmpty { problems += try place.front().problems() }
    guard problems.isEmpty, pending.isEmpty else {
      for problem in problems { print(problem) }
      throw ExitCode(1)
    }
    print("The database \(place.databasePath) is whole, and its key opens it.")
    if rebuild { print("Made anew for \(try place.front().rebuildDerived()) people.") }
  }
}

extension Front {
  /// Makes anew what all modules derive, also those that are off, a transaction a person; for how many.
  func rebuildDerived() throws -> Int {
    let people: [ID<Person>] = try database.read {
      try $0.rows("SELECT id_person FROM people ORDER BY id_person") { $0.id(0) }
    }
    let derived = installation.members.flatMap(\.module.derived)
    for person in people {
      try database.write { connection in
        guard let keys = try KeyCabinet(vault).keys(of: person, on: connection) else { return }
        for one in derived { try one.rebuild(keys, connection) }
      }
    }
    return people.count
  }

  /// What the modules' own checks found wrong, a line each.
  func problems() -> [String] {
    installation.enabled.flatMap { member in
      member.findings(portal(for: member)).compactMap { finding in
        finding.problem.map { "\(member.module.id)/\(finding.check): \($0)" }
      }
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
      let configuration = try options.place().configuration
      print(try NginxSite(configuration: configuration, logs: "/var/log/nginx").text())
    }
  }

  struct Systemd: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "systemd", abstract: "A unit for systemd.")
    @OptionGroup var options: PlaceOptions

    func run() throws {
      let configuration = try options.place().configuration
      print(
        try SystemdUnit(configuration: configuration, executable: Polyclinic.executable).text())
    }
  }
}
