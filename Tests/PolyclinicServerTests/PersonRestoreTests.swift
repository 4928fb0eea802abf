import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

/// A backup, a portal that went on since, and somebody who misses something.
@Suite struct PersonRestoreTests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private let keys: Keys

  init() throws {
    portal = try TestPortal(MemosModule())
    anna = try portal.register(login: "anna")
    keys = try portal.keys(of: anna)
  }

  // MARK: What Anna does

  @discardableResult
  private func add(_ line: String, by keys: Keys? = nil) throws -> ID<Memo> {
    let keys = keys ?? self.keys
    return try portal.database.write {
      try Memo.records.insert(Memo(line: line), at: portal.now, by: keys, on: $0)
    }
  }

  private func change(_ id: ID<Memo>, to line: String) throws {
    try portal.database.write {
      try Memo.records.replace(id, with: Memo(line: line), by: keys, on: $0)
    }
  }

  private func delete(_ id: ID<Memo>) throws {
    try portal.database.write {
      try Memo.records.delete(id, at: portal.now, by: keys, on: $0)
    }
  }

  private func purge(_ id: ID<Memo>) throws {
    try delete(id)
    try portal.database.write {
      try Memo.records.trash(leadingTo: "").purge(id.rawValue, keys, $0)
    }
  }

  /// All that is not deleted, by number.
  private func memos() throws -> [Int64: String] {
    var found: [Int64: String] = [:]
    try portal.database.read { connection in
      try Memo.records.forEach(by: keys, on: connection) { found[$0.rawValue] = $1.line }
    }
    return found
  }

  // MARK: What the administrator does

  private func restore(
    _ manner: Recovery.Manner = .store, login: String = "anna", from backup: String,
    place: BackupPlace? = nil
  ) throws -> Recovery.Count {
    let place = place ?? BackupPlace(directory: portal.directory)
    let restore = PersonRestore(
      place: try place.place(MemosModule()), backupPath: backup, login: login)
    let outcome = try restore.run(manner, at: portal.now)
    #expect(outcome.counts.map(\.name) == ["memos"])
    return try #require(outcome.counts.first).count
  }

  private func count(
    same: Int = 0, deleted: Int = 0, changed: Int = 0, unreadable: Int = 0
  ) -> Recovery.Count {
    var count = Recovery.Count()
    (count.same, count.deleted, count.changed) = (same, deleted, changed)
    count.unreadable = unreadable
    return count
  }

  /// Nothing came back, and nothing of the backup lies about.
  private func requireUntouched(_ body: () throws -> Void) throws {
    let before = try contents()
    try body()
    #expect(try contents() == before)
    let files = try FileManager.default.contentsOfDirectory(atPath: portal.directory)
    #expect(!files.contains { $0.contains("looked-into") })
  }

  /// All rows of all tables, sealed values as they are stored.
  private func contents(besides person: ID<Person>? = nil) throws -> [String: Int] {
    try portal.database.read { connection in
      let tables = try connection.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      ) { $0.string(0) }
      return try Dictionary(
        uniqueKeysWithValues: tables.map { table in
          let columns = try connection.rows("SELECT name FROM pragma_table_info(\(table))") {
            $0.string(0)
          }
          var hasher = Hasher()
          let isAbout = person != nil && columns.contains("person")
          let condition: SQL = isAbout ? "person <> \(person ?? ID(0))" : "1 = 1"
          let values = columns.reduce("''" as SQL) { "\($0) || '|' || quote(\(schemaName: $1))" }
          try connection.forEach(
            "SELECT \(values) FROM \(schemaName: table) WHERE \(condition) ORDER BY 1"
          ) { hasher.combine($0.string(0)) }
          return (table, hasher.finalize())
        })
    }
  }

  @Test func `unchanged records stay, deleted ones return, changed ones return beside themselves`()
    throws
  {
    let ids = try ["kept", "trashed", "purged", "changed", "changed and trashed"].map {
      try add($0)
    }
    let gone = try add("deleted before the backup")
    try delete(gone)
    let backup = try portal.backUp()
    try delete(ids[1])
    try purge(ids[2])
    try change(ids[3], to: "changed later")
    try change(ids[4], to: "trashed later")
    try delete(ids[4])
    let later = try add("made later")
    let expected = count(same: 1, deleted: 2, changed: 2)
    #expect(try restore(from: backup) == expected)
    var found = try memos()
    for (id, line) in [
      (ids[0], "kept"), (ids[1], "trashed"), (ids[2], "purged"), (ids[3], "changed later"),
      (later, "made later"),
    ] { #expect(found.removeValue(forKey: id.rawValue) == line) }
    #expect(found.values.sorted() == ["changed", "changed and trashed"])
    #expect(found.keys.allSatisfy { $0 > later.rawValue && $0 != gone.rawValue })
    // Lists, searches and plain columns follow.
    #expect(try portal.problems() == [])
    #expect(
      try portal.database.read {
        try $0.integer("SELECT count(*) FROM memos WHERE length = 6 AND deleted_at IS NULL")
      } == 1)
    #expect(try restore(from: backup) == count(same: 5))
    #expect(anna.get("/account/deleted").contains("trashed later"))
  }

  @Test func `nothing of anybody else is touched`() throws {
    let boris = try portal.register(login: "boris")
    let other = try add("of Boris", by: try portal.keys(of: boris))
    let mine = try add("of Anna")
    let backup = try portal.backUp()
    try purge(mine)
    try portal.database.write {
      try Memo.records.replace(
        other, with: Memo(line: "later"), by: try portal.keys(of: boris), on: $0)
    }
    var before = try contents(besides: keys.person)
    #expect(try restore(from: backup) == count(deleted: 1))
    var after = try contents(besides: keys.person)
    // What administrators did: an entry about Anna, whose number stands in another column.
    before["audit"] = nil
    after["audit"] = nil
    #expect(after == before)
    #expect(try memos() == [mine.rawValue: "of Anna"])
  }

  @Test func `a number that means another person's record by now is not taken`() throws {
    let mine = try add("of Anna")
    let backup = try portal.backUp()
    try purge(mine)
    let boris = try portal.keys(of: portal.register())
    try portal.database.write { connection in
      let sealed = try boris.seal([], as: "memos.sealed", row: mine.rawValue)
      try connection.run(
        """
        INSERT INTO memos (id_memo, person, created_at, sealed)
        VALUES (\(mine), \(boris.person), 0, \(sealed))
        """)
    }
    #expect(try restore(from: backup) == count(changed: 1))
    #expect(try memos().count == 1 && memos()[mine.rawValue] == nil)
  }

  @Test func `of two records alike each counts for itself`() throws {
    let ids = [try add("72 kg"), try add("72 kg")]
    let backup = try portal.backUp()
    try purge(ids[0])
    #expect(try restore(from: backup) == count(same: 1, deleted: 1))
    #expect(try memos().values.sorted() == ["72 kg", "72 kg"])
  }

  @Test func `a dry run says the same numbers, changes nothing and quotes nothing`() throws {
    let id = try add("Hypertension")
    let backup = try portal.backUp()
    try change(id, to: "Nothing at all")
    try requireUntouched {
      #expect(try restore(.count, from: backup) == count(changed: 1))
      let place = try BackupPlace(directory: portal.directory).place(MemosModule())
      let lines = try PersonRestore(place: place, backupPath: backup, login: "anna")
        .lines(.count, at: portal.now)
      #expect(lines.contains { $0.contains("memos") && $0.hasSuffix("1") })
      #expect(lines.last?.contains("dry run") == true)
      #expect(!lines.joined().contains("Hypertension"))
    }
  }

  @Test func `a record that is damaged now comes back beside it`() throws {
    let id = try add("whole")
    let backup = try portal.backUp()
    _ = try portal.database.write {
      try $0.run("UPDATE memos SET sealed = zeroblob(64) WHERE id_memo = \(id)")
    }
    #expect(try restore(from: backup) == count(changed: 1))
  }

  @Test func `a record that was damaged before the backup keeps no other from coming back`() throws
  {
    let ids = [try add("broken"), try add("whole")]
    _ = try portal.database.write {
      try $0.run("UPDATE memos SET sealed = zeroblob(64) WHERE id_memo = \(ids[0])")
    }
    let backup = try portal.backUp()
    try purge(ids[1])
    #expect(try restore(from: backup) == count(deleted: 1, unreadable: 1))
  }

  @Test func `a backup of before a rotation of the master key brings records back`() throws {
    let id = try add("kept")
    let backup = try portal.backUp()
    try purge(id)
    let path = portal.directory + "/master.key"
    _ = try KeyRotation(database: portal.database, path: path).run(at: portal.now)
    #expect(try restore(from: backup) == count(deleted: 1))
    #expect(try memos() == [id.rawValue: "kept"])
  }

  @Test func `the person and the administrators read that records came back`() throws {
    let id = try add("kept")
    let backup = try portal.backUp()
    _ = try restore(from: backup)
    #expect(!anna.get("/account/access-log").contains("brought back"))
    try purge(id)
    _ = try restore(from: backup)
    let words = "On the server, records of yours were brought back from a backup"
    #expect(anna.get("/account/access-log").contains(words))
    let page = try portal.administrator().get("/admin/audit")
    #expect(page.contains("Records brought back from a backup"))
  }

  @Test func `an unknown login, a former one and an e-mail are told apart from a person's`() throws
  {
    let backup = try portal.backUp()
    try requireUntouched {
      for login in ["nobody", "anna@example.org"] {
        #expect(throws: PersonRestoreError.unknownLogin) {
          try restore(login: login, from: backup)
        }
      }
    }
    let vault = try portal.vault
    try portal.database.write { connection in
      var profile = try #require(try Profile.find(by: keys, on: connection))
      profile.login = "anna2"
      try Account.rename(keys.person, to: profile, vault, on: connection)
    }
    #expect(throws: PersonRestoreError.renamed(keys.person)) { try restore(from: backup) }
    #expect(try restore(login: "anna2", from: backup) == count())
  }

  @Test func `somebody who came later is not in the backup`() throws {
    let backup = try portal.backUp()
    _ = try portal.register(login: "vera")
    try requireUntouched {
      #expect(throws: PersonRestoreError.notInBackup(at: portal.now)) {
        try restore(login: "vera", from: backup)
      }
    }
  }

  @Test func `an erased person is not brought back, whoever has the login now`() throws {
    try add("to be forgotten")
    let backup = try portal.backUp()
    let administrator = Administrator(
      vault: try portal.vault, author: .commandLine, now: portal.now)
    try portal.database.write { connection in
      let id = try connection.row(
        "SELECT erasure_id FROM people WHERE id_person = \(keys.person)"
      ) { $0.bytes(0) }
      _ = try administrator.repeatErasure(try #require(id), on: connection)
    }
    #expect(throws: PersonRestoreError.erased) { try restore(from: backup) }
    _ = try portal.register(login: "anna")
    #expect(throws: PersonRestoreError.notInBackup(at: portal.now)) { try restore(from: backup) }
  }

  @Test func `whom the log of erasures names is refused, though the database has the person`()
    throws
  {
    let backup = try portal.backUp()
    let id = try portal.database.read { connection in
      try connection.row("SELECT erasure_id FROM people WHERE id_person = \(keys.person)") {
        $0.bytes(0)
      }
    }
    try ErasureLog(directory: portal.directory).append([try #require(id)])
    #expect(throws: PersonRestoreError.erased) { try restore(from: backup) }
  }

  @Test func `a broken backup brings nothing back`() throws {
    try purge(try add("lost"))
    let path = try portal.backUp()
    let good = try Data(contentsOf: URL(filePath: path))
    var changed = good
    changed[good.count / 2] ^= 1
    for bytes in [good.dropLast(), changed, good + [0], Data("hello".utf8)] {
      try bytes.write(to: URL(filePath: path))
      try requireUntouched {
        #expect(throws: BackupError.self) { try restore(from: path) }
      }
    }
  }

  @Test func `a backup of another portal brings nothing back, also one with the same key`() throws {
    let other = try TestPortal(MemosModule())
    _ = try other.register(login: "anna")
    let backup = try other.backUp()
    let id = try other.ring.newest.id
    try requireUntouched {
      #expect(
        throws: PersonRestoreError.unknownKey(
          id, path: backup, ring: portal.directory + "/master.key")
      ) { try restore(from: backup) }
    }
    let shared = KeyRing(
      newest: try portal.ring.newest, older: [try other.ring.newest],
      path: portal.directory + "/master.key")
    try shared.replaceFile()
    try requireUntouched {
      #expect(throws: PersonRestoreError.anotherPortal(path: backup)) { try restore(from: backup) }
    }
  }

  @Test func `a backup of a later release is refused with the way to read it`() throws {
    let path = try portal.backUp()
    var forged = try ForgedBackup(path, ring: portal.ring)
    forged.manifest.migrations.append(.init(module: "memos", name: "0003-later", digest: "00"))
    try forged.write(to: path, ring: portal.ring)
    try requireUntouched {
      let error = #expect(throws: PersonRestoreError.self) { try restore(from: path) }
      #expect(error == .newerRelease(migration: "memos 0003-later"))
      #expect(error?.description.contains("Update the program first") == true)
    }
  }

  @Test func `another command that works with the keys is waited for by hand`() throws {
    let backup = try portal.backUp()
    try KeyRing.whileLocked(at: portal.directory + "/master.key") {
      _ = #expect(throws: PersonRestoreError.underWay) { try restore(from: backup) }
    }
  }
}
