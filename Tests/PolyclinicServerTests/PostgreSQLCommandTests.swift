import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTestDatabases
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicServer
@testable import PolyclinicServing
@testable import PolyclinicSystem
@testable import PolyclinicVault
@testable import PolyclinicWeb

/// An installation in a directory, whose database a PostgreSQL server keeps.
private struct ServerInstallation {
  let directory: String
  let address: PostgreSQLAddress

  var keyPath: String { directory + "/master.key" }
  var draftKeyPath: String { keyPath + ".new" }
  var backups: String { directory + "/backups" }
  var now: Instant { TestPortal.start }

  /// Runs `body` with a new directory and an empty database.
  static func with(
    on server: PostgreSQLTestServer? = nil, _ body: (ServerInstallation) throws -> Void
  ) throws {
    let address = try (server ?? PostgreSQLTestServer.shared.get()).newDatabase()
    try Scratch.with { directory in
      for part in ["backups", "www/styles"] {
        try FileManager.default.createDirectory(
          atPath: "\(directory)/\(part)", withIntermediateDirectories: true)
      }
      try TextFile.create("", at: directory + "/www/styles/style.css", mode: 0o600)
      try body(ServerInstallation(directory: directory, address: address))
    }
  }

  func local() throws -> LocalInstallation {
    let plugins: [any Module] = [MemosModule()]
    let text =
      Sample.least
        + """
        server: { listen: "unix:run/p.sock", data: "\(directory)", www: "www" }
        database: { url: "\(address.url)" }
        vault: { key_file: "master.key" }
        """
    return LocalInstallation(
      try Configuration.parse(
        text, path: directory + "/polyclinic.yaml", modules: LocalInstallation.known(plugins),
        environment: [:]),
      plugins: plugins)
  }

  /// The key file's newest key.
  func key(at path: String? = nil) throws -> KeyRing.ID {
    try KeyRing.load(at: path ?? keyPath).newest.id
  }

  func makeKey(at path: String) throws {
    try KeyRing.new(at: path, today: CalendarDate(daysSince1970: 20_000)).save()
  }

  func takeKey(of other: ServerInstallation) throws {
    try FileManager.default.copyItem(atPath: other.keyPath, toPath: keyPath)
  }

  /// Opens the database and its vault for `body`.
  func withDatabase<Value>(
    _ body: (any StoredDatabase, Vault) throws -> Value
  ) throws -> Value {
    let (database, ring) = try local().open()
    defer { database.close() }
    return try body(database, try database.read { try Vault.open(ring: ring, on: $0) })
  }

  func users(_ database: any StoredDatabase, _ vault: Vault) throws -> UserCommands {
    UserCommands(
      installation: try local().builder().installation(), database: database, vault: vault,
      passwords: Passwords(cost: Argon2id(memory: 8, passes: 1, lanes: 1)),
      policy: PasswordPolicy(portalName: "Riverside Polyclinic"),
      origin: Portal.Origin(host: "clinic.example", port: 443), language: .english,
      clock: { TestPortal.start })
  }

  /// Creates the database with the account of Anna.
  func setUp() throws {
    #expect(try local().createIfMissing(at: now))
    try withDatabase { database, vault in
      _ = try users(database, vault).add("anna", role: .patient, password: .link)
    }
  }

  /// Writes a backup to a new file and returns its path.
  func backUp() throws -> String {
    let path = backups + "/a.backup"
    try withDatabase { database, vault in
      _ = try Backup(database: database, vault: vault).write(to: path, at: now)
    }
    return path
  }

  func restore(
    _ backup: String, _ manner: Restore.Manner = .intoEmptyPlace, sheet: KeyRing? = nil
  ) throws -> Restore.Outcome {
    try local().restore(backup, manner).run(sheet: sheet, at: now)
  }

  func knowsAnna() throws -> Bool {
    try withDatabase { database, vault in
      try database.read { try Account.find("anna", vault, on: $0) } != nil
    }
  }

  /// Runs `body` with the work on Anna's data.
  func asAnna<Value>(_ body: (Work) throws -> Value) throws -> Value {
    try withDatabase { database, vault in
      try database.write { connection in
        let person = try #require(try Account.find("anna", vault, on: connection)).person
        let keys = try #require(try KeyStore(vault).unloggedKeys(of: person, on: connection))
        return try body(Work(keys: keys, at: now, on: connection))
      }
    }
  }
}

@Suite struct PostgreSQLCommandTests {
  @Test func `a setup creates tables and key together, once`() throws {
    try ServerInstallation.with { portal in
      let local = try portal.local()
      #expect(try local.createIfMissing(at: portal.now))
      #expect(FilePath.exists(portal.keyPath) && !FilePath.exists(portal.draftKeyPath))
      #expect(try !local.createIfMissing(at: portal.now))
      #expect(try local.migrate(at: portal.now) == [])
      try local.requireCompatibility()
      #expect(try local.administratorLink(at: portal.now) != nil)
      #expect(try IntegrityCheck(server: local.serverContext()).problems() == [])
    }
  }

  @Test func `a setup that a crash has interrupted is completed with the same key`() throws {
    try ServerInstallation.with { portal in
      let local = try portal.local()
      try portal.makeKey(at: portal.draftKeyPath)
      let key = try portal.key(at: portal.draftKeyPath)
      #expect(try local.createIfMissing(at: portal.now))
      #expect(try portal.key() == key)
      // As if only the last step were missing.
      #expect(rename(portal.keyPath, portal.draftKeyPath) == 0)
      #expect(try local.createIfMissing(at: portal.now))
      #expect(try portal.key() == key)
      _ = try portal.withDatabase { database, _ in
        try database.read { try database.rowCounts(on: $0) }
      }
    }
  }

  @Test func `a setup whose last transaction is missing goes on with the tables that it finds`()
    throws
  {
    try ServerInstallation.with { portal in
      let local = try portal.local()
      let database = try FirstServerDatabase.prepared(at: portal.address)
      try Migrator(database, local.builder().installation().migrations).migrate(at: portal.now)
      database.close()
      #expect(try local.createIfMissing(at: portal.now))
      #expect(try local.migrate(at: portal.now) == [])
    }
  }

  @Test func `a database is never used with a key that does not open it`() throws {
    try ServerInstallation.with { portal in
      try portal.setUp()
      try Scratch.with { directory in
        let other = ServerInstallation(directory: directory, address: portal.address)
        let local = try other.local()
        let missing = FirstKeyError.keyMissing(key: other.keyPath, database: "\(portal.address)")
        #expect(throws: missing) { try local.createIfMissing(at: portal.now) }
        try other.makeKey(at: other.draftKeyPath)
        #expect(throws: VaultError.self) { try local.createIfMissing(at: portal.now) }
        #expect(!FilePath.exists(other.keyPath))
        #expect(rename(other.draftKeyPath, other.keyPath) == 0)
        #expect(throws: VaultError.self) { try local.migrate(at: portal.now) }
      }
      #expect(try portal.knowsAnna())
    }
  }

  @Test func `an empty database beside a key, and one of another program, are refused`() throws {
    try ServerInstallation.with { portal in
      let other = try PostgreSQLDatabase.create(portal.address)
      try other.write { connection in
        try connection.run("CREATE TABLE invoices (id TEXT NOT NULL)")
        try connection.run("DROP TABLE write_turn")
      }
      other.close()
      let error = #expect(throws: DatabaseError.self) {
        try portal.local().createIfMissing(at: portal.now)
      }
      #expect(error?.sentence.contains("contains tables of another program") == true)
      #expect(!FilePath.exists(portal.draftKeyPath))
    }
    try ServerInstallation.with { portal in
      try portal.makeKey(at: portal.keyPath)
      let missing = FirstKeyError.databaseMissing(
        database: "\(portal.address)", key: portal.keyPath)
      #expect(throws: missing) { try portal.local().createIfMissing(at: portal.now) }
    }
  }

  @Test func `a backup is restored into an empty database, and into no other`() throws {
    try ServerInstallation.with { portal in
      try portal.setUp()
      let backup = try portal.backUp()
      try ServerInstallation.with { other in
        try other.takeKey(of: portal)
        let outcome = try other.restore(backup)
        #expect(outcome.formerPath == nil && outcome.draft.leftOut == [:])
        #expect(try other.knowsAnna())
        #expect(try other.local().files.copies.drafts() == [])
        let last = try other.withDatabase { database, _ in
          try database.read { try database.lastIdentities(on: $0) }
        }
        // The numbers that the portal may have given since the backup are left out.
        #expect(try #require(last["people"]) > 1_000_000)
        #expect(try other.local().migrate(at: other.now) == [])
        #expect(try IntegrityCheck(server: other.local().serverContext()).problems() == [])
        let refusal = RestoreError.serverDatabaseThere(name: "\(other.address)")
        for manner in [Restore.Manner.intoEmptyPlace, .over] {
          #expect(throws: refusal) { try other.restore(backup, manner) }
        }
        #expect(try other.knowsAnna())
      }
    }
  }

  @Test func `a restore with a recovery sheet writes the key that opens the database`() throws {
    try ServerInstallation.with { portal in
      try portal.setUp()
      let backup = try portal.backUp()
      let ring = try KeyRing.load(at: portal.keyPath)
      try ServerInstallation.with { other in
        let sheet = KeyRing(newest: ring.newest, older: ring.older, path: other.keyPath)
        _ = try other.restore(backup, sheet: sheet)
        #expect(try other.key() == ring.newest.id)
        #expect(try other.knowsAnna())
      }
    }
  }

  @Test func `one person's records return while the portal keeps its own`() throws {
    try ServerInstallation.with { portal in
      try portal.setUp()
      let memo = try portal.asAnna { try Memo.records.insert(Memo(line: "kept"), in: $0) }
      let backup = try portal.backUp()
      try portal.asAnna { try Memo.records.replace(memo, with: Memo(line: "changed"), in: $0) }
      let restore = try portal.local().restore(of: "anna", from: backup)
      let counts = try restore.run(.store, at: portal.now).counts
      #expect(counts.map(\.name) == ["memos"] && counts.first?.count.changed == 1)
      var lines: [String] = []
      try portal.asAnna { work in
        lines = []
        try Memo.records.forEach(in: work) { lines.append($1.line) }
      }
      #expect(lines.sorted() == ["changed", "kept"])
    }
  }

  @Test func `a new master key opens everything`() throws {
    try ServerInstallation.with { portal in
      try portal.setUp()
      let former = try portal.key()
      try portal.withDatabase { database, _ in
        _ = try KeyRotation(database: database, path: portal.keyPath).run(at: portal.now)
      }
      #expect(try portal.key() != former)
      #expect(try portal.knowsAnna())
      #expect(try IntegrityCheck(server: portal.local().serverContext()).problems() == [])
    }
  }

  @Test func `an erased person is gone, and a restore of an earlier backup erases them again`()
    throws
  {
    try ServerInstallation.with { portal in
      try portal.setUp()
      let backup = try portal.backUp()
      try portal.withDatabase { database, vault in
        let lines = try portal.users(database, vault)
          .erase("anna", by: portal.local().erasure(in: database))
        #expect(lines.first?.hasPrefix("anna is erased.") == true)
        #expect(try database.read { try $0.integer("SELECT count(*) FROM people") } == 0)
      }
      try ServerInstallation.with { other in
        try other.takeKey(of: portal)
        #expect(try other.restore(backup).draft.erased == 1)
        #expect(try !other.knowsAnna())
      }
    }
  }

  @Test func `a check compares the tables with those that the migrations create`() throws {
    try ServerInstallation.with { portal in
      try portal.setUp()
      let migrations = try portal.local().builder().installation().migrations
      try portal.withDatabase { (database: any StoredDatabase, _: Vault) throws in
        func breaches(after changes: SQL...) throws -> [String] {
          try database.write { connection in
            for change in changes { try connection.run(change) }
          }
          return try LocalInstallation.breaches(of: migrations, in: database)
        }
        #expect(try breaches() == [])
        #expect(try breaches(after: "ALTER TABLE memos ADD COLUMN colour TEXT") == [])
        #expect(
          try breaches(after: "ALTER TABLE memos ALTER COLUMN colour SET NOT NULL")
            == ["column memos.colour is new, NOT NULL, and has no default"])
        #expect(
          try breaches(
            after: "ALTER TABLE memos DROP COLUMN colour", "ALTER TABLE memos DROP COLUMN length")
            == ["column memos.length is gone"])
      }
    }
  }

  @Test func `status and rollback work while the server is away, and all else when it is back`()
    throws
  {
    let server = try PostgreSQLTestServer()
    defer { #expect(throws: Never.self) { try server.remove() } }
    try ServerInstallation.with(on: server) { portal in
      try portal.setUp()
      let local = try portal.local()
      func status() throws -> String {
        StatusReport(local.files, at: portal.now) { try local.stored(at: portal.now) }
          .text(modules: [], at: portal.now)
      }
      #expect(try status().contains("\nThe database answers; "))
      // The server of tests has no standby, but sorts by bytes and has this machine's clock.
      #expect(try status().contains("waits for no synchronous standby"))
      #expect(try !status().contains("sorts texts") && !status().contains("The clock of"))
      let installed = try InstalledRelease(in: portal.directory)
      for number in [1, 2] {
        try installed.install(number)
        try installed.write(
          "#!/bin/sh\n# \(number)\nexit \(UnansweredCheck.exitStatus)\n", to: "bin/polyclinic")
        try installed.keep(at: Int64(number))
      }
      try server.stop()
      #expect(try status().contains("The database does not answer: "))
      #expect(throws: UnansweredCheck.self) { try local.requireCompatibility() }
      let lines = try local.rollback(program: installed.program).run(to: .previous)
      #expect(lines.contains { $0.hasPrefix("The database does not answer") })
      #expect(throws: DatabaseError.self) { try local.migrate(at: portal.now) }
      try server.start()
      #expect(try local.migrate(at: portal.now) == [])
      #expect(try portal.knowsAnna())
    }
  }
}
