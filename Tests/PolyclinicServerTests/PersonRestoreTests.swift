import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

/// Restores of one person's records from a backup.
@Suite struct PersonRestoreTests: PersonRestoreSuite {
  let portal: TestPortal
  let anna: TestVisitor
  let keys: Keys

  init() throws {
    portal = try TestPortal(MemosModule())
    anna = try portal.register(login: "anna")
    keys = try portal.keys(of: anna)
  }

  @Test func `deleted records return, changed ones return as copies, others stay`() throws {
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
    // The index and the plain columns match the restored records.
    #expect(try portal.problems() == [])
    #expect(
      try portal.read {
        try $0.integer("SELECT count(*) FROM memos WHERE length = 6 AND deleted_at IS NULL")
      } == 1)
    #expect(try restore(from: backup) == count(same: 5))
    #expect(anna.get("/account/deleted").hasRow("trashed later"))
  }

  @Test func `other people's rows stay unchanged`() throws {
    let boris = try portal.register(login: "boris")
    let other = try add("of Boris", by: try portal.keys(of: boris))
    let mine = try add("of Anna")
    let backup = try portal.backUp()
    try purge(mine)
    try portal.write {
      try Memo.records.replace(
        other, with: Memo(line: "later"), in: $0.with(try portal.keys(of: boris)))
    }
    var before = try contents(besides: keys.person)
    #expect(try restore(from: backup) == count(deleted: 1))
    var after = try contents(besides: keys.person)
    // The audit gains an entry about Anna, with her ID in a column other than `person`.
    before["audit"] = nil
    after["audit"] = nil
    #expect(after == before)
    #expect(try memos() == [mine.rawValue: "of Anna"])
  }

  @Test func `a record returns under a new ID if another person's has the old one`() throws {
    let mine = try add("of Anna")
    let backup = try portal.backUp()
    try purge(mine)
    let boris = try portal.keys(of: portal.register())
    try portal.write { connection in
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

  @Test func `of two identical records only the deleted one returns`() throws {
    let ids = [try add("72 kg"), try add("72 kg")]
    let backup = try portal.backUp()
    try purge(ids[0])
    #expect(try restore(from: backup) == count(same: 1, deleted: 1))
    #expect(try memos().values.sorted() == ["72 kg", "72 kg"])
  }

  @Test func `a dry run shows the counts, changes nothing and shows no content`() throws {
    let id = try add("Hypertension")
    let backup = try portal.backUp()
    try change(id, to: "Nothing at all")
    try requireUntouched {
      #expect(try restore(.count, from: backup) == count(changed: 1))
      let local = try ScratchInstallation(of: portal).localInstallation(
        MemosModule())
      let lines = try local.restore(of: "anna", from: backup).lines(.count, at: portal.now)
      #expect(lines.contains { $0.contains("memos") && $0.hasSuffix("1") })
      #expect(lines.last?.contains("dry run") == true)
      #expect(!lines.joined().contains("Hypertension"))
    }
  }

  @Test func `a record damaged since the backup returns as a copy`() throws {
    let id = try add("whole")
    let backup = try portal.backUp()
    _ = try portal.write {
      try $0.run(
        "UPDATE memos SET sealed = \([UInt8](repeating: 0, count: 64)) WHERE id_memo = \(id)")
    }
    #expect(try restore(from: backup) == count(changed: 1))
  }

  @Test func `a record damaged before the backup is counted, and the others return`() throws {
    let ids = [try add("broken"), try add("whole")]
    _ = try portal.write {
      try $0.run(
        "UPDATE memos SET sealed = \([UInt8](repeating: 0, count: 64)) WHERE id_memo = \(ids[0])")
    }
    let backup = try portal.backUp()
    try purge(ids[1])
    #expect(try restore(from: backup) == count(deleted: 1, unreadable: 1))
  }

  @Test func `a backup from before a master key rotation restores records`() throws {
    let id = try add("kept")
    let backup = try portal.backUp()
    try purge(id)
    let path = portal.directory + "/master.key"
    _ = try KeyRotation(database: portal.database, path: path).run(at: portal.now)
    #expect(try restore(from: backup) == count(deleted: 1))
    #expect(try memos() == [id.rawValue: "kept"])
  }

  @Test func `returned records are noted in the access log and in the audit`() throws {
    let id = try add("kept")
    let backup = try portal.backUp()
    _ = try restore(from: backup)
    #expect(!anna.get("/account/access-log").contains("restored from a backup"))
    try purge(id)
    _ = try restore(from: backup)
    let words = "Your records were restored from a backup on the server"
    #expect(anna.get("/account/access-log").contains(words))
    let page = try portal.administrator().get("/admin/audit")
    #expect(page.hasRow("Records restored from a backup"))
  }
}
