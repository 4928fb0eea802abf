import Foundation
import PolyclinicCore
import PolyclinicPlaces
import PolyclinicServer
import PolyclinicStore
import Synchronization

/// An in-process portal with a real database and the complete request pipeline, but without a
/// socket.
///
/// The database is a file of SQLite, or one of a PostgreSQL server that runs as long as the tests if
/// the environment has `POLYCLINIC_TEST_DATABASE=postgresql`.
///
/// Requests, jobs, checks and commands run the closure of each write twice: the first run is rolled
/// back, as after a conflict between machines, and the second is committed. A closure that does more
/// than ``PolyclinicCore/Database/write(_:)`` allows thus does it twice. The transactions of the
/// test itself, by ``write(_:)`` and ``database``, run once.
public final class TestPortal: Sendable {
  /// The time at which all tests begin: 2026-05-04T09:00:00Z, a Monday.
  ///
  /// The pages show 12:00, unless the test chooses another time zone than ``minsk``.
  public static let start = Instant(1_777_885_200)

  /// The time zone of the clinic, unless a test chooses another one: Europe/Minsk.
  public static let minsk = Zone("Europe/Minsk") ?? .utc

  let server: Mutex<InProcessServer>
  private let time: Clock
  /// The directory of the installation, with only the key and SQLite's database.
  public let directory: String
  public let database: any StoredDatabase
  private let trace: StatementTrace
  private let people = Mutex(0)

  /// Creates an installation of the built-in modules and `modules`, without any people.
  ///
  /// - Parameters:
  ///   - modules: The modules beside the built-in ones.
  ///   - disabled: The modules that are switched off.
  ///   - mail: The command, with its arguments, that receives e-mails while jobs run; nil to send
  ///     none.
  ///   - notify: The command, with its arguments, that receives lines to telephones while jobs run;
  ///     nil to send none.
  ///   - quota: The storage quota of one person; nil for the portal's default.
  ///   - settings: The settings of the modules, by key.
  ///   - secondFactor: The configuration's `accounts.second_factor`.
  ///   - address: The configuration's `accounts.address`.
  ///   - clinic: The configuration's `accounts.clinic`.
  ///   - country: The configuration's `clinic.country`.
  ///   - usefulContacts: The contacts by country, in place of the portal's own.
  ///   - retentionYears: The years of the configuration's section `retention`, by module.
  ///   - zone: The time zone of the clinic.
  ///   - organization: Changes the configuration's section `clinic`, such as its colour.
  public convenience init(
    _ modules: any Module..., disabled: Set<ModuleID> = [], mail: String? = nil,
    notify: String? = nil, quota: Connection.StorageUse? = nil,
    settings: [String: Setting.Value] = [:],
    secondFactor: String = "optional", address: String = "later", clinic: String = "later",
    country: String = "BY",
    usefulContacts: [String: [UsefulContact]] = [:],
    retentionYears: [ModuleID: Int] = [:], zone: Zone = TestPortal.minsk,
    organization: @Sendable (inout Portal.Organization) -> Void = { _ in }
  ) throws {
    try self.init(
      all: modules, disabled: disabled, mail: mail, notify: notify, quota: quota,
      settings: settings,
      secondFactor: secondFactor, address: address, clinic: clinic, country: country,
      usefulContacts: usefulContacts,
      retentionYears: retentionYears,
      zone: zone, organization: organization)
  }

  /// Creates an installation from a list of modules, such as all modules of a program.
  public init(
    all modules: [any Module], disabled: Set<ModuleID> = [], mail: String? = nil,
    notify: String? = nil, quota: Connection.StorageUse? = nil,
    settings: [String: Setting.Value] = [:],
    secondFactor: String = "optional", address: String = "later", clinic: String = "later",
    country: String = "BY",
    usefulContacts: [String: [UsefulContact]] = [:],
    retentionYears: [ModuleID: Int] = [:], zone: Zone = TestPortal.minsk,
    organization: @Sendable (inout Portal.Organization) -> Void = { _ in }
  ) throws {
    directory = NSTemporaryDirectory() + "polyclinic-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let time = Clock()
    let server = try InProcessServer(
      modules, disabled: disabled, mail: mail, notify: notify, quota: quota,
      settings: settings,
      secondFactor: secondFactor, address: address, clinic: clinic, country: country,
      usefulContacts: UsefulContacts(replacing: usefulContacts),
      retentionYears: retentionYears, zone: zone, organization: organization, in: directory,
      www: Self.www,
      clock: { time.now })
    database = server.database
    trace = server.trace
    self.time = time
    self.server = Mutex(server)
  }

  deinit {
    server.withLock { $0.close() }
    // The directory is in the system's temporary directory, so remaining files do no harm.
    unlink(directory + "/master.key")
    do { try FileManager.default.removeItem(atPath: directory) } catch { print("\(error)") }
  }

  /// The database's address as a configuration file has it.
  package var databaseURL: String { server.withLock(\.databaseURL) }

  /// The portal's current time.
  public var now: Instant {
    get { time.now }
    set { time.set(newValue) }
  }

  /// Returns a visitor who has not signed in, with a new browser.
  public func visitor(language: Language = .english) -> TestVisitor {
    TestVisitor(self, language: language)
  }

  /// Registers a new person with the form and returns the signed-in visitor.
  public func register(
    login: String? = nil, language: Language = .english, _ changes: [String: String] = [:]
  ) throws -> TestVisitor {
    let number = people.withLock { count in
      count += 1
      return count
    }
    let visitor = visitor(language: language)
    visitor.login = login ?? "person\(number)"
    let fields = TestVisitor.registration(login: visitor.login).merging(changes) { $1 }
    let answer = try visitor.submit("/register", fields)
    guard answer.status == 303 else { throw UnexpectedAnswer(answer) }
    return visitor
  }

  /// Registers a new administrator.
  public func administrator(_ changes: [String: String] = [:]) throws -> TestVisitor {
    try register(as: .administrator, login: "admin", changes)
  }

  /// Registers a new doctor, who is already approved.
  public func doctor(_ changes: [String: String] = [:]) throws -> TestVisitor {
    try register(as: .doctor, login: "doctor", changes)
  }

  /// Registers a new receptionist.
  public func receptionist(_ changes: [String: String] = [:]) throws -> TestVisitor {
    try register(as: .receptionist, login: "desk", changes)
  }

  private func register(
    as role: Role, login: String, _ changes: [String: String]
  ) throws -> TestVisitor {
    let visitor = try register(login: "\(login)\(people.withLock { $0 })", changes)
    try grant(role, to: visitor.login)
    return visitor
  }

  /// Runs a change once, in a transaction of its own, before the next one in which a request
  /// writes.
  package func beforeNextWrite(_ change: @escaping @Sendable (Connection) throws -> Void) {
    server.withLock { $0.interrupted.beforeNextWrite(change) }
  }

  public func grant(_ role: Role, to login: String) throws {
    try server.withLock { try $0.grant(role, to: login) }
  }

  /// The routes of the built-in and the enabled modules.
  public var routes: [DeclaredRoute] { server.withLock(\.routes) }

  /// The lines of the portal's log, the earliest first.
  public var log: [String] { server.withLock { $0.logged } }

  /// Returns the hash that replaces an address in the log.
  public func source(of address: String) -> String { server.withLock { $0.source(of: address) } }

  /// Returns a sentence for each column that is neither sealed nor declared, and for each declared
  /// one that does not exist.
  public func untoldColumns() throws -> [String] {
    try server.withLock { try $0.untoldColumns() }
  }

  /// Fills an empty portal with the fictional town of a demonstration.
  public func demonstrate() throws { try server.withLock { try $0.demonstrate() } }

  /// Runs `body` in a read transaction without a visitor, at the portal's time.
  public func read<Value>(_ body: (Work) throws -> Value) throws -> Value {
    try database.read { try body(Work(at: now, on: $0)) }
  }

  /// Runs `body` in a transaction without a visitor, at the portal's time.
  @discardableResult
  public func write<Value>(_ body: (Work) throws -> Value) throws -> Value {
    let now = now
    return try database.write { try body(Work(at: now, on: $0)) }
  }

  /// Runs `body` and returns the texts of the statements that the database ran meanwhile. The
  /// closures of writes run once in it.
  public func statements(_ body: () throws -> Void) rethrows -> [String] {
    let interrupted = server.withLock(\.interrupted)
    return try interrupted.withoutRepeating { try trace.statements(body) }
  }

  /// Runs `body` and returns how often the database waited for its server meanwhile: never for one of
  /// SQLite. The closures of writes run once in it.
  public func roundTrips(_ body: () throws -> Void) rethrows -> Int {
    let interrupted = server.withLock(\.interrupted)
    return try interrupted.withoutRepeating { try trace.roundTrips(body) }
  }

  /// Creates a person without an account, as a receptionist does, and returns the person's keys.
  public func enter(_ name: String) throws -> Keys {
    var newcomer = Portal.Newcomer()
    newcomer.name = name
    return try server.withLock { [newcomer] in try $0.enter(newcomer) }
  }

  /// The exit status and the output of a command.
  public struct Output: Sendable, Equatable {
    /// The exit status: 0, 1 (failed) or 2 (usage).
    public let status: Int
    /// The lines that the command printed.
    public let text: String
  }

  /// Runs a module's command; `words` are the arguments after `polyclinic ID`.
  public func run(_ module: ModuleID, _ words: [String]) throws -> Output {
    let (status, text) = try server.withLock { try $0.run(module, words) }
    return Output(status: status, text: text)
  }

  /// Runs every job once.
  public func runJobs() throws { try server.withLock { try $0.runJobs() } }

  /// Returns the problems that the modules' health checks find, as `polyclinic module doctor`
  /// prints them.
  ///
  /// Rethrows an error of a check.
  public func checks() throws -> [String] { try server.withLock { try $0.checks() } }

  /// Sends the e-mails and the lines to telephones that are due, without running any job.
  public func sendMessages() throws { try server.withLock { try $0.sendMessages() } }

  /// Returns a line for each item of personal data that cannot be decrypted, as `polyclinic check`
  /// prints it.
  public func problems() throws -> [String] { try server.withLock { try $0.problems() } }

  /// Returns a module's part of a person's data export.
  public func export(of visitor: TestVisitor, from module: ModuleID) throws -> JSON {
    let keys = try keys(of: visitor)
    return try server.withLock { try $0.export(by: keys, from: module) }
  }

  /// Shows a person's records of a module to a doctor until a time, as the person's form does.
  public func show(
    _ module: ModuleID, of visitor: TestVisitor, to doctor: TestVisitor, until end: Instant
  ) throws {
    let (person, reader) = (try person(of: visitor), try person(of: doctor))
    try server.withLock { try $0.show(module, of: person, to: reader, until: end) }
  }

  /// Returns the number of a person.
  public func person(of visitor: TestVisitor) throws -> ID<Person> { try keys(of: visitor).person }

  /// Returns the keys of a person, to inspect stored data; throws `Refusal.notFound` if there is no
  /// such person.
  public func keys(of visitor: TestVisitor) throws -> Keys {
    guard let keys = try server.withLock({ try $0.keys(of: visitor.login) }) else {
      throw Refusal.notFound
    }
    return keys
  }

  /// Returns the bytes of all files of the database on disk. The files of a PostgreSQL server hold
  /// other databases, too, so that it is asked for all values instead.
  public func storedBytes() throws -> [UInt8] {
    if database.dialect == .postgresql { return try values() }
    return try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.hasPrefix("polyclinic.sqlite") }.sorted()
      .flatMap { Array(FileManager.default.contents(atPath: directory + "/" + $0) ?? Data()) }
  }

  /// Returns all values of all rows, with a line for each row.
  private func values() throws -> [UInt8] {
    try database.read { connection in
      var bytes: [UInt8] = []
      for table in try database.tables(on: connection) {
        try table.forEachRow(on: connection) { row in
          for value in table.values(of: row) { bytes += value.stored + [UInt8(ascii: " ")] }
          bytes.append(UInt8(ascii: "\n"))
        }
      }
      return bytes
    }
  }

  package static let www =
    #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/www"
}

extension SQL.Value {
  /// The bytes of a text or of a byte string, or the digits of a number.
  fileprivate var stored: [UInt8] {
    switch self {
    case .null: []
    case .integer(let number): Array("\(number)".utf8)
    case .real(let number): Array("\(number)".utf8)
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    }
  }
}

/// A clock that a test sets.
private final class Clock: Sendable {
  private let seconds = Mutex(TestPortal.start)

  var now: Instant { seconds.withLock { $0 } }

  func set(_ instant: Instant) { seconds.withLock { $0 = instant } }
}

/// A response that prevents the rest of a test.
public struct UnexpectedAnswer: Error, CustomStringConvertible {
  public let description: String

  init(_ page: TestPage) { description = page.description }
}
