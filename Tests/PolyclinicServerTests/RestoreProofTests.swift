import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer
@testable import PolyclinicVault

/// Backups with a valid seal and changed contents.
@Suite struct RestoreProofTests {
  let portal: TestPortal

  init() throws {
    portal = try TestPortal()
    _ = try portal.register(login: "vera")
  }

  /// Restores a backup whose parts `change` has edited, and returns the result.
  private func restoring(
    _ change: (inout ForgedBackup) throws -> Void, _ plugins: any Module...
  ) throws -> Result<Restore.Outcome, any Error> {
    let path = try portal.backUp("\(UUID().uuidString).backup")
    var forged = try ForgedBackup(path, ring: portal.ring)
    try change(&forged)
    try forged.write(to: path, ring: portal.ring)
    var result: Result<Restore.Outcome, any Error>?
    try Scratch.with { (directory: String) throws in
      let target = ScratchInstallation(directory: directory)
      try target.takeKey(of: portal)
      result = Result {
        try LocalInstallation(target.localInstallation().configuration, plugins: plugins)
          .restore(path, .intoEmptyPlace).run(sheet: nil, at: portal.now)
      }
      if case .failure = result { #expect(try target.files() == ["master.key"]) }
    }
    return try #require(result)
  }

  private func bytes(_ statement: SQL) throws -> [[UInt8]] {
    try portal.read { try $0.rows(statement) { $0.bytes(0) } }
  }

  private func failure(_ result: Result<Restore.Outcome, any Error>) -> RestoreError? {
    guard case .failure(let error) = result else { return nil }
    return error as? RestoreError
  }

  @Test func `an unchanged backup is restored`() throws {
    #expect(try restoring { _ in }.get().draft.manifest.rows["people"] == 1)
  }

  @Test func `a table with fewer rows than the manifest says is refused`() throws {
    let result = try restoring { $0.manifest.rows["people"] = 2 }
    #expect(failure(result) == .counts(table: "people", expected: 2, found: 1))
    let other = try restoring { $0.manifest.rows["people"] = nil }
    #expect(failure(other) == .counts(table: "people", expected: 0, found: 1))
  }

  @Test func `a backup with incomplete, further or malformed rows is refused`() throws {
    let changes: [(inout ForgedBackup) -> Void] = [
      { $0.rows.removeLast() }, { $0.rows.append(0) }, { $0.rows[0] = 2 },
      { $0.rows = [] }, { $0.rows[$0.rows.count - 1] = 1 },
    ]
    for change in changes {
      guard case .damaged = failure(try restoring { change(&$0) }) else {
        Issue.record("rows that do not follow the format were restored")
        return
      }
    }
  }

  @Test func `a table that no migration makes is left out and reported`() throws {
    try portal.addBallast()
    let outcome = try restoring { _ in }.get()
    #expect(outcome.draft.leftOut == ["ballast": 4])
    #expect(outcome.lines.contains { $0.contains("ballast (4)") })
  }

  @Test func `a column that no migration makes is refused`() throws {
    try portal.write { try $0.run("ALTER TABLE profiles ADD COLUMN colour TEXT") }
    #expect(failure(try restoring { _ in }) == .columns(table: "profiles"))
  }

  @Test func `a backup whose sealed data does not open is refused`() throws {
    let result = try restoring { forged in
      for sealed in try bytes("SELECT sealed FROM profiles") {
        try forged.replace(sealed, by: .random(sealed.count))
      }
    }
    #expect(failure(result) == .sealedDataDoesNotOpen)
  }

  @Test func `one person's damaged profile is reported and the backup is restored`() throws {
    let boris = try portal.register(login: "boris")
    let person = try portal.keys(of: boris).person
    let result = try restoring { forged in
      for sealed in try bytes("SELECT sealed FROM profiles WHERE person = \(person)") {
        try forged.replace(sealed, by: .random(sealed.count))
      }
    }
    let outcome = try result.get()
    #expect(outcome.draft.unreadable == [person])
    #expect(outcome.lines.contains { $0.contains("with these numbers: \(person).") })
  }

  @Test func `a database of another installation is refused`() throws {
    let result = try restoring { forged in
      for id in try bytes("SELECT value FROM installation WHERE name = 'installation'") {
        try forged.replace(id, by: .random(id.count))
      }
    }
    guard case .failure(let error) = result else {
      Issue.record("it was restored")
      return
    }
    #expect(error is VaultError)
  }

  @Test func `a backup with the schema of an earlier program is refused`() throws {
    let result = try restoring { forged in
      let place = try #require(
        forged.manifest.migrations.firstIndex { $0.module == "account" })
      forged.manifest.migrations[place].name = "0001-people"
    }
    guard case .failure(let error) = result else {
      Issue.record("it was restored")
      return
    }
    #expect((error as? MigrationError)?.description.contains("/account/export") == true)
  }

  @Test func `an older backup is migrated to this release`() throws {
    let outcome = try restoring({ _ in }, DiaryModule()).get()
    #expect(outcome.draft.migrated.map(\.description) == ["diary 0001-notes"])
  }

  @Test func `a backup of a newer release, or of one with other modules, is refused`() throws {
    _ = try Migrator(portal.database, [(module: "diary", migrations: DiaryModule().migrations)])
      .migrate(at: portal.now)
    #expect(failure(try restoring { _ in }) == .unknownMigrations(["diary 0001-notes"]))
  }
}

/// A module that an earlier release did not have.
private struct DiaryModule: Module {
  let id: ModuleID = "diary"
  var title: Text { "title" }
  var catalog: Catalog { Catalog() }
  var personalData: PersonalData { .none }
  var migrations: [Migration] {
    [
      Migration(
        "0001-notes",
        "CREATE TABLE diary_notes (id_note \(.identity), person \(.person)) \(.strict)"
      )
    ]
  }
}
