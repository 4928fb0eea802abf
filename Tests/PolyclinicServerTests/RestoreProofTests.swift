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

  /// Returns the database's bytes after the statement has run.
  private func changing(_ database: [UInt8], _ statement: SQL) throws -> [UInt8] {
    let path = portal.directory + "/" + UUID().uuidString
    try Data(database).write(to: URL(filePath: path))
    let opened = try SQLiteDatabase.open(path)
    try opened.write { try $0.run(statement) }
    try opened.checkpointTruncate()
    opened.close()
    return Array(try Data(contentsOf: URL(filePath: path)))
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
    let other = try restoring {
      $0.manifest.rows["gone"] = 0
      $0.manifest.rows["lost"] = 1
    }
    #expect(failure(other) == .counts(table: "lost", expected: 1, found: 0))
  }

  @Test func `a backup with damaged pages is refused`() throws {
    let result = try restoring { forged in
      for index in forged.database.indices.suffix(4_096 * 4) { forged.database[index] = 0xAA }
    }
    guard case .failure = result else {
      Issue.record("a damaged database was restored")
      return
    }
  }

  @Test func `a backup whose sealed data does not open is refused`() throws {
    let result = try restoring { forged in
      forged.database = try changing(
        forged.database, "UPDATE profiles SET sealed = \([UInt8].random(64))")
    }
    #expect(failure(result) == .sealedDataDoesNotOpen)
  }

  @Test func `one person's damaged profile is reported and the backup is restored`() throws {
    let boris = try portal.register(login: "boris")
    let person = try portal.keys(of: boris).person
    let result = try restoring { forged in
      forged.database = try changing(
        forged.database,
        "UPDATE profiles SET sealed = \([UInt8].random(64)) WHERE person = \(person)")
    }
    let outcome = try result.get()
    #expect(outcome.draft.unreadable == [person])
    #expect(outcome.lines.contains { $0.contains("with these numbers: \(person).") })
  }

  @Test func `a database of another installation is refused`() throws {
    let result = try restoring { forged in
      forged.database = try changing(
        forged.database,
        "UPDATE installation SET value = \([UInt8].random(16)) WHERE name = 'installation'")
    }
    guard case .failure(let error) = result else {
      Issue.record("it was restored")
      return
    }
    #expect(error is VaultError)
  }

  @Test func `a backup with the schema of an earlier program is refused`() throws {
    let result = try restoring { forged in
      forged.database = try changing(
        forged.database, "UPDATE migrations SET name = '0001-people' WHERE module = 'account'")
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
    #expect(outcome.draft.unknown == [])
  }

  @Test func `a newer release's backup is restored unchanged with a notice`() throws {
    _ = try Migrator(portal.database, [(module: "diary", migrations: DiaryModule().migrations)])
      .migrate(at: portal.now)
    let outcome = try restoring { _ in }.get()
    #expect(outcome.draft.unknown.map(\.name) == ["0001-notes"])
    #expect(outcome.lines.contains { $0.contains("newer release, whose diary 0001-notes") })
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
