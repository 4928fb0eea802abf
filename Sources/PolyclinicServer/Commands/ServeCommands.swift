import ArgumentParser
import Foundation
import Logging
import PolyclinicCore

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Make what is missing in $DATA, then run the portal and nginx in the foreground.")

  func run() throws {
    let modules = Polyclinic.modules
    let first = FirstRun(
      executable: Polyclinic.executable, environment: ProcessInfo.processInfo.environment,
      modules: Place.known(modules),
      prepare: { _ = try Place($0, plugins: modules).createIfMissing(at: .current) },
      administratorLink: { configuration in
        let place = Place(configuration, plugins: modules)
        _ = try place.migrate(at: .current)
        return try place.administratorLink(at: .current)
      },
      say: {
        print($0)
        fflush(nil)
      })
    throw ExitCode(try first.run())
  }
}

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Run the portal's processes until SIGTERM; SIGHUP reloads.")

  @OptionGroup var options: PlaceOptions

  func run() throws {
    let place = try options.place()
    try place.requireAssets()
    let config = ["--config", place.configuration.path]
    let plan = Plan(
      endpoint: .unix(path: place.configuration.server.socket),
      runDirectory: place.runDirectory.path, executable: Polyclinic.executable,
      workers: place.configuration.server.workers, workerArguments: ["worker"] + config,
      jobsArguments: ["jobs"] + config, migrateArguments: ["migrate"] + config)
    let log = Logger(label: "supervisor")
    try Supervisor(plan, log: log).run {
      for step in try place.migrate(at: .current) {
        log.info("migrated", metadata: ["module": "\(step.module)", "migration": "\(step.name)"])
      }
    }
  }
}

struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Answer FastCGI requests from the socket at descriptor 0.",
    shouldDisplay: false)

  @OptionGroup var options: PlaceOptions

  func run() throws {
    let place = try options.place()
    let log = Logger(label: "worker")
    let worker = Worker(threads: place.configuration.server.threads, log: log) {
      let front = try place.front()
      return { FastCGIResponder(Answer(front, log: log)) }
    }
    throw ExitCode(worker.run())
  }
}

struct JobsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs", abstract: "Run the modules' jobs.", shouldDisplay: false)

  @OptionGroup var options: PlaceOptions

  func run() throws {
    let place = try options.place()
    let process = JobsProcess(log: Logger(label: "jobs")) {
      let front = try place.front()
      return front.installation.enabled.flatMap { member in
        let portal = front.portal(for: member)
        return member.module.jobs.map { job in
          (name: "\(member.module.id)/\(job.name)", run: { (_: Instant) in try job.run(portal) })
        }
      }
    }
    throw ExitCode(process.run())
  }
}

struct ReloadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Replace the workers by new ones of the program and configuration as they are now.")

  @OptionGroup var options: PlaceOptions

  func run() throws {
    let place = try options.place()
    if let failure = try Reload(directory: place.runDirectory).run() {
      Polyclinic.say(failure)
      throw ExitCode(1)
    }
    print("Reloaded.")
  }
}

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "What runs.")

  @OptionGroup var options: PlaceOptions

  func run() throws {
    let place = try options.place()
    guard let status = try ProcessStatus.current(in: place.runDirectory) else {
      print("Polyclinic is not running.")
      throw ExitCode(1)
    }
    print(status.table(at: Instant.current), terminator: "")
  }
}
