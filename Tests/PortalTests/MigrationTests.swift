import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The compatibility of each migration with the release before it, so that a rollback works.
@Suite struct MigrationTests {
  private static let doctorInUse =
    "a release that is refused to delete a doctor says that there still is something of the doctor"

  /// The breaches of released migrations, each with the reason why it harms no release.
  private static let settled = [
    "account 0012-answered-forms-in-fewer-pages: table answered_forms has another kind of key":
      "no release has named the row ids of the table",
    "appointments 0002-appointments: table appointments keeps rows from being deleted by its foreign key "
      + "(doctor) to appointments_doctors, ON DELETE NO ACTION": doctorInUse,
    "appointments 0003-waiting-list: table appointments_desks keeps rows from being deleted by its foreign key "
      + "(doctor) to appointments_doctors, ON DELETE NO ACTION": doctorInUse,
    "appointments 0004-grains: table appointments_grains keeps rows from being deleted by its foreign key "
      + "(doctor) to appointments_doctors, ON DELETE NO ACTION": doctorInUse,
    "appointments 0008-retained: table appointments_retained keeps rows from being deleted by its foreign key "
      + "(doctor) to appointments_doctors, ON DELETE NO ACTION": doctorInUse,
    "appointments 0005-claimed-time: table appointments_grains has a new trigger appointments_grains_claimed":
      "it adds to a new table what the release before claims",
    "appointments 0005-claimed-time: table appointments_grains has a new trigger appointments_grains_released":
      "it takes from a new table what the release before lets go",
  ]

  @Test func `no migration breaks the release before it`() throws {
    let breaches = try Set(TestPortal(all: modules).migrationBreaches())
    #expect(breaches.subtracting(Self.settled.keys) == [])
    #expect(Set(Self.settled.keys).subtracting(breaches) == [], "no longer so: strike it off")
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
