import Testing

@testable import PolyclinicCore

@Suite struct FormRowsTests {
  private func take(_ rows: [(String, String)]) throws -> (draft: Entry, problems: [Fields.Problem])
  {
    var sent = Entry.sent
    for (type, value) in rows {
      sent.append("way_type", type)
      sent.append("way_value", value)
    }
    return try Entry.form.take(sent)
  }

  @Test func `rows are read in order, and empty rows are dropped`() throws {
    let (draft, problems) = try take([("first", "a"), ("second", " "), ("second", "b")])
    #expect(problems.isEmpty)
    #expect(draft.ways.map(\.value) == ["a", "b"])
    #expect(draft.ways.map(\.type) == [.first, .second])
  }

  @Test func `columns of different lengths are refused as malformed`() {
    let sent = Entry.sent.with(["way_type": "first"])
    #expect(throws: Refusal.malformed) { try Entry.form.normalized(sent) }
  }

  @Test func `rows beyond the limit are refused at the field of all rows`() throws {
    let rows = (1...4).map { ("first", "\($0)") }
    let problem = try #require(try take(rows).problems.first)
    #expect(problem.field == "way" && problem.text.arguments == ["limit": "3"])
  }

  @Test func `a problem names the field and the row number, counted from one`() throws {
    let problems = try take([("first", "a"), ("third", "b"), ("first", "too long")]).problems
    #expect(problems.map(\.field) == ["way_type-2", "way_value-3"])
  }

  @Test func `a row's rules across fields are applied`() throws {
    #expect(try take([("first", "a"), ("first", "bad")]).problems.map(\.field) == ["way_value-2"])
  }

  @Test func `a row keeps its unknown fields when it moves`() throws {
    var stored = Entry()
    stored.ways = ["a", "b"].map { value in
      var way = Entry.Way()
      way.value = value
      way.unknown.items = [.init(name: "later", value: Array(value.utf8))]
      return way
    }
    var sent = Entry.sent
    for (origin, value) in [("1", "b"), ("", "c"), ("0", "a!"), ("9", "d")].prefix(3) {
      sent.append("way_row", origin)
      sent.append("way_type", "first")
      sent.append("way_value", value)
    }
    let ways = try Entry.form.take(sent, over: stored).draft.ways
    #expect(ways.map(\.value) == ["b", "c", "a!"])
    #expect(
      ways.map { $0.unknown.items.map(\.value) } == [[Array("b".utf8)], [], [Array("a".utf8)]])
  }

  @Test(arguments: ["-1", "99999999999999999999", "x", "2"])
  func `a row with an invalid origin is read as new`(_ origin: String) throws {
    let sent = Entry.sent.with(["way_row": origin, "way_type": "first", "way_value": "a"])
    #expect(try Entry.form.take(sent).draft.ways.map(\.value) == ["a"])
  }

  @Test func `a rebased row gets the index of the stored row with equal values`() throws {
    var stored = Entry()
    stored.ways = ["x", "a"].map { value in
      var way = Entry.Way()
      way.value = value
      return way
    }
    var sent = Entry.sent
    for value in ["a", "b"] {
      sent.append("way_row", "0")
      sent.append("way_type", "first")
      sent.append("way_value", value)
    }
    let rebased = try Entry.form.rebased(try Entry.form.normalized(sent), onto: stored)
    #expect(rebased.all("way_row") == ["1", ""])
  }

  private struct Household: Resealable {
    var entry = Entry()
    var unknown = Sealed.UnknownFields()

    static let form = Form(Household(), .part(\.entry, Entry.form))
  }

  @Test func `rows of a part are read, stored and checked like rows of the whole form`() throws {
    let sent = Entry.sent.with(["way_type": "first", "way_value": "a", "way_row": ""])
    let (draft, problems) = try Household.form.take(sent)
    #expect(problems.isEmpty && draft.entry.ways.map(\.value) == ["a"])
    let opened = try Household.form.decoded(Household.form.encoded(draft))
    #expect(opened.entry == draft.entry)
    #expect(Household.form.json(draft) == Entry.form.json(draft.entry))
    let wrong = try Household.form.take(Entry.sent.with(["way_type": "first", "way_value": "bad"]))
    #expect(wrong.problems.map(\.field) == ["way_value-1"])
  }

  @Test func `rows shown by another module use that module's texts`() throws {
    let fields = Entry.form.fields.map { $0.speaking(for: "garden") }
    let rows = fields.compactMap { if case .rows(let rows) = $0 { rows } else { nil } }
    #expect(rows.map { $0.text("way").module } == ["garden"])
    var draft = Entry()
    let row = TypedRow(values: ["first", "bad"], origin: nil)
    #expect(rows.first?.read(&draft, [row]).map(\.text.module) == ["garden"])
  }
}
