import Glibc
import Logging
import PolyclinicCore
import PolyclinicCryptography
import PolyclinicPortal
import PolyclinicServing
import PolyclinicSystem
import PolyclinicVault

/// The duties of a machine that shares its database with others: every five seconds it renews the
/// lease of the jobs, reports itself, reloads after a switch of a module, and logs erasures. A thread
/// of the jobs process does it, which every machine has once.
struct MachineDuties: Sendable {
  let database: any Database
  let lease: JobLease
  /// The name of this machine.
  let name: String
  /// Returns what the machine runs with.
  let setup: @Sendable () throws -> Machine.Setup
  let erasures: ErasureLog
  /// The revision of the switches with which the machine's processes run.
  var revision: Int
  /// Asks the supervisor for a reload.
  let reload: @Sendable () throws -> Void
  let log: Logger
  private let process = Int64.random(in: 1 ... .max)
  private var hasReported = false
  /// The ``Uptime`` in milliseconds at which the erasures were last logged.
  private var logged: Int64?

  private static let interval: Int32 = 5_000
  /// Milliseconds between two looks for erasures.
  private static let erasureInterval: Int64 = 60_000

  init(
    database: any Database, lease: JobLease, name: String,
    setup: @escaping @Sendable () throws -> Machine.Setup, erasures: ErasureLog, revision: Int,
    reload: @escaping @Sendable () throws -> Void, log: Logger
  ) {
    self.database = database
    self.lease = lease
    self.name = name
    self.setup = setup
    self.erasures = erasures
    self.revision = revision
    self.reload = reload
    self.log = log
  }

  /// Starts a thread that does the duties until the process ends. Throws ``SystemError``.
  func start() throws {
    _ = try SystemThread { [self] in
      var duties = self
      while true {
        do { try duties.perform() } catch {
          // An error of the database names no value, and the others name files.
          let reason = (error as? DatabaseError)?.detail ?? "\(error)"
          log.error("other machines do not hear of this one", metadata: ["reason": "\(reason)"])
        }
        poll(nil, 0, Self.interval)
      }
    }
  }

  /// Does all duties once, the most urgent one first. Throws the first error.
  mutating func perform(
    at now: Instant? = nil, uptime: Int64 = Uptime.milliseconds
  ) throws {
    try lease.renew(at: now, uptime: uptime)
    try report(at: now)
    try followSwitches()
    if logged.map({ uptime - $0 >= Self.erasureInterval }) ?? true {
      try erasures.append(allIn: database)
      logged = uptime
    }
  }

  private mutating func report(at now: Instant?) throws {
    let setup = try setup()
    let isAlone = try database.write { connection in
      if !hasReported { try Machine.forgetGone(at: now, on: connection) }
      return try Machine.report(name, setup, by: process, at: now, on: connection)
    }
    if hasReported, !isAlone {
      log.error(
        "another machine has the same name: give each one a name in server.machine",
        metadata: ["machine": "\(name)"])
    }
    hasReported = true
  }

  /// Asks for one reload after each switch. If it fails, the log of the supervisor says why.
  private mutating func followSwitches() throws {
    let current = try database.read { try ModuleSwitches(on: $0) }.revision
    guard current != revision else { return }
    revision = current
    try reload()
  }
}

extension LocalInstallation {
  /// Returns the duties of this machine; nil if the database belongs to it alone.
  func machineDuties() throws -> MachineDuties? {
    guard configuration.database.isShared else { return nil }
    let database = try configuration.database.open()
    let name = configuration.server.machine
    let noted = try Counters.open(runDirectory.countersFile).map { Int($0.shards[0][.switches]) }
    return MachineDuties(
      database: database, lease: JobLease(of: name, in: database), name: name,
      setup: { try setup() }, erasures: ErasureLog(directory: files.backups.path),
      revision: try noted ?? switches(in: database).revision,
      reload: { [directory = runDirectory] in
        // Without a supervisor, nothing runs that could be reloaded.
        guard let pid = try PidFile.holder(of: directory.pidFile) else { return }
        guard kill(pid, SIGHUP) == 0 else { throw SystemError("kill", on: "\(pid)") }
      }, log: Logger(label: "machine"))
  }

  /// Returns what this machine runs with, as this process has read the configuration.
  private func setup() throws -> Machine.Setup {
    Machine.Setup(
      version: ProductVersion.current.description, configuration: configuration.sharedDigest,
      keyRing: try KeyRing.load(at: configuration.vault.keyFile).digest)
  }
}

extension KeyRing {
  /// The digest of the ids of all keys.
  var digest: String { ids.map(\.description).joined(separator: " ").shortDigest }
}

extension Configuration {
  /// The digest of the settings in which machines that share a database should agree: all but paths
  /// and the size of the machine. Modules are switched in the database.
  var sharedDigest: String {
    var shared = self
    shared.database = .sqlite(path: "")
    shared.vault.keyFile = ""
    shared.backup.directory = ""
    shared.server = Server(
      origin: server.origin, machine: "", balancers: [], socket: "", data: "", workers: 0,
      threads: 0, www: "",
      maxBodyBytes: server.maxBodyBytes, maxRequestSeconds: server.maxRequestSeconds,
      maxMemoryBytes: 0, certificate: "", certificateKey: "",
      hasStrictSubdomains: server.hasStrictSubdomains)
    for id in shared.modules.keys { shared.modules[id]?.isEnabled = false }
    return shared.listing.shortDigest
  }
}

extension String {
  /// The first 64 bits of the SHA-256 digest, in hexadecimal.
  fileprivate var shortDigest: String {
    Array(SHA256.digest(of: Array(utf8)).prefix(8)).hexadecimalText
  }
}
