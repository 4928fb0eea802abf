import PolyclinicTesting
import Testing

@testable import PolyclinicCore

/// A mark on a memo: a row of a record.
private struct Tick: Resealable, Equatable {
  var note = ""
  var unknown = Sealed.UnknownFields()

  static let form = Form(Tick(), .text(\.note, "note"))
  static let rows = SealedRows(
    "memos_ticks", of: Memo.records, form: form,
    alongside: { tick, id, connection in
      try connection.run(
        "UPDATE memos_ticks SET length = \(tick.note.count) WHERE id_row = \(id)")
    })
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
      .post("{id}/tick") { context, connection in
        try Tick.rows.insert(
          Tick(note: "done"), of: context.id(), at: context.now, by: context.keys, on: connection)
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
    milk = try portal.database.write {
      try Memo.records.insert(Memo(line: "milk"), at: portal.now, by: anna, on: $0)
    }
    boris = try portal.keys(of: portal.register())
    (self.portal, self.anna) = (portal, anna)
  }

  private func add(_ note: String, by keys: Keys) throws -> ID<Tick> {
    try portal.database.write {
      try Tick.rows.insert(Tick(note: note), of: milk, at: portal.now, by: keys, on: $0)
    }
  }

  private func notes(by keys: Keys) throws -> [String] {
    try portal.database.read { try Tick.rows.rows(of: milk, by: keys, on: $0).map(\.row.note) }
  }

  @Test func `rows are kept in order, sealed, with their plain columns`() throws {
    _ = try (add("whole", by: anna), add("half", by: anna))
    #expect(try notes(by: anna) == ["whole", "half"])
    let lengths = try portal.database.read {
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
      try portal.database.write { try Tick.rows.delete(tick, of: milk, by: boris, on: $0) }
    }
    #expect(try notes(by: anna) == ["whole"])
  }

  @Test func `a row is deleted, and all rows are deleted with their record`() throws {
    let tick = try add("whole", by: anna)
    _ = try add("half", by: anna)
    try portal.database.write { try Tick.rows.delete(tick, of: milk, by: anna, on: $0) }
    #expect(try notes(by: anna) == ["half"])
    try portal.database.write {
      try Memo.records.delete(milk, at: portal.now, by: anna, on: $0)
      try Memo.records.trash(leadingTo: "").purgeAll(portal.now + .days(1), $0)
    }
    #expect(try portal.rowCounts()["memos_ticks"] == 0)
  }

  @Test func `rows are restored together with their record`() throws {
    _ = try (add("whole", by: anna), add("half", by: anna))
    let copied = try portal.database.write { connection in
      let side = Recovery.Side(keys: anna, connection: connection)
      let copy = try Memo.records.insert(
        Memo(line: "milk"), at: portal.now, by: anna, on: connection)
      try Tick.rows.part.copy(milk, side, copy, side)
      return try (
        Tick.rows.rows(of: copy, by: anna, on: connection).map(\.row.note),
        Tick.rows.part.content(milk, anna, connection)
          == Tick.rows.part.content(copy, anna, connection)
      )
    }
    #expect(copied.0 == ["whole", "half"] && copied.1)
  }

  @Test func `the module contract accepts exported rows, and reports rows left out`() throws {
    func broken(_ module: TicksModule) -> [String] {
      ModuleContract(module) { person in
        _ = try person.submit("/memos/new", ["line": "milk"])
        _ = person.press("/memos/1/tick", on: "/account", evenIfAbsent: true)
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
