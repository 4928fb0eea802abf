import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

/// Records of one row each; the tests of contacts cover records in several tables.
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
    try portal.write {
      try Memo.records.insert(Memo(line: line), in: $0.with(anna))
    }
  }

  private func lines() throws -> [String] {
    try portal.read {
      try Memo.records.index.page(1, in: $0.with(anna)).entries.map(\.line)
    }
  }

  private func find(_ id: ID<Memo>, by keys: Keys) throws -> String? {
    try portal.read { try Memo.records.find(id, in: $0.with(keys))?.line }
  }

  @Test func `a stored record is found unchanged and is listed in its index`() throws {
    let (milk, bread) = (try add("milk"), try add("bread"))
    #expect(try find(milk, by: anna) == "milk" && find(bread, by: anna) == "bread")
    #expect(try lines() == ["bread", "milk"])
  }

  @Test func `a record is sealed for its table's column`() throws {
    let milk = try add("milk")
    let stored = try portal.read { work in
      try work.row("SELECT sealed FROM memos WHERE id_memo = \(milk)") {
        try SealedColumn("memos.sealed", Memo.form).open($0.sealed(0), row: milk, by: anna)
      }
    }
    #expect(stored?.line == "milk")
  }

  @Test func `a page can be limited to the entries that a query matches`() throws {
    for line in ["milk", "Oat milk", "bread"] { _ = try add(line) }
    let query = SearchText.Query("mil")
    let found = try portal.read {
      try Memo.records.index.page(1, in: $0.with(anna)) { query.matches(SearchText($0.line)) }
    }
    #expect(found.entries.map(\.line) == ["milk", "Oat milk"] && found.pagination.total == 2)
  }

  @Test func `inserting and replacing a record update its plain column`() throws {
    let lengths = {
      try portal.read {
        try $0.rows("SELECT length FROM memos ORDER BY id_memo") { $0.int(0) }
      }
    }
    let milk = try add("milk")
    try portal.write {
      try Memo.records.insert(
        contentsOf: [Memo(line: "bread"), Memo(line: "eggs")], in: $0.with(anna))
    }
    #expect(try lengths() == [4, 5, 4])
    try portal.write {
      try Memo.records.replace(milk, with: Memo(line: "oat milk"), in: $0.with(anna))
    }
    #expect(try lengths() == [8, 5, 4])
  }

  @Test func `a changed record moves to its new place in the index`() throws {
    let (milk, bread) = (try add("milk"), try add("bread"))
    try portal.write {
      try Memo.records.replace(milk, with: Memo(line: "apples"), in: $0.with(anna))
      try Memo.records.replace(bread, with: Memo(line: "bread"), in: $0.with(anna))
    }
    #expect(try find(milk, by: anna) == "apples")
    #expect(try lines() == ["apples", "bread"])
  }

  @Test func `each change of a record changes the version, and reading does not`() throws {
    let version = {
      try portal.read { try Memo.records.index.version(in: $0.with(anna)) }
    }
    var versions = [try version()]
    let milk = try add("milk")
    versions.append(try version())
    // The line is the same, so that the index entry does not change.
    try portal.write {
      try Memo.records.replace(milk, with: Memo(line: "milk"), in: $0.with(anna))
    }
    versions.append(try version())
    try portal.write {
      try Memo.records.replace(contentsOf: [(milk, Memo(line: "milk"))], in: $0.with(anna))
    }
    versions.append(try version())
    try portal.write {
      try Memo.records.delete(milk, in: $0.with(anna))
    }
    versions.append(try version())
    #expect(Set(versions).count == 5)
    #expect(try find(milk, by: anna) == nil)
    #expect(try version() == versions.last)
  }

  @Test func `records sealed before the transaction are stored like others`() throws {
    let milk = try add("milk")
    func seal(
      _ new: [Memo], _ changed: [(ID<Memo>, Memo)], by keys: Keys
    ) throws -> Records<Form<Memo>.Excerpt>.Batch {
      try portal.database.sharingReads { snapshot in
        try Memo.records.seal(
          new: new, changed: changed, in: Work(keys: keys, at: portal.now, on: snapshot),
          numberedIn: portal.database)
      }
    }
    let new = [Memo(line: "bread"), Memo(line: "eggs")]
    let batch = try seal(new, [(milk, Memo(line: "oat milk"))], by: anna)
    #expect(try lines() == ["milk"])
    // Reserved IDs are not given to other records.
    _ = try add("cheese")
    try portal.write { try Memo.records.store(batch, in: $0.with(anna)) }
    #expect(try lines() == ["bread", "cheese", "eggs", "oat milk"])
    #expect(try find(milk, by: anna) == "oat milk")
    #expect(try portal.problems() == [])
    #expect(throws: Refusal.notFound) {
      try seal([], [(milk, Memo(line: "mine"))], by: boris)
    }
  }

  @Test func `another person's record cannot be found, replaced or deleted`() throws {
    let milk = try add("milk")
    #expect(try find(milk, by: boris) == nil)
    #expect(throws: Refusal.notFound) {
      try portal.write {
        try Memo.records.replace(milk, with: Memo(line: "beer"), in: $0.with(boris))
      }
    }
    #expect(throws: Refusal.notFound) {
      try portal.write {
        try Memo.records.delete(milk, in: $0.with(boris))
      }
    }
    #expect(try find(milk, by: anna) == "milk")
  }

  @Test func `a deleted record leaves the list, and only its owner can restore it`() throws {
    let milk = try add("milk")
    let trash = Memo.records.trash(leadingTo: "{id}")
    try portal.write { try Memo.records.delete(milk, in: $0.with(anna)) }
    #expect(try find(milk, by: anna) == nil)
    #expect(try lines() == [])
    #expect(try portal.read { try trash.list($0.with(anna)).map(\.title) } == ["milk"])
    #expect(try portal.read { try trash.list($0.with(boris)).isEmpty })
    #expect(throws: Refusal.notFound) {
      try portal.write { try trash.restore(milk.rawValue, $0.with(boris)) }
    }
    #expect(throws: Refusal.notFound) {
      try portal.write { try trash.purge(milk.rawValue, $0.with(boris)) }
    }
    let path = try portal.write { try trash.restore(milk.rawValue, $0.with(anna)) }
    #expect(path.description == "\(milk)")
    #expect(try lines() == ["milk"])
  }

  @Test func `a purged record leaves no row`() throws {
    let milk = try add("milk")
    let trash = Memo.records.trash(leadingTo: "")
    #expect(throws: Refusal.notFound) {
      try portal.write { try trash.purge(milk.rawValue, $0.with(anna)) }
    }
    try portal.write { work in
      try Memo.records.delete(milk, in: work.with(anna))
      try trash.purge(milk.rawValue, work.with(anna))
    }
    #expect(try portal.rowCounts()["memos"] == 0)
  }

  @Test func `the export includes deleted records with the date of deletion`() throws {
    let milk = try add("milk")
    _ = try add("bread")
    try portal.write { try Memo.records.delete(milk, in: $0.with(anna)) }
    let copy = try portal.read { work in
      try JSON.Writer.bytes { try Memo.records.export(work.with(anna), $0) }
    }
    #expect(
      String(decoding: copy, as: UTF8.self)
        == #"{"memos":[{"id":1,"line":"milk","deleted_on":"2026-05-04"},{"id":2,"line":"bread"}]}"#)
  }

  @Test func `an index that lacks a record is unsound, and a rebuild repairs it`() throws {
    let milk = try add("milk")
    let index = Memo.records.rebuildableIndex
    #expect(try portal.read { try index.isSound($0.with(anna)) })
    try portal.write { work in
      let entry = Form<Memo>.Excerpt(Memo(line: "milk"), id: milk)
      try Memo.records.index.remove(entry, in: work.with(anna))
    }
    #expect(try !portal.read { try index.isSound($0.with(anna)) })
    try portal.write { try index.rebuild($0.with(anna)) }
    #expect(try lines() == ["milk"])
  }
}
