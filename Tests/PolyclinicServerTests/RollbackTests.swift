import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer
@testable import PolyclinicServing
@testable import PolyclinicSystem
@testable import PolyclinicVault

/// Rollbacks of a stopped portal whose programs are shell scripts.
@Suite(.sqliteOnly) struct RollbackTests {
  private let portal: TestPortal
  private let local: LocalInstallation
  private let installed: InstalledRelease

  init() throws {
    portal = try TestPortal()
    local = try ScratchInstallation(directory: portal.directory).localInstallation()
    installed = try InstalledRelease(in: portal.directory)
  }

  /// Installs and keeps a release whose program runs `script` as its check.
  private func install(_ number: Int, checking script: String = "exit 0") throws {
    try installed.install(number)
    try installed.write("#!/bin/sh\n# \(number)\n\(script)\n", to: "bin/polyclinic")
    try installed.keep(at: Int64(number))
  }

  private func run(_ target: Rollback.Target = .previous) throws -> [String] {
    try local.rollback(program: installed.program).run(to: target)
  }

  /// Returns the message of a refused rollback, and requires that nothing has changed.
  private func refusal(_ target: Rollback.Target = .previous) throws -> String? {
    let before = try ReleaseChoice.read(in: installed.releases)
    do {
      _ = try run(target)
      return nil
    } catch let failure as Command.Failure {
      #expect(failure.description.contains("Nothing was changed."))
      #expect(try ReleaseChoice.read(in: installed.releases) == before)
      return failure.description
    }
  }

  private var serving: ServingRelease {
    get throws { try ServingRelease(.proven, installed: installed.program, installed.releases) }
  }

  @Test func `each rollback goes back one release, and undo ends at the installed one`() throws {
    for number in 1...3 { try install(number) }
    let kept = try installed.releases.releases()
    #expect(try run().first?.contains("serves from the next start on") == true)
    #expect(try serving.kept == kept[1].id)
    _ = try run()
    #expect(try serving.kept == kept[2].id)
    #expect(try refusal()?.contains("No earlier release is kept") == true)
    _ = try run(.installed)
    #expect(try serving.kept == nil)
    #expect(try refusal(.installed)?.contains("serves already") == true)
  }

  @Test func `a rollback is refused with the reason that the release's check prints`() throws {
    try install(1, checking: #"echo "$@" >&2; echo "polyclinic.yaml:3: colour is unknown"; exit 2"#)
    try install(2)
    let said = try #require(try refusal())
    #expect(said.contains("polyclinic.yaml:3: colour is unknown"))
    #expect(said.contains("check --release --config \(local.configuration.path)"))
  }

  @Test func `a rollback to a program that cannot be started changes nothing`() throws {
    try install(1)
    try install(2)
    let first = try installed.releases.releases()[1]
    chmod(first.program, 0o600)
    #expect(throws: SystemError.self) { try run() }
    #expect(try ReleaseChoice.read(in: installed.releases) == nil)
  }

  @Test func `a rollback to a damaged copy is refused`() throws {
    try install(1)
    try install(2)
    let first = try installed.releases.releases()[1]
    try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: first.program))
    #expect(try refusal()?.contains("is damaged") == true)
  }

  @Test func `a rollback is refused while a migration is in progress`() throws {
    try install(1)
    try install(2)
    let lock = try OpenFile(
      portal.directory + "/polyclinic.sqlite.migration.lock", O_RDWR | O_CREAT)
    let said = try lock.whileLocked { try refusal() }
    #expect(said?.contains("A migration is in progress") == true)
    _ = try run()
    #expect(try serving.kept != nil)
  }

  @Test func `a rollback is refused while the portal starts, reloads or stops`() throws {
    try install(1)
    try install(2)
    try OpenFile.make(directory: local.runDirectory.path)
    let lock = try PidFile(local.runDirectory.pidFile)
    defer { lock.release() }
    #expect(try refusal()?.contains("The portal is starting, and may be migrating") == true)
    var status = ProcessStatus(
      pid: getpid(), started: portal.now, listen: "unix:x", generation: 1, isStopping: false,
      isReloading: true, lastReload: nil, children: [], slots: [])
    try status.write(to: local.runDirectory.statusFile)
    #expect(try refusal()?.contains("A reload is in progress, and may be migrating") == true)
    status.isReloading = false
    try status.write(to: local.runDirectory.statusFile)
    #expect(try refusal()?.contains("started by a release that cannot go back") == true)
    status.isStopping = true
    try status.write(to: local.runDirectory.statusFile)
    #expect(try refusal()?.contains("The portal is stopping") == true)
  }

  @Test func `a rollback is refused while another one is in progress`() throws {
    try install(1)
    try install(2)
    let said = try installed.releases.whileLocked { try refusal() }
    #expect(said?.contains("Another rollback is in progress") == true)
  }

  @Test func `a check that exceeds its timeout is reported`() throws {
    try install(1, checking: "exec sleep 600")
    var check = ReleaseCheck(program: installed.program, configuration: "x")
    check.timeout = .milliseconds(50)
    guard case .refused(let words) = try check.result() else {
      Issue.record("it passed")
      return
    }
    #expect(words.hasPrefix("nothing within"))
  }

  @Test func `without the database, a rollback goes back one release, and no further`() throws {
    for number in 1...3 { try install(number, checking: "echo away; exit 75") }
    unlink(portal.directory + "/polyclinic.sqlite")
    let said = try run()
    #expect(said.last?.contains("its schema was not checked") == true)
    #expect(try serving.kept == installed.releases.releases()[1].id)
    #expect(try refusal()?.contains("may be too old for it") == true)
    _ = try run(.installed)
    #expect(try serving.kept == nil)
  }
}

/// A release's check of the data that another release has left.
@Suite(.sqliteOnly) struct ReleaseCompatibilityTests {
  private let portal: TestPortal
  private let directory: ScratchInstallation

  init() throws {
    portal = try TestPortal(SampleModule())
    directory = ScratchInstallation(directory: portal.directory)
    try FileManager.default.createDirectory(
      atPath: portal.directory + "/www/styles", withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: portal.directory + "/www/styles/style.css"))
  }

  private func localInstallation(_ modules: [any Module]) throws -> LocalInstallation {
    var configuration = try directory.localInstallation().configuration
    configuration.server.www = portal.directory + "/www"
    return LocalInstallation(configuration, plugins: modules)
  }

  @Test func `a release accepts the data of a later one with more modules`() throws {
    try localInstallation([SampleModule()]).requireCompatibility()
    try localInstallation([]).requireCompatibility()
  }

  @Test func `a release accepts a column that a later one has added`() throws {
    try portal.database.write {
      try $0.run("ALTER TABLE sample_kept ADD COLUMN colour TEXT")
    }
    try localInstallation([SampleModule()]).requireCompatibility()
  }

  @Test func `a release refuses a database that lacks one of its columns`() throws {
    try portal.database.write {
      try $0.run("ALTER TABLE sample_kept RENAME COLUMN created_at TO made_at")
    }
    let error = #expect(throws: Command.Failure.self) {
      try localInstallation([SampleModule()]).requireCompatibility()
    }
    #expect(error?.description.contains("column sample_kept.created_at is gone") == true)
    try localInstallation([]).requireCompatibility()
  }

  @Test func `a release refuses a database with a different migration of its own`() throws {
    var module = SampleModule()
    module.migrations = [Migration("0001-kept", "CREATE TABLE sample_kept (other TEXT)")]
    let error = #expect(throws: Command.Failure.self) {
      try localInstallation([module]).requireCompatibility()
    }
    #expect(error?.description.contains("migration 0001-kept of module sample") == true)
  }

  @Test func `a second migration runs at an upgrade, and the release before it serves afterwards`()
    throws
  {
    var later = SampleModule()
    later.migrations.append(
      Migration("0002-colour", "ALTER TABLE sample_kept ADD COLUMN colour TEXT"))
    let upgraded = try localInstallation([later])
    #expect(try upgraded.migrate(at: portal.now).map(\.description) == ["sample 0002-colour"])
    try localInstallation([SampleModule()]).requireCompatibility()
    #expect(try localInstallation([SampleModule()]).migrate(at: portal.now) == [])
    #expect(try upgraded.migrate(at: portal.now) == [])
    try upgraded.requireCompatibility()
  }

  @Test func `the schema of an earlier program is refused at start and by the check`() throws {
    _ = try portal.database.write {
      try $0.run("UPDATE migrations SET name = '0001-people' WHERE module = 'account'")
    }
    let local = try localInstallation([SampleModule()])
    let error = #expect(throws: MigrationError.self) { try local.migrate(at: portal.now) }
    #expect(error?.description.contains("/account/export") == true)
    #expect(throws: Command.Failure.self) { try local.requireCompatibility() }
  }

  @Test func `a check without the database tells that apart from a wrong key or configuration`()
    throws
  {
    unlink(portal.directory + "/polyclinic.sqlite")
    SQLiteDatabase.removeCompanions(of: portal.directory + "/polyclinic.sqlite")
    #expect(throws: UnansweredCheck.self) {
      try localInstallation([SampleModule()]).requireCompatibility()
    }
    try Data("damaged".utf8).write(to: URL(filePath: portal.directory + "/polyclinic.sqlite"))
    #expect(throws: UnansweredCheck.self) {
      try localInstallation([SampleModule()]).requireCompatibility()
    }
    try Data("damaged".utf8).write(to: URL(filePath: directory.keyPath))
    #expect(throws: KeyRingError.self) {
      try localInstallation([SampleModule()]).requireCompatibility()
    }
  }

  @Test func `a release refuses to serve without the key`() throws {
    unlink(directory.keyPath)
    #expect(throws: (any Error).self) {
      try localInstallation([SampleModule()]).requireCompatibility()
    }
  }
}
