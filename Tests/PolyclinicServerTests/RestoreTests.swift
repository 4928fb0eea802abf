import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicServer
@testable import PolyclinicSystem
@testable import PolyclinicVault
@testable import PolyclinicWeb

@Suite struct RestoreTests {
  let portal: TestPortal
  let administrator: String

  init() throws {
    portal = try TestPortal()
    administrator = try portal.administrator().login
    _ = try portal.register(login: "vera")
  }

  /// Runs `body` in another directory, with the portal's key or without one.
  private func elsewhere(hasKey: Bool = true, _ body: (ScratchInstallation) throws -> Void) throws {
    try Scratch.with { (directory: String) throws in
      let other = ScratchInstallation(directory: directory)
      if hasKey { try other.takeKey(of: portal) }
      try body(other)
    }
  }

  private func erasureID(of login: String) throws -> [UInt8] {
    let person = try #require(
      try portal.read { try Account.find(login, try portal.vault, on: $0) }
    ).person
    let id = try portal.read { connection in
      try connection.row("SELECT erasure_id FROM people WHERE id_person = \(person)") {
        $0.bytes(0)
      }
    }
    return try #require(id)
  }

  private func knows(_ login: String, _ database: SQLiteDatabase) throws -> Bool {
    try database.read { connection in
      let vault = try Vault.open(ring: try portal.ring, on: connection)
      guard let account = try Account.find(login, vault, on: connection) else { return false }
      let keys = try #require(try KeyStore(vault).unloggedKeys(of: account.person, on: connection))
      return try Profile.find(by: keys, on: connection)?.login == login
    }
  }

  @Test func `a restore removes tokens, links, trusted browsers and queued mail`() throws {
    let vera = try portal.register(login: "vera2")
    let keys = try portal.keys(of: vera)
    try portal.write { connection in
      try connection.run(
        """
        INSERT INTO api_tokens (token_hash, person, sealed, created_at)
        VALUES (\([UInt8](repeating: 2, count: 32)), \(keys.person), \([UInt8]()), 0)
        """)
      try connection.run(
        """
        INSERT INTO secret_addresses (token_hash, person, module, purpose, created_at)
        VALUES (\([UInt8](repeating: 1, count: 32)), \(keys.person), 'appointments', 'full', 0)
        """)
      try connection.run(
        """
        INSERT INTO trusted_browsers (token_hash, person, device, trusted_at)
        VALUES (\([UInt8](repeating: 4, count: 32)), \(keys.person), \([UInt8]()), 0)
        """)
      try connection.run(
        """
        INSERT INTO home_offline_browsers (token_hash, person, device, kept_at)
        VALUES (\([UInt8](repeating: 5, count: 32)), \(keys.person), \([UInt8]()), 0)
        """)
      try ForgottenPassword.note("vera2", portal.vault, on: connection)
      let work = Work(keys: keys, at: portal.now, on: connection)
      _ = try AddressConfirmation(
        person: keys.person, address: [UInt8](repeating: 3, count: 32)
      ).makeLink(in: work)
      try QueuedMail(id: "1", subject: "a", body: "b", path: "/").insert(expires: nil, in: work)
    }
    let backup = try portal.backUp()
    try elsewhere { (target: ScratchInstallation) throws in
      _ = try target.restore(backup)
      try target.withDatabase { (database: SQLiteDatabase) throws in
        let rows = try database.read { try database.rowCounts(on: $0) }
        let ended = [
          "api_tokens", "secret_addresses", "notifications_links", "notifications_outbox",
          "trusted_browsers", "home_offline_browsers", "forgotten_passwords",
        ]
        for table in ended {
          #expect(rows[table] == 0, "\(table)")
        }
      }
    }
  }

  @Test func `a backup is restored elsewhere with all rows but the sessions`() throws {
    let before = try portal.rowCounts()
    #expect(before["sessions"] ?? 0 > 0)
    let backup = try portal.backUp()
    _ = try portal.register(login: "later")
    try elsewhere { (target: ScratchInstallation) throws in
      let outcome = try target.restore(backup)
      #expect(outcome.formerPath == nil && outcome.draft.migrated == [])
      #expect(outcome.draft.manifest.rows == before)
      try target.withDatabase { (database: SQLiteDatabase) throws in
        #expect(try knows("vera", database))
        #expect(try !knows("later", database))
        var after = try database.read { try database.rowCounts(on: $0) }
        #expect(after["sessions"] == 0)
        after["sessions"] = before["sessions"]
        #expect(after == before)
        #expect(
          try database.read {
            try $0.integer("SELECT count(*) FROM answered_forms WHERE signed_in IS NOT NULL")
          } == 0)
      }
      #expect(try !target.files().contains { $0.contains("restored") || $0.contains("replaced") })
      #expect(try target.localInstallation().migrate(at: portal.now) == [])
    }
  }

  @Test func `a database is replaced only on request and kept under another name`() throws {
    let backup = try portal.backUp()
    try elsewhere { (target: ScratchInstallation) throws in
      _ = try target.restore(backup)
      let first = try Data(contentsOf: URL(filePath: target.databasePath))
      #expect(throws: RestoreError.databaseThere(path: target.databasePath)) {
        try target.restore(backup)
      }
      #expect(try Data(contentsOf: URL(filePath: target.databasePath)) == first)
      let outcome = try target.restore(backup, .over)
      let former = try #require(outcome.formerPath)
      #expect(former.hasPrefix(target.databasePath + ".replaced-2026"))
      #expect(try Data(contentsOf: URL(filePath: former)) == first)
      let again = try target.restore(backup, .over).formerPath
      #expect(again != former && again != nil)
      #expect(try Data(contentsOf: URL(filePath: former)) == first)
    }
  }

  @Test func `a person erased since the backup is erased again`() throws {
    let backup = try portal.backUp()
    try elsewhere { (target: ScratchInstallation) throws in
      _ = try target.restore(backup)
      let id = try erasureID(of: "vera")
      try target.withDatabase { (database: SQLiteDatabase) throws in
        _ = try database.write { connection in
          var administrator = Administrator(
            vault: try Vault.open(ring: portal.ring, on: connection), author: .commandLine,
            now: portal.now)
          return try administrator.repeatErasure(
            id, asOf: portal.now, in: target.localInstallation().builder().installation(),
            on: connection)
        }
      }
      let outcome = try target.restore(backup, .over)
      #expect(outcome.draft.erased == 1)
      try target.withDatabase { (database: SQLiteDatabase) throws in
        #expect(try !knows("vera", database))
      }
      let log = ErasureLog(directory: target.directory + "/backups")
      #expect(try log.ids() == [id])
      let bytes = try Data(contentsOf: URL(filePath: target.databasePath))
      #expect(bytes.range(of: Account.loginHash("vera", try portal.vault).data) == nil)
    }
  }

  @Test func `people in an erasure log beside the backup or in its own place are erased`() throws {
    let backup = try portal.backUp()
    let id = try erasureID(of: "vera")
    try elsewhere { (target: ScratchInstallation) throws in
      try ErasureLog(directory: target.directory + "/backups").append([id, .random(16)])
      #expect(try target.restore(backup).draft.erased == 1)
      try target.withDatabase { (database: SQLiteDatabase) throws in
        #expect(try !knows("vera", database))
      }
    }
    try ErasureLog(directory: portal.directory).append([id])
    try elsewhere { (target: ScratchInstallation) throws in
      #expect(try target.restore(backup).draft.erased == 1)
      #expect(try ErasureLog(directory: target.directory + "/backups").ids() == [id])
    }
  }

  @Test func `people in the erasure log of another machine are erased`() throws {
    let backup = try portal.backUp()
    let other = portal.directory + "/other-machine.log"
    try ErasureLog(path: other).append([erasureID(of: "vera")])
    try elsewhere { (target: ScratchInstallation) throws in
      var restore = try target.localInstallation().restore(backup, .intoEmptyPlace)
      restore.erasureLogs = [other]
      #expect(try restore.run(sheet: nil, at: portal.now).draft.erased == 1)
      try target.withDatabase { (database: SQLiteDatabase) throws in
        #expect(try !knows("vera", database))
      }
    }
  }

  @Test func `an erasure of the last administrator is repeated too`() throws {
    let backup = try portal.backUp()
    try ErasureLog(directory: portal.directory).append([erasureID(of: administrator)])
    try elsewhere { (target: ScratchInstallation) throws in
      #expect(try target.restore(backup).draft.erased == 1)
      try target.withDatabase { (database: SQLiteDatabase) throws in
        #expect(try !database.read { try Account.isAdministrated(on: $0) })
      }
    }
  }

  @Test func `a damaged backup or one with another key changes nothing`() throws {
    let path = try portal.backUp()
    let good = try Data(contentsOf: URL(filePath: path))
    var changed = good
    changed[good.count - 1] ^= 1
    for bytes in [good.dropLast(), changed, good + [0], Data("hello".utf8)] {
      try bytes.write(to: URL(filePath: path))
      for manner in [Restore.Manner.intoEmptyPlace, .over] {
        try elsewhere { (target: ScratchInstallation) throws in
          let before = try target.files()
          #expect(throws: BackupError.self) { try target.restore(path, manner) }
          #expect(try target.files() == before)
        }
      }
    }
    try good.write(to: URL(filePath: path))
    try elsewhere(hasKey: false) { (target: ScratchInstallation) throws in
      _ = try KeyRing.create(at: target.keyPath, today: .test)
      let before = try target.files()
      #expect(throws: BackupError.self) { try target.restore(path) }
      #expect(try target.files() == before)
    }
  }

  @Test func `a restore is refused while a supervisor runs`() throws {
    let backup = try portal.backUp()
    try elsewhere { (target: ScratchInstallation) throws in
      try FileManager.default.createDirectory(
        atPath: target.directory + "/run", withIntermediateDirectories: false)
      let supervisor = try PidFile(try target.localInstallation().runDirectory.pidFile)
      #expect(throws: RestoreError.self) { try target.restore(backup) }
      supervisor.release()
      #expect(try target.restore(backup).formerPath == nil)
    }
  }

  @Test func `IDs given since the backup are not reused`() throws {
    let backup = try portal.backUp()
    let last = try lastPerson()
    try elsewhere { (target: ScratchInstallation) throws in
      _ = try target.restore(backup)
      try target.withDatabase { (database: SQLiteDatabase) throws in
        #expect(try nextPerson(database) == last + 1_000_001)
        for _ in 0..<5 { _ = try nextPerson(database) }
      }
      _ = try target.restore(backup, .over)
      try target.withDatabase { (database: SQLiteDatabase) throws in
        #expect(try nextPerson(database) == last + 1_000_007)
      }
    }
  }

  private func lastPerson() throws -> Int {
    try #require(try portal.read { try $0.integer("SELECT max(id_person) FROM people") })
  }

  private func nextPerson(_ database: SQLiteDatabase) throws -> Int {
    let id: ID<Person> = try database.write { connection in
      try connection.insert(
        """
        INSERT INTO people (wrapped_key, erasure_id, created_at)
        VALUES (\([UInt8].random(8)), \([UInt8].random(16)), 0)
        """)
    }
    return Int(id.rawValue)
  }

  @Test func `a lost key is restored only from its own recovery sheet`() throws {
    let backup = try portal.backUp()
    let text = try RecoverySheet(portal.ring).lines(clinic: "", printed: .test).joined(
      separator: "\n")
    try elsewhere(hasKey: false) { (target: ScratchInstallation) throws in
      #expect(throws: RestoreError.keyMissing(path: target.keyPath)) { try target.restore(backup) }
      let sheet = try RecoverySheet(text, path: target.keyPath).ring
      #expect(throws: RecoverySheetError.lacking(try portal.ring.newest.id)) {
        try target.restore(backup, sheet: KeyRing.test())
      }
      #expect(try target.files() == [])
      _ = try target.restore(backup, sheet: sheet)
      #expect(try KeyRing.load(at: target.keyPath).ids == portal.ring.ids)
      try target.withDatabase { (database: SQLiteDatabase) throws in
        #expect(try knows("vera", database))
      }
      _ = try target.restore(backup, .over, sheet: sheet)
    }
    try elsewhere(hasKey: false) { (target: ScratchInstallation) throws in
      _ = try KeyRing.create(at: target.keyPath, today: .test)
      let sheet = try RecoverySheet(text, path: target.keyPath).ring
      #expect(throws: RestoreError.otherKeys(path: target.keyPath)) {
        try target.restore(backup, sheet: sheet)
      }
    }
  }

  @Test func `an interrupted restore can be run again`() throws {
    let backup = try portal.backUp()
    try elsewhere { (target: ScratchInstallation) throws in
      // An incomplete draft, and a former database that was moved away already.
      for suffix in ["", "-wal", "-shm", ".lock"] {
        try TextFile.create("half", at: target.databasePath + ".restored" + suffix, mode: 0o600)
      }
      try TextFile.create("former", at: target.databasePath + ".replaced-earlier", mode: 0o600)
      _ = try target.restore(backup)
      try target.withDatabase { (database: SQLiteDatabase) throws in
        #expect(try knows("vera", database))
      }
      #expect(
        try target.files().filter { $0.hasPrefix("polyclinic") && !$0.hasSuffix(".lock") }
          == ["polyclinic.sqlite", "polyclinic.sqlite.replaced-earlier"])
    }
  }

  @Test func `a WAL file left by a lost database is set aside and not used`() throws {
    let backup = try portal.backUp()
    try elsewhere { (target: ScratchInstallation) throws in
      try TextFile.create("stale", at: target.databasePath + "-wal", mode: 0o600)
      _ = try target.restore(backup)
      try target.withDatabase { (database: SQLiteDatabase) throws in
        #expect(try knows("vera", database))
      }
      #expect(
        try target.files().contains("polyclinic.sqlite.replaced-20260504T090000Z-wal"))
    }
  }

  @Test func `a database that another program reads is not replaced`() throws {
    let backup = try portal.backUp()
    try elsewhere { (target: ScratchInstallation) throws in
      _ = try target.restore(backup)
      try target.withDatabase { (database: SQLiteDatabase) throws in
        try database.write { try $0.run("UPDATE people SET created_at = 0") }
        try database.read { connection in
          _ = try connection.integer("SELECT count(*) FROM people")
          #expect(throws: RestoreError.inUse(path: target.databasePath)) {
            try target.restore(backup, .over)
          }
        }
        #expect(try knows("vera", database))
      }
      #expect(try !target.files().contains { $0.contains("restored") || $0.contains("replaced") })
    }
  }

  @Test func `an unreadable database is kept under another name and reported`() throws {
    let backup = try portal.backUp()
    try elsewhere { (target: ScratchInstallation) throws in
      try TextFile.create("no database", at: target.databasePath, mode: 0o600)
      let outcome = try target.restore(backup, .over)
      #expect(outcome.formerProblem != nil)
      #expect(try TextFile.read(#require(outcome.formerPath)) == "no database")
      #expect(outcome.lines.contains { $0.contains("could not be read") })
    }
  }

  @Test func `a failed placement leaves the former database in place`() throws {
    try Scratch.with { (directory: String) throws in
      for suffix in ["", "-wal"] {
        try TextFile.create("former" + suffix, at: directory + "/p" + suffix, mode: 0o600)
      }
      let placement = DatabasePlacement(path: directory + "/p", formerPath: directory + "/old")
      #expect(throws: SystemError.self) { try placement.put(directory + "/none") }
      #expect(try ScratchInstallation(directory: directory).files() == ["p", "p-wal"])
      #expect(try TextFile.read(directory + "/p-wal") == "former-wal")
    }
  }
}

extension [UInt8] {
  fileprivate var data: Data { Data(self) }
}
