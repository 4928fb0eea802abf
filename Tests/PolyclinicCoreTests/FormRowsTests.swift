import Testing

@testable import PolyclinicCore

@Suite struct FormRowsTests {
  private func take(_ rows: [(String, String)]) throws -> (draft: Entry, problems: [Problem]) {
    var sent = Entry.sent
    for (type, value) in rows {
      sent.append("way_type", type)
      sent.append("way_value", value)
    }
    return try Entry.form.take(sent)
  }

  @Test func `rows are taken in order, empty ones left out`() throws {
    let (draft, problems) = try take([("first", "a"), ("second", " "), ("second", "b")])
    #expect(problems.isEmpty)
    #expect(draft.ways.map(\.value) == ["a", "b"])
    #expect(draft.ways.map(\.type) == [.first, .second])
  }

  @Test func `columns of different length are not understood`() {
    let sent = Entry.sent.with(["way_type": "first"])
    #expect(throws: Refusal.malformed) { try Entry.form.normalized(sent) }
  }

  @Test func `more rows than the limit are refused at the whole`() throws {
    let rows = (1...4).map { ("first", "\($0)") }
    let problem = try #require(try take(rows).problems.first)
    #expect(problem.field == "way" && problem.text.arguments == ["limit": "3"])
  }

  @Test func `what is wrong is told at the row's field, counted from one`() throws {
    let problems = try take([("first", "a"), ("third", "b"), ("first", "too long")]).problems
    #expect(problems.map(\.field) == ["way_type-2", "way_value-3"])
  }

  @Test func `a row's own rules across fields hold`() throws {
    #expect(try take([("first", "a"), ("first", "bad")]).problems.map(\.field) == ["way_value-2"])
  }

  @Test func `a row keeps what other releases stored in it, wherever it moves`() throws {
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
  func `a row that names a place that is not there is new`(_ origin: String) throws {
    let sent = Entry.sent.with(["way_row": origin, "way_type": "first", "way_value": "a"])
    #expect(try Entry.form.take(sent).draft.ways.map(\.value) == ["a"])
  }

  @Test func `typed over another state, a row comes from the stored row that is equal`() throws {
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
}
