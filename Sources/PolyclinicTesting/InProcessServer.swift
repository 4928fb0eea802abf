import Foundation
import Logging
import PolyclinicCore
import PolyclinicDemonstration
import PolyclinicPlaces
import PolyclinicPortal
import PolyclinicServer
import PolyclinicServing
import PolyclinicStore
import PolyclinicTestDatabases
import PolyclinicVault
import PolyclinicWeb
import Synchronization

/// A portal that runs in the test's process, with a real database in a directory of its own.
package final class InProcessServer {
  private let own: TestDatabase
  let server: ServerContext
  let interrupted: InterruptedDatabase
  let trace: StatementTrace
  private let handler: RequestHandler
  private let deliveries: [any Delivery]
  private let lines = LogLines()

  /// Creates an installation in `directory`, which must exist and be empty.
  ///
  /// `mail` and `notify` are the commands that receive outgoing e-mails and lines to telephones; nil
  /// for a portal that sends none.
  /// `quota` is the storage limit of one person; nil for the default.
  package init(
    _ modules: [any Module], disabled: Set<ModuleID>, mail: String? = nil, notify: String? = nil,
    quota: Connection.StorageUse? = nil, settings: [String: Setting.Value] = [:],
    secondFactor: String = "optional", address: String = "later", clinic: String = "later",
    country: String = "BY",
    usefulContacts: UsefulContacts = UsefulContacts(),
    retentionYears: [ModuleID: Int] = [:], zone: Zone? = Zone("Europe/Minsk"),
    organization change: @Sendable (inout Portal.Organization) -> Void = { _ in },
    in directory: String, www: String, clock: @escaping @Sendable () -> Instant
  ) throws {
    let outgoing: [(any Delivery)?] = [
      mail.flatMap {
        OutgoingMail(command: $0, from: "Riverside Polyclinic <desk@clinic.example>")
      }, notify.flatMap(OutgoingLines.init),
    ]
    deliveries = outgoing.compactMap { delivery in
      var delivery = delivery
      // Longer than in production, because tests start many programs at once.
      delivery?.command.limit = .seconds(300)
      return delivery
    }
    var organization = Portal.Organization(
      name: "Riverside Polyclinic", languages: Language.allCases, zone: zone ?? .utc)
    organization.contact = "privacy@clinic.example"
    organization.country = country
    change(&organization)
    var site = ServerContext.Site(origin: Self.origin, clinic: organization)
    site.sends = Set(deliveries.map(\.way))
    if let quota { site.quota = quota }
    site.secondFactor = SecondFactorRule(rawValue: secondFactor) ?? .optional
    site.addressRule = AskingRule(rawValue: address) ?? .later
    site.clinicRule = AskingRule(rawValue: clinic) ?? .later
    site.usefulContacts = usefulContacts
    var builder = InstallationBuilder(
      plugins: modules, isEnabled: { !disabled.contains($0) },
      settings: { id in
        Portal.Settings(modules.first { $0.id == id }?.settings ?? [], given: settings)
      }, site: site, files: Self.files(in: directory),
      moduleSwitch: SwitchWithoutEffect(), retentionYears: { retentionYears[$0] ?? 0 })
    builder.read = Phrasebook.prepared(of:after:)
    let installation = try builder.installation()
    let ring = try KeyRing.create(
      at: directory + "/master.key", today: CalendarDate(daysSince1970: 20_000))
    let counters = try Counters()
    let instruments = Instruments(counters, counters.claimShard())
    trace = StatementTrace(WriteWaits(instruments.counters, instruments.shard))
    own = try TestDatabase(
      at: directory + "/polyclinic.sqlite", installation.migrations, at: clock(), observer: trace)
    let database = own.stored
    try InstallationBuilder.establish(database, installation, ring: ring, at: clock())
    // The cheapest cost that Argon2id allows, because these tests are not about the cost of
    // hashing.
    let passwords = Passwords(cost: Argon2id(memory: 8, passes: 1, lanes: 1))
    interrupted = InterruptedDatabase(database)
    server = try builder.serverContext(
      installation, database: interrupted, ring: ring, passwords: passwords,
      assets: Assets.prepared(in: www), instruments: instruments,
      securityLog: lines.log("security"), clock: clock)
    handler = RequestHandler(server, log: lines.log("worker"))
  }

  private static func files(in directory: String) -> InstallationFiles {
    InstallationFiles(
      runDirectory: RunDirectory(directory), data: directory,
      database: directory + "/polyclinic.sqlite",
      backups: BackupDirectory(directory + "/backups"), backupEvery: .hours(24),
      backupsKept: 14)
  }

  package var database: any StoredDatabase { own.stored }

  /// The database's address as a configuration file has it.
  var databaseURL: String { own.url }

  /// Closes the database. No thread may be in a call.
  func close() { own.close() }

  /// The lines that the portal has logged, oldest first.
  package var logged: [String] { lines.all }

  /// Returns the hash that stands for an IP address in the log of security events.
  package func source(of address: String) -> String { SecurityLog.source(address, server.vault) }

  package static let origin = Portal.Origin(host: "clinic.example", port: 443)

  /// A response of the pipeline.
  package struct Reply {
    package let status: Int
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]
    /// True if the body was written completely.
    package let isWhole: Bool
    /// The errors that made the page or a part of it fail, with their reasons.
    package let failures: [String]
  }

  /// Sends a request through the pipeline, as a web server would.
  package func send(
    _ method: String, _ target: String, body: [UInt8] = [], cookies: String = "",
    headers: [String: String] = [:]
  ) -> Reply {
    let wire = WireRequest(
      id: "0123456789abcdef", method: method, target: target,
      host: headers["Host"] ?? server.site.origin.authority,
      address: headers["X-Address"] ?? "192.0.2.1", cookies: cookies,
      contentType: headers["Content-Type"] ?? "application/x-www-form-urlencoded",
      acceptLanguage: headers["Accept-Language"] ?? "en",
      userAgent: headers["User-Agent"] ?? "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
      fetchSite: headers["Sec-Fetch-Site"], origin: headers["Origin"],
      isOfflineCopy: headers["X-Offline-Copy"] != nil,
      api: WireRequest.APIHeaders(
        authorization: headers["Authorization"], ifMatch: headers["If-Match"],
        idempotencyKey: headers["Idempotency-Key"], antiForgery: headers["X-CSRF-Token"]))
    wire.readBody = { $0 < body.count ? .tooLarge : .bytes(body) }
    var failures: [String] = []
    CurrentRequest.name.thrown = { failures.append("\($0)") }
    defer { CurrentRequest.name.thrown = nil }
    let response = RunningRequest(name: "\(method) \(target)").run { handler.respond(to: wire) }
    var received: [UInt8] = []
    let sink = ByteSink { received += $0 }
    var isWhole = true
    do {
      try response.content.write(to: sink)
      try sink.flush()
    } catch {
      isWhole = false
      failures.append("\(error)")
    }
    return Reply(
      status: response.status,
      headers: response.headers.map { ($0.name.description, $0.value) },
      body: received, isWhole: isWhole, failures: failures)
  }

  /// Gives an account a role, as an administrator would. Does nothing if the login is unknown.
  package func grant(_ role: PolyclinicCore.Role, to login: String) throws {
    try database.write { connection in
      guard var account = try Account.find(login, server.vault, on: connection) else { return }
      account.roles.insert(role)
      try account.store(server.vault, on: connection)
    }
  }

  /// The routes of the enabled modules, as each module declares them under its settings.
  package var routes: [DeclaredRoute] {
    server.installation.enabled.flatMap { member in
      member.module.routes.map { route in
        DeclaredRoute(
          path: "/" + Router.segments(of: route, in: member).joined(separator: "/"),
          access: route.access,
          open: route.methods.filter { route.isOpen(to: $0, under: member.settings) },
          methods: route.methods,
          guardianAccess: route.guardianAccess ?? member.module.guardianAccess)
      }
    }
  }

  /// The history of the schema, by module.
  package var migrations: [(module: String, migrations: [Migration])] {
    server.installation.migrations
  }

  /// The unencrypted columns that modules declare in ``PersonalData``.
  var declarations: [String] {
    server.installation.members.flatMap { member in
      let data = member.module.personalData
      return data.kept.flatMap(\.columns) + data.impersonal.keys
    }
  }

  /// Returns the number of rows of each table, as the backup manifest counts them.
  package func rowCounts() throws -> [String: Int] {
    try database.read { try database.rowCounts(on: $0) }
  }

  /// Fills the installation with the fictional data of the demonstration. Its transaction runs once,
  /// because it takes as long as thousands of others.
  package func demonstrate() throws {
    try interrupted.withoutRepeating { try Demonstrator(server: server).fill() }
  }

  /// Runs all jobs of the enabled modules once, then sends the messages that are due.
  package func runJobs() throws {
    for member in server.installation.enabled {
      for job in member.module.jobs { _ = try job.run(server.portal(for: member)) }
    }
    try sendMessages()
  }

  /// Returns the messages of the enabled modules' failed health checks.
  package func checks() throws -> [String] {
    try server.installation.enabled.flatMap { member in
      try member.module.checks.compactMap { try $0.run(server.portal(for: member)) }
    }
  }

  /// Sends the e-mails and the lines to telephones that are due.
  package func sendMessages() throws {
    let log = Logger(label: "outbox") { _ in SwiftLogNoOpLogHandler() }
    for delivery in deliveries {
      _ = try Outbox(server: server, delivery: delivery, log: log).run(at: server.clock())
    }
  }

  /// Runs a module's command as a terminal would, and returns its exit status and output.
  package func run(_ module: ModuleID, _ words: [String]) throws -> (status: Int, text: String) {
    guard let member = server.installation.members.first(where: { $0.module.id == module }) else {
      throw Refusal.notFound
    }
    let commands = ModuleOwnCommands(module: member.module) { [server] _ in server }
    switch try commands.run(words) {
    case .done(let lines): return (0, lines.joined(separator: "\n"))
    case .failed(let sentence): return (1, sentence)
    case .misused(let sentence): return (2, sentence)
    }
  }

  /// Registers a person without an account, as reception would, and returns the person's keys.
  package func enter(_ newcomer: Portal.Newcomer) throws -> Keys {
    let now = server.clock()
    return try database.write {
      try Account.insertPerson(Profile(newcomer), server.vault, in: Work(at: now, on: $0))
    }
  }

  /// Lets a person act for another one with all rights, as if both had agreed.
  package func letAct(_ guardian: ID<Person>, for person: ID<Person>) throws {
    let now = server.clock()
    try database.write { connection in
      try Guardianship(of: guardian, givenBy: person, .all, until: nil, at: now)
        .save(server.vault, on: connection)
    }
  }

  /// Shows a person's records of a module to a doctor until a time, as the person's form does.
  package func show(
    _ module: ModuleID, of person: ID<Person>, to reader: ID<Person>, until end: Instant
  ) throws {
    let consent = SharingConsent(
      person: person, reader: reader, module: module, reason: .consent, startsAt: server.clock(),
      endsAt: end)
    try database.write { try consent.save(server.vault, on: $0) }
  }

  /// Erases a person as the portal does. Throws ``Refusal/conflict(_:)`` if something must be done
  /// first.
  package func erase(_ person: ID<Person>) throws {
    let now = server.clock()
    try database.write {
      var administrator = Administrator(vault: server.vault, author: .commandLine, now: now)
      try administrator.erase(person, asking: server.installation, on: $0)
    }
  }

  /// Returns the stored values that cannot be read, and the indexes that disagree with their
  /// records, in the words of `polyclinic check`.
  package func problems() throws -> [String] { try IntegrityCheck(server: server).problems() }

  /// Returns a module's part of the person's data export; null if the module is missing or exports
  /// nothing.
  package func export(by keys: Keys, from module: ModuleID) throws -> JSON {
    guard let member = server.installation.members.first(where: { $0.module.id == module }) else {
      return .null
    }
    let bytes = try database.read { connection in
      let work = Work(keys: keys, at: server.clock(), on: connection)
      return try JSON.Writer.bytes { try member.module.personalData.export(work, $0) }
    }
    return bytes.isEmpty ? .null : try JSON(reading: bytes)
  }

  /// Returns the keys of the user with this login, for tests that inspect stored data; nil if there
  /// is none.
  package func keys(of login: String) throws -> Keys? {
    try database.read { connection in
      guard let account = try Account.find(login, server.vault, on: connection) else { return nil }
      return try KeyStore(server.vault).unloggedKeys(of: account.person, on: connection)
    }
  }
}

/// A log that keeps its lines in memory, in the portal's own format.
private final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func log(_ label: String) -> Logger {
    Logger(label: label) { label in
      var handler = LineLogHandler(label: label)
      handler.metadataProvider = CurrentRequest.metadata
      return Keeping(form: handler) { line in self.lines.withLock { $0.append(line) } }
    }
  }

  private struct Keeping: LogHandler {
    var form: LineLogHandler
    let keep: @Sendable (String) -> Void
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { keep(String(decoding: form.line(of: event), as: UTF8.self)) }
  }
}

/// Accepts every switch of a module without effect, because nothing restarts in a test.
private struct SwitchWithoutEffect: ModuleSwitch {
  func set(_ module: ModuleID, enabled: Bool) -> ModuleSwitching { .reloading }
}
