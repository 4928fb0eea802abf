import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicCore

/// A mark on a memo: a row of a record.
private struct Tick: Resealable, Equatable {
  var note = ""
  var unknown = Sealed.UnknownFields()

  static let form = Form(Tick(), .text(\.note, "note"))
  static let rows = SealedRows("memos_ticks", of: Memo.records, form: form)
    .writing { tick, id, work in
      try work.run(
        "UPDATE memos_ticks SET length = \(tick.note.count) WHERE id_row = \(id)")
    }
}

/// The memos, with a button that ticks one off.
private struct TicksModule: Module {
  private let memos = MemosModule()
  var exported: PersonalData = PersonalData(export: Tick.rows.export)

  let id: ModuleID = "memos"
  var title: Text { memos.title }
  var catalog: Catalog { memos.catalog }
  var rebuildableIndexes: [RebuildableIndex] { memos.rebuildableIndexes }
  var trash: Trash? { memos.trash }
  var personalData: PersonalData {
    PersonalData(
      impersonal: [
        "memos.length": "a sample of a plain column",
        "memos_ticks.length": "a sample of a plain column",
      ], export: Memo.records.export) + exported
  }
  var migrations: [Migration] {
    memos.migrations + [
      Migration("0003-ticks", Tick.rows.schema),
      Migration("0004-length", "ALTER TABLE memos_ticks ADD COLUMN length \(.integer)"),
    ]
  }
  var routes: [Route] {
    memos.routes + [
      .post("{id}/tick") { context in
        try Tick.rows.insert(Tick(note: "done"), of: context.id(), in: context)
        return "/"
      }
    ]
  }
}

@Suite struct SealedRowsTests {
  private let portal: TestPortal
  private let anna: Keys
  private let boris: Keys
  private let milk: ID<Memo>

  init() throws {
    let portal = try TestPortal(TicksModule())
    let anna = try portal.keys(of: portal.register())
    milk = try portal.write {
      try Memo.records.insert(Memo(line: "milk"), in: $0.with(anna))
    }
    boris = try portal.keys(of: portal.register())
    (self.portal, self.anna) = (portal, anna)
  }

  private func add(_ note: String, by keys: Keys) throws -> ID<Tick> {
    try portal.write {
      try Tick.rows.insert(Tick(note: note), of: milk, in: $0.with(keys))
    }
  }

  private func notes(by keys: Keys) throws -> [String] {
    try portal.read { try Tick.rows.rows(of: milk, in: $0.with(keys)).map(\.row.note) }
  }

  @Test func `rows are kept in order, sealed, with their plain columns`() throws {
    _ = try (add("whole", by: anna), add("half", by: anna))
    #expect(try notes(by: anna) == ["whole", "half"])
    let lengths = try portal.read {
      try $0.rows("SELECT length FROM memos_ticks ORDER BY id_row") { $0.int(0) }
    }
    #expect(lengths == [5, 4])
    #expect(!String(decoding: try portal.storedBytes(), as: UTF8.self).contains("whole"))
  }

  @Test func `rows of someone else's record are not found`() throws {
    let tick = try add("whole", by: anna)
    #expect(throws: Refusal.self) { try add("half", by: boris) }
    #expect(try notes(by: boris) == [])
    #expect(throws: Refusal.self) {
      try portal.write { try Tick.rows.delete(tick, of: milk, in: $0.with(boris)) }
    }
    #expect(try notes(by: anna) == ["whole"])
  }

  @Test func `a row is deleted, and all rows are deleted with their record`() throws {
    let tick = try add("whole", by: anna)
    _ = try add("half", by: anna)
    try portal.write { try Tick.rows.delete(tick, of: milk, in: $0.with(anna)) }
    #expect(try notes(by: anna) == ["half"])
    try portal.write {
      try Memo.records.delete(milk, in: $0.with(anna))
      try Memo.records.trash(leadingTo: "").purgeAll(portal.now + .days(1), $0)
    }
    #expect(try portal.rowCounts()["memos_ticks"] == 0)
  }

  @Test func `rows are restored together with their record`() throws {
    _ = try (add("whole", by: anna), add("half", by: anna))
    let copied = try portal.write { work in
      let side = work.with(anna)
      let copy = try Memo.records.insert(Memo(line: "milk"), in: work.with(anna))
      try Tick.rows.part.copy(milk, side, copy, side)
      return try (
        Tick.rows.rows(of: copy, in: work.with(anna)).map(\.row.note),
        Tick.rows.part.content(milk, work.with(anna))
          == Tick.rows.part.content(copy, work.with(anna))
      )
    }
    #expect(copied.0 == ["whole", "half"] && copied.1)
  }

  @Test func `the module contract accepts exported rows, and reports rows left out`() throws {
    func broken(_ module: TicksModule) -> [String] {
      ModuleContract(module) { person in
        _ = try person.submit("/memos/new", ["line": "milk"])
        _ = person.press("/memos/1/tick", on: "/", evenIfAbsent: true)
      }.broken()
    }
    #expect(broken(TicksModule()) == [])
    #expect(
      broken(TicksModule(exported: .none))
        == [
          "the rows of memos_ticks are missing in the export, or their kind in `records`"
        ])
  }
}
