import ArgumentParser
import Foundation
import Logging
import PolyclinicCore
import PolyclinicPortal
import PolyclinicServing
import PolyclinicStore
import PolyclinicSystem
import PolyclinicWeb
import Synchronization

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract:
      "Create missing files in $DATA (default: data), then run portal and nginx in the foreground."
  )

  @Flag(help: "Fill a new database with a fictional town, and print its logins.")
  var demo = false

  func run() throws {
    let modules = Polyclinic.modules
    var known = LocalInstallation.known(modules)
    // A demonstration shows every module.
    if demo { for place in known.indices { known[place].isEnabledAtFirst = true } }
    let data = demo ? Polyclinic.demonstration : nil
    if demo, data == nil { throw Misuse("This program has no demonstration data.") }
    var environment = ProcessInfo.processInfo.environment
    environment[Polyclinic.demonstrationVariable] = demo ? "yes" : nil
    let first = FirstRun(
      executable: Polyclinic.executable, environment: environment,
      modules: known, timeZone: data?.timeZone,
      // Optional in a demonstration, because the password of its logins is public.
      secondFactor: demo ? .optional : .staff,
      paths: { try SitePaths(LocalInstallation($0, plugins: modules).builder().installation()) },
      prepare: { configuration in
        let local = LocalInstallation(configuration, plugins: modules)
        _ = try local.createIfMissing(at: .current)
        if let data { try local.fill(with: data) }
      },
      administratorLink: { configuration in
        let local = LocalInstallation(configuration, plugins: modules)
        _ = try local.migrate(at: .current)
        return try local.administratorLink(at: .current)
      },
      hints: data?.logins ?? [],
      say: {
        print($0)
        fflush(nil)
      })
    throw ExitCode(try first.run())
  }
}

struct ServeCommand: InstallationCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Run the portal's processes until SIGTERM; SIGHUP reloads.")

  @OptionGroup var options: InstallationOptions

  func run() throws {
    let local = try options.localInstallation()
    try local.requireAssets()
    let server = local.configuration.server
    var supervisorOptions = SupervisorOptions(
      endpoint: Endpoint(path: server.socket), runDirectory: local.runDirectory.path,
      executable: Polyclinic.executable)
    supervisorOptions.releases = local.files.releases
    supervisorOptions.workers = server.workers
    supervisorOptions.backlog = server.backlog
    supervisorOptions.host = server.origin.authority
    supervisorOptions.answers = { AnswerCounts($0) }
    supervisorOptions.uptimeFile = local.files.uptime.path
    supervisorOptions.arguments = ["--config", local.configuration.path]
    let log = Logger(label: "supervisor")
    try Supervisor(supervisorOptions, log: log).run {
      for step in try local.migrate(at: .current) {
        log.info("migrated", metadata: ["module": "\(step.module)", "migration": "\(step.name)"])
      }
    }
  }
}

struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Answer FastCGI requests from the socket at descriptor 0.",
    shouldDisplay: false)

  @OptionGroup var options: InstallationOptions

  func run() throws {
    let local = try options.localInstallation()
    let log = Logger(label: "worker")
    let server = local.configuration.server
    try MemoryBound(bytes: server.maxMemoryBytes).impose()
    let instruments = try local.sharedInstruments()
    instruments.shard.note(.threads, server.threads)
    let fatal = try FatalRequests.open(local.runDirectory.fatalRequestsFile)
    if fatal != nil { CrashRecorder.begin() }
    let securityLog = Mutex<SecurityLog?>(nil)
    let worker = Worker(
      threads: server.threads, limit: .seconds(server.maxRequestSeconds),
      handover: SupervisorHandover(path: server.socket), log: log,
      observe: {
        instruments.shard.note(.busy, $0.count(where: \.isBusy))
        securityLog.withLock { $0 }?.logOmitted(at: .current)
      },
      condition: { instruments.writeHealth.isFailing ? .failing : .alive },
      prepare: {
        let serverContext = try local.serverContext(instruments)
        securityLog.withLock { $0 = serverContext.securityLog }
        try instruments.writeHealth.startRecovery(of: serverContext.database, log: log)
        let threadLimiter = ThreadLimiter(threads: server.threads)
        return {
          FastCGIResponder(
            RequestHandler(serverContext, log: log), threadLimiter,
            recorder: fatal.map { CrashRecorder(of: $0) })
        }
      })
    let status = worker.run()
    securityLog.withLock { $0 }?.logOmitted()
    throw ExitCode(status)
  }
}

struct JobsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs", abstract: "Run the modules' jobs.", shouldDisplay: false)

  @OptionGroup var options: InstallationOptions

  func run() throws {
    let local = try options.localInstallation()
    try MemoryBound(bytes: local.configuration.server.maxMemoryBytes).impose()
    let instruments = try local.sharedInstruments()
    let process = JobsProcess(
      log: Logger(label: "jobs"),
      prepare: {
        let duties = try local.machineDuties()
        let lease = duties?.lease
        let serverContext = try local.serverContext(instruments, lease: lease)
        let backups = try local.backupJob(lease: lease, log: Logger(label: "backup"))
        // The limit fits a large database on a slow disk, which may take hours.
        let backup = JobSchedule.Task(name: "backup", limit: .hours(6), run: backups.run)
        let outboxes = local.deliveries.map { delivery in
          let name = delivery.way.section
          let outbox = Outbox(
            server: serverContext, delivery: delivery, log: Logger(label: name))
          return JobSchedule.Task(name: name, run: outbox.run)
        }
        let shared =
          [backup] + outboxes
          + serverContext.installation.enabled.flatMap { member in
            let portal = serverContext.portal(for: member)
            return member.module.jobs.map { job in
              JobSchedule.Task(name: "\(member.module.id)/\(job.name)", limit: job.limit) { _ in
                try job.run(portal)
              }
            }
          }
        try duties?.start()
        return JobsProcess.Jobs(lease: lease, own: try local.keepingTask().map { [$0] } ?? []) {
          lease == nil ? shared : try JobFailures(in: serverContext.database).continued(by: shared)
        }
      }, counters: instruments.counters)
    throw ExitCode(process.run())
  }
}

struct ReloadCommand: InstallationCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Restart the workers with the current program and configuration.")

  @OptionGroup var options: InstallationOptions

  func run() throws {
    let local = try options.localInstallation()
    if let failure = try ReloadRequest(directory: local.runDirectory).run() {
      Polyclinic.say(failure)
      throw ExitCode(1)
    }
    print("Reloaded.")
  }
}

extension LocalInstallation {
  /// Opens the database, and returns what only it can tell.
  func stored(at now: Instant) throws -> StatusReport.Stored {
    let database = try configuration.database.open()
    defer { database.close() }
    var stored = StatusReport.Stored(warnings: try database.warnings())
    try database.read { connection in
      stored.outages = try DeliveryOutage.all(of: sends, at: now, on: connection)
      if configuration.database.isShared { stored.machines = try Machine.all(on: connection) }
    }
    return stored
  }
}

struct StatusCommand: InstallationCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the status of the portal. Exits with 1 if it is not running.")

  @OptionGroup var options: InstallationOptions

  func run() throws {
    let local = try options.localInstallation()
    let now = Instant.current
    let report = StatusReport(local.files, at: now) { try local.stored(at: now) }
    let switches = report.databaseFailure == nil ? try local.storedSwitches() : .none
    let modules = try local.builder(switches).installation().enabled.filter { !$0.isBuiltIn }
    print(report.text(modules: modules.map(\.module.id.rawValue), at: now), terminator: "")
    if report.processes == nil { throw ExitCode(1) }
  }
}
