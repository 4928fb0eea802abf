import Foundation
import Logging
import PolyclinicCore
import PolyclinicStore
import Synchronization

/// A portal in this process, with a real database in a directory of its own: what tests walk through.
package final class Rehearsal {
  package let database: SQLiteDatabase
  private let front: Front
  private let answer: Answer
  private let lines = LogLines()

  /// Makes a new installation in `directory`, which exists and is empty.
  ///
  /// `mail` is the command that takes its e-mails; nil for a portal that sends none. `quota` is the most
  /// that one person may store; nil for the default.
  package init(
    _ modules: [any Module], disabled: Set<ModuleID>, mail: String? = nil,
    quota: StorageUse? = nil, settings: [String: SettingValue] = [:],
    secondFactor: String = "optional", usefulContacts: UsefulContacts = UsefulContacts(),
    in directory: String, www: String,
    clock: @escaping @Sendable () -> Instant
  ) throws {
    var site = Front.Site(
      origin: Self.origin,
      clinic: Organization(
        name: "Riverside Polyclinic", languages: Language.allCases,
        zone: Zone("Europe/Minsk") ?? .utc,
        contact: "privacy@clinic.example"),
      mail: mail.flatMap {
        OutgoingMail(.init(command: $0, from: "Riverside Polyclinic <desk@clinic.example>"))
      })
    if let quota { site.quota = quota }
    site.secondFactor = SecondFactor.Rule(rawValue: secondFactor) ?? .optional
    site.usefulContacts = usefulContacts
    let assembly = Assembly(
      plugins: modules, isEnabled: { !disabled.contains($0) },
      settings: { id in
        Settings(modules.first { $0.id == id }?.settings ?? [], given: settings)
      }, site: site,
      moduleSwitch: SwitchWithoutEffect())
    let installation = try assembly.installation()
    let ring = try KeyRing.create(
      at: directory + "/master.key", today: CalendarDate(daysSince1970: 20_000))
    let instruments = try Self.instruments(in: directory)
    try SQLiteDatabase.create(instruments.files.database).close()
    database = try SQLiteDatabase.open(
      instruments.files.database,
      observer: WriteWaits(instruments.counters, instruments.lane))
    try Assembly.establish(database, installation, ring: ring, at: clock())
    // As costly as the function allows to be cheap: what hashing costs is not what these tests are about.
    let passwords = Passwords(cost: Argon2id(memory: 8, passes: 1, lanes: 1))
    front = try assembly.front(
      installation, database: database, ring: ring, passwords: passwords,
      assets: Assets(directory: www), instruments: instruments, securityLog: lines.log("security"),
      clock: clock)
    answer = Answer(front, log: lines.log("worker"))
  }

  private static func instruments(in directory: String) throws -> Instruments {
    let counters = try Counters()
    return Instruments(
      counters, counters.claimLane(),
      Instruments.Files(
        runDirectory: RunDirectory(directory), database: directory + "/polyclinic.sqlite",
        backups: BackupDirectory(directory + "/backups"), backupEvery: .hours(24),
        backupsKept: 14))
  }

  /// The lines that the portal has written to its log, the earliest first.
  package var logged: [String] { lines.all }

  /// The hash by which the log of security events names an address.
  package func source(of address: String) -> String { SecurityLog.source(address, front.vault) }

  package static let origin = Origin(host: "clinic.example", port: 443)

  /// What the pipeline answers.
  package struct Reply {
    package let status: Int
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]
    /// True if the body was written to its end.
    package let isWhole: Bool
  }

  /// Sends a request through the pipeline, as a web server would hand it over.
  package func send(
    _ method: String, _ target: String, body: [UInt8] = [], cookies: String = "",
    headers: [String: String] = [:]
  ) -> Reply {
    var wire = WireRequest()
    wire.method = method
    wire.target = target
    wire.host = headers["Host"] ?? front.site.origin.authority
    wire.cookies = cookies
    wire.contentType = headers["Content-Type"] ?? "application/x-www-form-urlencoded"
    wire.address = headers["X-Address"] ?? "192.0.2.1"
    wire.acceptLanguage = headers["Accept-Language"] ?? "en"
    wire.userAgent = headers["User-Agent"] ?? "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
    wire.fetchSite = headers["Sec-Fetch-Site"]
    wire.origin = headers["Origin"]
    wire.authorization = headers["Authorization"]
    wire.ifMatch = headers["If-Match"]
    wire.idempotencyKey = headers["Idempotency-Key"]
    wire.antiForgery = headers["X-CSRF-Token"]
    wire.id = "0123456789abcdef"
    wire.readBody = { $0 < body.count ? .tooLarge : .bytes(body) }
    let response = answer.respond(to: wire)
    var received: [UInt8] = []
    let sink = ByteSink { received += $0 }
    var isWhole = true
    do {
      try response.content.write(to: sink)
      try sink.flush()
    } catch { isWhole = false }
    return Reply(
      status: response.status,
      headers: response.headers.map { ($0.name.description, $0.value) },
      body: received, isWhole: isWhole)
  }

  /// Gives somebody a role, as an administrator would.
  package func grant(_ role: PolyclinicCore.Role, to login: String) throws {
    try database.write { connection in
      guard var account = try Account.find(login, front.vault, on: connection) else { return }
      account.roles.insert(role)
      try account.store(front.vault, on: connection)
    }
  }

  /// The routes of the enabled modules, each with its whole path, and true where it is open to everybody.
  package var routes: [(path: String, route: Route, isOpen: Bool)] {
    front.installation.enabled.flatMap { member in
      member.module.routes.map { route in
        let segments = Router.segments(of: route, in: member)
        return (
          "/" + segments.joined(separator: "/"), route, route.access.isOpen(under: member.settings)
        )
      }
    }
  }

  /// The readable columns that modules declare.
  var declarations: [String] {
    front.installation.members.flatMap { member in
      let data = member.module.personalData
      return data.kept.flatMap(\.columns) + data.impersonal.keys
    }
  }

  /// How many rows each table has, by SQLite's own table of counts.
  package func rowCounts() throws -> [String: Int] {
    try database.read { try BackupManifest.rowCounts(on: $0) }
  }

  /// Fills the installation with the fictional town of a demonstration.
  package func demonstrate() throws { try Demonstrator(front: front).fill() }

  /// Runs all jobs of the enabled modules once.
  package func runJobs() throws {
    for member in front.installation.enabled {
      for job in member.module.jobs { _ = try job.run(front.portal(for: member)) }
    }
    try sendMail()
  }

  /// The complaints of the enabled modules' health checks.
  package func checks() throws -> [String] {
    try front.installation.enabled.flatMap { member in
      try member.module.checks.compactMap { try $0.run(front.portal(for: member)) }
    }
  }

  /// Hands over the e-mails that are due.
  package func sendMail() throws {
    guard let mail = front.site.mail else { return }
    let log = Logger(label: "rehearsal") { _ in SwiftLogNoOpLogHandler() }
    _ = try Outbox(front: front, mail: mail, log: log).run(at: front.clock())
  }

  /// Runs a module's command as a terminal would: the status with which it ends, and what it prints.
  package func run(_ module: ModuleID, _ words: [String]) throws -> (status: Int, text: String) {
    guard let member = front.installation.members.first(where: { $0.module.id == module }) else {
      throw Refusal.notFound
    }
    let commands = ModuleOwnCommands(module: member.module) { [front] _ in front }
    switch try commands.run(words) {
    case .done(let lines): return (0, lines.joined(separator: "\n"))
    case .failed(let sentence): return (1, sentence)
    case .misused(let sentence): return (2, sentence)
    }
  }

  /// Makes somebody without an account, as a desk would; returns the person's keys.
  package func enter(_ newcomer: Newcomer) throws -> Keys {
    try database.write {
      try Account.insertPerson(Profile(newcomer), at: front.clock(), front.vault, on: $0)
    }
  }

  /// Erases a person as the portal does; throws ``Refusal/conflict(_:)`` with what is to be done first.
  package func erase(_ person: ID<Person>) throws {
    let administrator = Administrator(
      vault: front.vault, author: .commandLine, now: front.clock())
    try database.write { try administrator.erase(person, asking: front.installation, on: $0) }
  }

  /// What cannot be opened of what is kept, as `polyclinic check` says it.
  package func problems() throws -> [String] { try Soundness(front: front).problems() }

  /// What a module has of the person in the copy of their data; null for a module that is not there.
  package func export(by keys: Keys, from module: ModuleID) throws -> JSON {
    guard let member = front.installation.members.first(where: { $0.module.id == module }) else {
      return .null
    }
    let bytes = try database.read { connection in
      try JSONWriter.bytes { try member.module.personalData.export(keys, connection, $0) }
    }
    return bytes.isEmpty ? .null : try JSON(reading: bytes)
  }

  /// The keys of whoever has this login, for tests that look into what is stored.
  package func keys(of login: String) throws -> Keys? {
    try database.read { connection in
      guard let account = try Account.find(login, front.vault, on: connection) else { return nil }
      return try KeyCabinet(front.vault).keys(of: account.person, on: connection)
    }
  }
}

/// A log that keeps its lines, in the form in which the portal writes them.
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

/// Takes every wish; nothing begins anew in a rehearsal.
private struct SwitchWithoutEffect: ModuleSwitch {
  func set(_ module: ModuleID, enabled: Bool) -> ModuleSwitching { .reloading }
}
