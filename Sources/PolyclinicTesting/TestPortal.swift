import Foundation
import PolyclinicCore
import PolyclinicServer
import PolyclinicStore
import Synchronization

/// A portal with real SQLite and the whole pipeline, without a socket: request in, page out.
public final class TestPortal: Sendable {
  /// The moment at which all tests begin: 2026-05-04T09:00:00Z, a Monday. Clocks in the portal, which is
  /// in Europe/Minsk, show 12:00.
  public static let start = Instant(1_777_885_200)

  let rehearsal: Mutex<Rehearsal>
  private let time: Clock
  /// Where the database, the key and nothing else is kept.
  public let directory: String
  public let database: SQLiteDatabase
  private let people = Mutex(0)

  /// A new installation of these modules beside the built-in ones, with nobody in it.
  ///
  /// `mail` is the command that takes its e-mails when jobs are run, with its arguments; without one it
  /// sends none. `quota` is the most that one person may store; nil for the portal's default. `settings`
  /// are those of the modules, by key. `secondFactor` is `accounts.second_factor` of the configuration.
  /// `usefulContacts` stand in place of the shipped ones, by country.
  public convenience init(
    _ modules: any Module..., disabled: Set<ModuleID> = [], mail: String? = nil,
    quota: StorageUse? = nil, settings: [String: SettingValue] = [:],
    secondFactor: String = "optional", usefulContacts: [String: [UsefulContact]] = [:]
  ) throws {
    try self.init(
      all: modules, disabled: disabled, mail: mail, quota: quota, settings: settings,
      secondFactor: secondFactor, usefulContacts: usefulContacts)
  }

  /// A new installation of a list of modules, such as all that a program is built with.
  public init(
    all modules: [any Module], disabled: Set<ModuleID> = [], mail: String? = nil,
    quota: StorageUse? = nil, settings: [String: SettingValue] = [:],
    secondFactor: String = "optional", usefulContacts: [String: [UsefulContact]] = [:]
  ) throws {
    directory = NSTemporaryDirectory() + "polyclinic-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let time = Clock()
    let rehearsal = try Rehearsal(
      modules, disabled: disabled, mail: mail, quota: quota, settings: settings,
      secondFactor: secondFactor, usefulContacts: UsefulContacts(replacing: usefulContacts),
      in: directory, www: Self.www, clock: { time.now })
    database = rehearsal.database
    self.time = time
    self.rehearsal = Mutex(rehearsal)
  }

  deinit {
    database.close()
    // A directory of the system's temporary ones: what stays of it does no harm.
    unlink(directory + "/master.key")
    do { try FileManager.default.removeItem(atPath: directory) } catch { print("\(error)") }
  }

  /// What time it is in the portal.
  public var now: Instant {
    get { time.now }
    set { time.set(newValue) }
  }

  /// Somebody with a browser of their own, who has not signed in.
  public func visitor(language: Language = .english) -> TestVisitor {
    TestVisitor(self, language: language)
  }

  /// A new person, registered through the form and signed in.
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

  /// A new person who administers the portal.
  public func administrator(_ changes: [String: String] = [:]) throws -> TestVisitor {
    try register(as: .administrator, login: "admin", changes)
  }

  /// A new doctor, approved.
  public func doctor(_ changes: [String: String] = [:]) throws -> TestVisitor {
    try register(as: .doctor, login: "doctor", changes)
  }

  /// A new receptionist.
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

  public func grant(_ role: Role, to login: String) throws {
    try rehearsal.withLock { try $0.grant(role, to: login) }
  }

  /// The routes of the built-in and the enabled modules.
  public var routes: [DeclaredRoute] {
    rehearsal.withLock { rehearsal in
      rehearsal.routes.map { path, route, isOpen in
        DeclaredRoute(path: path, access: route.access, isOpen: isOpen, methods: route.methods)
      }
    }
  }

  /// The lines that the portal has written to its log, the earliest first.
  public var log: [String] { rehearsal.withLock { $0.logged } }

  /// The hash by which the log names an address.
  public func source(of address: String) -> String { rehearsal.withLock { $0.source(of: address) } }

  /// Columns of the database that are neither sealed nor told to people, and what is told and not there,
  /// a sentence each.
  public func untoldColumns() throws -> [String] {
    try rehearsal.withLock { try $0.untoldColumns() }
  }

  /// Fills the portal with the fictional town of a demonstration; nobody is in it before.
  public func demonstrate() throws { try rehearsal.withLock { try $0.demonstrate() } }

  /// Somebody without an account, as a desk enters people; returns the person's keys.
  public func enter(_ name: String) throws -> Keys {
    var newcomer = Newcomer()
    newcomer.name = name
    return try rehearsal.withLock { [newcomer] in try $0.enter(newcomer) }
  }

  /// What a terminal shows of a command.
  public struct Output: Sendable, Equatable {
    /// 0, 1 (failed) or 2 (usage).
    public let status: Int
    /// Its lines.
    public let text: String
  }

  /// Calls a module's command, `words` being what is typed behind `polyclinic ID`.
  public func run(_ module: ModuleID, _ words: [String]) throws -> Output {
    let (status, text) = try rehearsal.withLock { try $0.run(module, words) }
    return Output(status: status, text: text)
  }

  /// Runs every job once.
  public func runJobs() throws { try rehearsal.withLock { try $0.runJobs() } }

  /// The complaints of the modules' health checks, as `polyclinic module doctor` prints them; rethrows an
  /// error of theirs.
  public func checks() throws -> [String] { try rehearsal.withLock { try $0.checks() } }

  /// Hands over the e-mails that are due, and runs no job besides.
  public func sendMail() throws { try rehearsal.withLock { try $0.sendMail() } }

  /// What cannot be opened of what is kept about people, a line each, as `polyclinic check` says it.
  public func problems() throws -> [String] { try rehearsal.withLock { try $0.problems() } }

  /// What a module has of a person in the copy of their data.
  public func export(of visitor: TestVisitor, from module: ModuleID) throws -> JSON {
    let keys = try keys(of: visitor)
    return try rehearsal.withLock { try $0.export(by: keys, from: module) }
  }

  /// The number of a person.
  public func person(of visitor: TestVisitor) throws -> ID<Person> { try keys(of: visitor).person }

  /// The keys of a person, to look into what is stored.
  public func keys(of visitor: TestVisitor) throws -> Keys {
    guard let keys = try rehearsal.withLock({ try $0.keys(of: visitor.login) }) else {
      throw Refusal.notFound
    }
    return keys
  }

  /// The bytes of all files of the database as they are on disk.
  public func storedBytes() throws -> [UInt8] {
    try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.hasPrefix("polyclinic.sqlite") }.sorted()
      .flatMap { Array(FileManager.default.contents(atPath: directory + "/" + $0) ?? Data()) }
  }

  private static let www =
    #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/www"
}

/// A clock that a test sets.
private final class Clock: Sendable {
  private let seconds = Mutex(TestPortal.start)

  var now: Instant { seconds.withLock { $0 } }

  func set(_ instant: Instant) { seconds.withLock { $0 = instant } }
}

/// An answer that is not what a test stands on.
public struct UnexpectedAnswer: Error, CustomStringConvertible {
  public let description: String

  init(_ page: TestPage) { description = page.description }
}
