import PolyclinicCore
import PolyclinicTesting
import Testing

/// A line that somebody wrote down: a record that stands whole in one row.
struct Memo: Resealable {
  var line = ""
  var unknown = UnknownFields()

  static let form = Form(Memo(), .text(\.line, "line", required: true, limit: 100))
  static let records = Records(
    "memos", id: "id_memo", sealed: Slot("memos.sealed", form),
    index: SealedIndex<Entry>("memos_index"), title: \.line, entry: Entry.init(_:id:),
    alongside: { memo, id, _, connection in
      try connection.run("UPDATE memos SET length = \(memo.line.count) WHERE id_memo = \(id)")
    })

  struct Entry: SealedEntry {
    let id: ID<Memo>
    let line: String

    init(_ memo: Memo, id: ID<Memo>) { (self.id, line) = (id, memo.line) }

    init(from bytes: inout ByteReader) throws { (id, line) = (try bytes.id(), try bytes.string()) }

    func write(to bytes: inout ByteWriter) {
      bytes.write(id)
      bytes.write(line)
    }

    static func < (one: Entry, other: Entry) -> Bool { one.line < other.line }
  }
}

/// A module of memos, with whatever is to be left out of it.
struct MemosModule: Module {
  let id: ModuleID = "memos"
  var personalData = PersonalData(
    impersonal: ["memos.length": "a sample of a plain column"], export: Memo.records.export)
  var derived = [Memo.records.derived]
  var trash: Trash? = Memo.records.trash(leadingTo: "")
  var recoveries = [Memo.records.recovery("memos")]

  var title: Text { "title" }
  var catalog: Catalog { .titled("Memos", #""field.line": "Line""#) }
  var migrations: [Migration] {
    [
      Migration("0001-memos", Memo.records.schema),
      Migration("0002-length", "ALTER TABLE memos ADD COLUMN length \(.integer)"),
    ]
  }
  var routes: [Route] {
    [
      .form("new", Memo.form, title: "title", cancel: "/") { memo, context, connection in
        _ = try Memo.records.insert(memo, at: context.now, by: context.keys, on: connection)
        return "/"
      }
    ]
  }
}

/// Records that stand each in one row; those in several tables are tested with the contacts.
@Suite struct RecordsTests {
  private let portal: TestPortal
  private let anna: Keys
  private let boris: Keys

  init() throws {
    portal = try TestPortal(MemosModule())
    anna = try portal.keys(of: portal.register())
    boris = try portal.keys(of: portal.register())
  }

  private func add(_ line: String) throws -> ID<Memo> {
    try portal.database.write {
      try Memo.records.insert(Memo(line: line), at: portal.now, by: anna, on: $0)
    }
  }

  private func lines() throws -> [String] {
    try portal.database.read {
      try Memo.records.index.page(1, by: anna, on: $0).entries.map(\.line)
    }
  }

  private func find(_ id: ID<Memo>, by keys: Keys) throws -> String? {
    try portal.database.read { try Memo.records.find(id, by: keys, on: $0)?.line }
  }

  @Test func `a record comes back as it was stored, and stands in its index`() throws {
    let (milk, bread) = (try add("milk"), try add("bread"))
    #expect(try find(milk, by: anna) == "milk" && find(bread, by: anna) == "bread")
    #expect(try lines() == ["bread", "milk"])
  }

  @Test func `a plain column follows each way of storing a record`() throws {
    let lengths = {
      try portal.database.read {
        try $0.rows("SELECT length FROM memos ORDER BY id_memo") { $0.int(0) }
      }
    }
    let milk = try add("milk")
    try portal.database.write {
      try Memo.records.insert(
        contentsOf: [Memo(line: "bread"), Memo(line: "eggs")], at: portal.now, by: anna, on: $0)
    }
    #expect(try lengths() == [4, 5, 4])
    try portal.database.write {
      try Memo.records.replace(milk, with: Memo(line: "oat milk"), by: anna, on: $0)
    }
    #expect(try lengths() == [8, 5, 4])
  }

  @Test func `a record that changes moves to its new place`() throws {
    let (milk, bread) = (try add("milk"), try add("bread"))
    try portal.database.write {
      try Memo.records.replace(milk, with: Memo(line: "apples"), by: anna, on: $0)
      try Memo.records.replace(bread, with: Memo(line: "bread"), by: anna, on: $0)
    }
    #expect(try find(milk, by: anna) == "apples")
    #expect(try lines() == ["apples", "bread"])
  }

  @Test func `each change of a record changes the version, and no reading does`() throws {
    let version = {
      try portal.database.read { try Memo.records.index.version(by: anna, on: $0) }
    }
    var versions = [try version()]
    let milk = try add("milk")
    versions.append(try version())
    // The same line: no entry shows the change.
    try portal.database.write {
      try Memo.records.replace(milk, with: Memo(line: "milk"), by: anna, on: $0)
    }
    versions.append(try version())
    try portal.database.write {
      try Memo.records.replace(contentsOf: [(milk, Memo(line: "milk"))], by: anna, on: $0)
    }
    versions.append(try version())
    try portal.database.write {
      try Memo.records.delete(milk, at: portal.now, by: anna, on: $0)
    }
    versions.append(try version())
    #expect(Set(versions).count == 5)
    #expect(try find(milk, by: anna) == nil)
    #expect(try version() == versions.last)
  }

  @Test func `records that were sealed before their transaction are stored as others are`() throws {
    let milk = try add("milk")
    let database = portal.database
    let batch = try Memo.records.seal(
      new: [Memo(line: "bread"), Memo(line: "eggs")], changed: [(milk, Memo(line: "oat milk"))],
      at: portal.now, by: anna, in: database)
    #expect(try lines() == ["milk"])
    // A number that was reserved is given to nobody else.
    _ = try add("cheese")
    try database.write { try Memo.records.store(batch, by: anna, on: $0) }
    #expect(try lines() == ["bread", "cheese", "eggs", "oat milk"])
    #expect(try find(milk, by: anna) == "oat milk")
    #expect(try portal.problems() == [])
    #expect(throws: Refusal.notFound) {
      try Memo.records.seal(
        new: [], changed: [(milk, Memo(line: "mine"))], at: portal.now, by: boris, in: database)
    }
  }

  @Test func `somebody else's record is not found, and stays as it is`() throws {
    let milk = try add("milk")
    #expect(try find(milk, by: boris) == nil)
    #expect(throws: Refusal.notFound) {
      try portal.database.write {
        try Memo.records.replace(milk, with: Memo(line: "beer"), by: boris, on: $0)
      }
    }
    #expect(throws: Refusal.notFound) {
      try portal.database.write {
        try Memo.records.delete(milk, at: portal.now, by: boris, on: $0)
      }
    }
    #expect(try find(milk, by: anna) == "milk")
  }

  @Test func `what was deleted is out of the list, and is taken back by its owner alone`() throws {
    let milk = try add("milk")
    let trash = Memo.records.trash(leadingTo: "{id}")
    try portal.database.write { try Memo.records.delete(milk, at: portal.now, by: anna, on: $0) }
    #expect(try find(milk, by: anna) == nil)
    #expect(try lines() == [])
    #expect(try portal.database.read { try trash.list(anna, $0).map(\.title) } == ["milk"])
    #expect(try portal.database.read { try trash.list(boris, $0).isEmpty })
    #expect(throws: Refusal.notFound) {
      try portal.database.write { try trash.restore(milk.rawValue, boris, $0) }
    }
    #expect(throws: Refusal.notFound) {
      try portal.database.write { try trash.purge(milk.rawValue, boris, $0) }
    }
    let path = try portal.database.write { try trash.restore(milk.rawValue, anna, $0) }
    #expect(path.description == "\(milk)")
    #expect(try lines() == ["milk"])
  }

  @Test func `what was purged leaves no row`() throws {
    let milk = try add("milk")
    let trash = Memo.records.trash(leadingTo: "")
    #expect(throws: Refusal.notFound) {
      try portal.database.write { try trash.purge(milk.rawValue, anna, $0) }
    }
    try portal.database.write { connection in
      try Memo.records.delete(milk, at: portal.now, by: anna, on: connection)
      try trash.purge(milk.rawValue, anna, connection)
    }
    #expect(try portal.rowCounts()["memos"] == 0)
  }

  @Test func `the copy for the person holds the deleted ones with their day`() throws {
    let milk = try add("milk")
    _ = try add("bread")
    try portal.database.write { try Memo.records.delete(milk, at: portal.now, by: anna, on: $0) }
    let copy = try portal.database.read { connection in
      try JSONWriter.bytes { try Memo.records.export(anna, connection, $0) }
    }
    #expect(
      String(decoding: copy, as: UTF8.self)
        == #"{"memos":[{"id":1,"line":"milk","deleted_on":"2026-05-04"},{"id":2,"line":"bread"}]}"#)
  }

  @Test func `an index that lacks a record is not sound, and is made anew`() throws {
    let milk = try add("milk")
    let derived = Memo.records.derived
    #expect(try portal.database.read { try derived.isSound(anna, $0) })
    try portal.database.write { connection in
      let entry = Memo.Entry(Memo(line: "milk"), id: milk)
      try Memo.records.index.remove(entry, by: anna, on: connection)
    }
    #expect(try !portal.database.read { try derived.isSound(anna, $0) })
    try portal.database.write { try derived.rebuild(anna, $0) }
    #expect(try lines() == ["milk"])
  }
}
