import PolyclinicCore
import PolyclinicStore
import Testing

@Suite struct SchemaTests {
  let fixture: Fixture
  let database: SQLiteDatabase

  init() throws {
    fixture = try Fixture()
    database = try fixture.database()
  }

  private func person() throws -> ID<Person> {
    try database.write { try $0.insert("INSERT INTO people DEFAULT VALUES") }
  }

  @Test func `an insert returns the new id, and throws if it inserted nothing`() throws {
    let one = try person()
    #expect(try person() > one)
    #expect(
      kind {
        try database.write { connection in
          let id: ID<Person> = try connection.insert(
            "INSERT INTO people VALUES (\(one)) ON CONFLICT DO NOTHING")
          Issue.record("nothing was inserted, and it says \(id)")
        }
      } == .other)
  }

  @Test func `a duplicate value is a unique error`() throws {
    try database.add("a")
    #expect(kind { try database.add("a") } == .unique)
    let one = try person()
    #expect(
      kind { _ = try database.write { try $0.run("INSERT INTO people VALUES (\(one))") } }
        == .unique)
  }

  @Test func `deleting a person deletes their rows and clears them as author of others`() throws {
    let patient = try person()
    let doctor = try person()
    let (first, second): (ID<Note>, ID<Note>) = try database.write { connection in
      let add = { (person: ID<Person>, author: ID<Person>) throws -> ID<Note> in
        try connection.insert(
          """
          INSERT INTO notes (person, author, body) VALUES (\(person), \(author), '…')
          """)
      }
      return (try add(patient, doctor), try add(doctor, patient))
    }
    _ = try database.write { try $0.run("DELETE FROM people WHERE id_person = \(doctor)") }
    let left = try database.read { connection in
      try connection.rows("SELECT id_note, author FROM notes") { row in
        #expect(row.isNull(1))
        return row.id(0) as ID<Note>
      }
    }
    #expect(left == [first])
    #expect(second != first)
  }

  @Test func `a reference to a missing person is a foreign key error`() throws {
    let nobody = ID<Person>(99)
    let refused = kind {
      _ = try database.write {
        try $0.run("INSERT INTO notes (person, body) VALUES (\(nobody), \("…"))")
      }
    }
    #expect(refused == .foreignKey)
  }

  @Test func `the id of a deleted row is not used again`() throws {
    let last = try person()
    _ = try database.write { try $0.run("DELETE FROM people") }
    #expect(try person() > last)
  }

  @Test func `a wrong type and a missing value are constraint errors`() throws {
    let missing: String? = nil
    let refused: [SQL] = [
      "INSERT INTO notes (person, body) VALUES (\("one"), \("…"))",
      "INSERT INTO names VALUES (\([UInt8]([1])))",
      "INSERT INTO names VALUES (\(missing))",
    ]
    for statement in refused {
      #expect(kind { _ = try database.write { try $0.run(statement) } } == .constraint)
    }
  }
}
