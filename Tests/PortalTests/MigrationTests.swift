import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The compatibility of each migration with the release before it, so that a rollback works.
@Suite(.sqliteOnly) struct MigrationTests {
  @Test func `no migration breaks the release before it`() throws {
    #expect(try TestPortal(all: modules).migrationBreaches() == [])
  }

  @Test(arguments: [
    ["DROP TABLE later_words"] as [SQL],
    ["ALTER TABLE later_words RENAME TO later_texts"],
    ["ALTER TABLE later_words RENAME COLUMN word TO text"],
    ["ALTER TABLE later_words DROP COLUMN note"],
    ["CREATE UNIQUE INDEX later_words_word ON later_words (word)"],
    ["ALTER TABLE later_words ADD COLUMN size INTEGER CHECK (size > 0)"],
    ["CREATE TRIGGER later_words_kept BEFORE DELETE ON later_words BEGIN SELECT 1; END"],
    ["DROP TABLE later_words", "CREATE TABLE later_words (note TEXT, word TEXT NOT NULL)"],
    ["DROP TABLE later_words", "CREATE TABLE later_words (note TEXT, word TEXT DEFAULT '')"],
    ["DROP TABLE later_words", "CREATE TABLE later_words (note TEXT, word INTEGER)"],
    ["DROP TABLE later_words", "CREATE TABLE later_words (note TEXT, word TEXT PRIMARY KEY)"],
    [
      "DROP TABLE later_words",
      "CREATE TABLE later_words (note TEXT, word TEXT, size INTEGER NOT NULL)",
    ],
    [
      "DROP TABLE later_words",
      "CREATE TABLE later_words (note TEXT, word TEXT REFERENCES people (id_person) ON DELETE CASCADE)",
    ],
    ["CREATE TABLE later_visits (person INTEGER REFERENCES people (id_person))"],
    ["UPDATE later_words SET word = upper(word)"],
    ["DELETE FROM people"],
  ])
  func `a migration that breaks the release before it is reported`(statements: [SQL]) throws {
    let breaches = try TestPortal(LaterModule(statements: statements)).migrationBreaches()
    #expect(breaches.filter { $0.hasPrefix("later 0002-later: ") }.count == 1, "\(breaches)")
  }

  @Test func `a migration that only adds columns, indexes and tables is no breach`() throws {
    let module = LaterModule(statements: [
      "ALTER TABLE later_words ADD COLUMN size INTEGER",
      "ALTER TABLE later_words ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'",
      "CREATE INDEX later_words_word ON later_words (word)",
      "CREATE TABLE later_visits (person \(.person)) \(.strict)",
      "INSERT INTO later_visits (person) SELECT id_person FROM people",
    ])
    #expect(try TestPortal(module).migrationBreaches().filter { $0.hasPrefix("later ") } == [])
  }
}

/// The history of the schema, which is edited until ``Migrator/isAppendOnly`` and only appended to
/// from then on.
@Suite struct PublishedMigrationTests {
  /// Returns a line for each migration of a portal: module, name, and the digest of its text.
  private func lines(of portal: TestPortal) throws -> [String] {
    try portal.database.read { connection in
      try connection.rows("SELECT module, name, digest FROM migrations ORDER BY module, name") {
        "\($0.string(0)) \($0.string(1)) \($0.bytes(2).hexadecimalText)"
      }
    }
  }

  /// Returns a sentence for each line that breaks the rule in force.
  private func breaches(
    of lines: [String], published: [String], isAppendOnly: Bool
  ) -> [String] {
    guard isAppendOnly else {
      let modules = lines.map { $0.prefix { $0 != " " } }
      return Set(modules).sorted().filter { module in modules.count { $0 == module } > 1 }
        .map { "\($0) has a second migration: until 1.0.0, edit the first one" }
    }
    return published.filter { !lines.contains($0) }.map {
      "was published, and is gone or edited: \($0)"
    }
      + lines.filter { !published.contains($0) }.map { "is missing in migrations.txt: \($0)" }
  }

  @Test
  func `each module has one migration until 1.0.0, and published ones never change afterwards`()
    throws
  {
    let lines = try lines(of: TestPortal(all: modules))
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "migrations.txt")
    let published =
      Migrator.isAppendOnly
      ? try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init) : []
    #expect(
      breaches(of: lines, published: published, isAppendOnly: Migrator.isAppendOnly) == [])
  }

  @Test
  func `an edited migration breaks the append-only rule, and a second one the rule before it`()
    throws
  {
    let note: SQL = "ALTER TABLE later_words ADD COLUMN size INTEGER"
    let published = try lines(of: TestPortal(LaterModule(statements: [note])))
    #expect(breaches(of: published, published: published, isAppendOnly: true) == [])
    let edited = try lines(
      of: TestPortal(LaterModule(statements: [note, "CREATE TABLE later_visits (at INTEGER)"])))
    let found = breaches(of: edited, published: published, isAppendOnly: true)
    #expect(found.count == 2 && found.allSatisfy { $0.contains(": later 0002-later ") })
    #expect(
      breaches(of: Array(published.dropLast()), published: published, isAppendOnly: true).count == 1
    )
    #expect(
      breaches(of: published, published: [], isAppendOnly: false)
        == ["later has a second migration: until 1.0.0, edit the first one"])
  }
}

/// A module whose second release changes the schema.
private struct LaterModule: Module {
  let id: ModuleID = "later"
  let statements: [SQL]
  var title: Text { "later.title" }
  var catalog: Catalog { Catalog() }
  var personalData: PersonalData { .none }
  var routes: [Route] { [] }
  var migrations: [Migration] {
    [
      Migration("0001-begin", "CREATE TABLE later_words (word TEXT, note TEXT)"),
      Migration("0002-later", statements),
    ]
  }
}
