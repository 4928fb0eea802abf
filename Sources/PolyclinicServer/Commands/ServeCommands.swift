import ArgumentParser
import Foundation
import Logging
import PolyclinicCore
import PolyclinicStore
import Synchronization

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Make what is missing in $DATA, then run the portal and nginx in the foreground.")

  @Flag(help: "Fill a new database with a fictional town, and print its logins.")
  var demo = false

  func run() throws {
    let modules = Polyclinic.modules
    let first = FirstRun(
      executable: Polyclinic.executable, environment: ProcessInfo.processInfo.environment,
      modules: Place.known(modules), timeZone: demo ? TownPeople.timeZone : nil,
      // The town's people sign in with the password that everybody knows.
      secondFactor: demo ? .optional : .staff,
      paths: { try SitePaths(Place($0, plugins: modules).assembly().installation()) },
      prepare: { configuration in
        let place = Place(configuration, plugins: modules)
        _ = try place.createIfMissing(at: .current)
        if demo { try place.demonstrate() }
      },
      administratorLink: { configuration in
        let place = Place(configuration, plugins: modules)
        _ = try place.migrate(at: .current)
        return try place.administratorLink(at: .current)
      },
      hints: demo ? Demonstrator.logins : [],
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
    let server = place.configuration.server
    let plan = Plan(
      endpoint: Endpoint(path: server.socket),
      runDirectory: place.runDirectory.path, executable: Polyclinic.executable,
      workers: server.workers, backlog: server.backlog,
      host: server.origin.authority,
      availabilityFile: place.instrumentFiles.availability.path,
      workerArguments: ["worker"] + config,
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
    let server = place.configuration.server
    try MemoryBound(bytes: server.maxMemoryBytes).impose()
    let instruments = try place.sharedInstruments()
    instruments.lane.note(.threads, server.threads)
    let fatal = try FatalRequests.open(place.runDirectory.fatalRequestsFile)
    if fatal != nil { CrashWitness.begin() }
    let securityLog = Mutex<SecurityLog?>(nil)
    let worker = Worker(
      threads: server.threads, limit: .seconds(server.maxRequestSeconds),
      succession: Succession(path: server.socket), log: log,
      observe: {
        instruments.lane.note(.busy, $0.count(where: \.isBusy))
        securityLog.withLock { $0 }?.tellLeftOut(at: .current)
      },
      condition: { instruments.trouble.isThere ? .failing : .alive },
      prepare: {
        let front = try place.front(instruments)
        securityLog.withLock { $0 = front.securityLog }
        try instruments.trouble.startRecovery(of: front.database, log: log)
        let occupancy = Occupancy(threads: server.threads)
        return {
          FastCGIResponder(
            Answer(front, log: log), occupancy, witness: fatal.map { CrashWitness(of: $0) })
        }
      })
    let status = worker.run()
    securityLog.withLock { $0 }?.tellLeftOut()
    throw ExitCode(status)
  }
}

struct JobsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs", abstract: "Run the modules' jobs.", shouldDisplay: false)

  @OptionGroup var options: PlaceOptions

  func run() throws {
    let place = try options.place()
    try MemoryBound(bytes: place.configuration.server.maxMemoryBytes).impose()
    let instruments = try place.sharedInstruments()
    let process = JobsProcess(
      log: Logger(label: "jobs"),
      prepare: {
        let front = try place.front(instruments)
        let backups = try place.backupJob(log: Logger(label: "backup"))
        // A large database on a slow disk may take hours.
        let backup = Schedule.Task(name: "backup", limit: .hours(6), run: backups.run)
        let outbox = front.site.mail.map { mail in
          let outbox = Outbox(front: front, mail: mail, log: Logger(label: "mail"))
          return Schedule.Task(name: "mail", run: outbox.run)
        }
        let sealing = AccountSealing(database: front.database, vault: front.vault)
        let seal = Schedule.Task(name: "account/seal", run: sealing.run)
        return [backup, seal] + (outbox.map { [$0] } ?? [])
          + front.installation.enabled.flatMap { member in
            let portal = front.portal(for: member)
            return member.module.jobs.map { job in
              Schedule.Task(name: "\(member.module.id)/\(job.name)", limit: job.limit) { _ in
                try job.run(portal)
              }
            }
          }
      }, counters: instruments.counters)
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

extension Place {
  /// Whether e-mails go out; nil where none are sent.
  fileprivate func mailTrouble(at now: Instant) throws -> MailTrouble? {
    guard configuration.mail != nil, FilePath.exists(databasePath) else { return nil }
    let database = try SQLiteDatabase.open(databasePath)
    defer { database.close() }
    return try database.read { try MailTrouble.find(at: now, on: $0) }
  }
}

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "What runs, since when, and how well; fails when nothing runs.")

  @OptionGroup var options: PlaceOptions

  func run() throws {
    let place = try options.place()
    let now = Instant.current
    let glance = Glance(place.instrumentFiles, at: now) { try place.mailTrouble(at: now) }
    let modules = try place.assembly().installation().enabled.filter { !$0.isBuiltIn }
    print(glance.text(modules: modules.map(\.module.id.rawValue), at: now), terminator: "")
    if glance.processes == nil { throw ExitCode(1) }
  }
}
