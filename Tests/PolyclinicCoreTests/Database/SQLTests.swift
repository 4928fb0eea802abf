import Testing

@testable import PolyclinicCore

@Suite struct SQLTests {
  private func rendered(_ statement: SQL) -> (text: String, values: [SQL.Value]) {
    statement.rendered(.sqlite)
  }

  @Test(arguments: ["'; DROP TABLE people; --", "\" OR 1=1", "$1", "?", "\0", ""])
  func `an interpolated value is bound and never part of the text`(_ typed: String) {
    let (text, values) = rendered("SELECT 1 FROM t WHERE a = \(typed)")
    #expect(text == "SELECT 1 FROM t WHERE a = $1")
    #expect(values == [.text(typed)])
  }

  @Test func `each type of value is bound in its own kind`() throws {
    let date = try #require(CalendarDate("2024-02-29"))
    let nobody: ID<Person>? = nil
    let (text, values) = rendered(
      """
      \(1),\(Int64.max),\(1.5),\(true),\([UInt8](0...2)),\(Sealed([9])),\(ID<Person>(7)),\
      \(nobody),\(Instant(5)),\(date),\(nil as String?),\(nil as Int?),\(nil as Instant?)
      """)
    #expect(text == "$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13")
    #expect(
      values == [
        .integer(1), .integer(.max), .real(1.5), .integer(1), .bytes([0, 1, 2]), .bytes([9]),
        .integer(7), .null, .integer(5), .text("2024-02-29"), .null, .null, .null,
      ])
  }

  @Test func `dates and times of day are bound as text, or NULL`() throws {
    let (day, time) = (CalendarDate("2024-02-29"), try #require(TimeOfDay("9:05")))
    let values = rendered(
      "\(day),\(nil as CalendarDate?),\(time),\(time as TimeOfDay?),\(nil as TimeOfDay?)"
    ).values
    #expect(values == [.text("2024-02-29"), .null, .text("09:05"), .text("09:05"), .null])
  }

  @Test func `an interpolated statement keeps its values in order`() {
    let condition: SQL = "a = \("x") AND b = \(2)"
    let (text, values) = rendered("SELECT \(0) WHERE \(condition) OR c = \(3)")
    #expect(text == "SELECT $1 WHERE a = $2 AND b = $3 OR c = $4")
    #expect(values == [.integer(0), .text("x"), .integer(2), .integer(3)])
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 4), (4, 4), (5, 8), (9, 16)])
  func `a list is padded with its last value to a power of two`(_ count: Int, _ size: Int) {
    let ids = (1...count).map { ID<Person>(Int64($0)) }
    let (text, values) = rendered("\(list: ids)")
    #expect(text == "(" + (1...size).map { "$\($0)" }.joined(separator: ",") + ")")
    #expect(values.count == size)
    #expect(values.prefix(count).elementsEqual((1...count).map { .integer(Int64($0)) }))
    #expect(values.dropFirst(count).allSatisfy { $0 == .integer(Int64(count)) })
  }

  @Test func `an empty list matches nothing`() {
    let (text, values) = rendered("a IN \(list: [String]())")
    #expect(text == "a IN (NULL)" && values.isEmpty)
    #expect(rendered("\(list: ["x", "y"])").values == [.text("x"), .text("y")])
  }

  @Test func `each engine spells the keywords in its own way`() {
    let all: SQL = "a \(.integer), b \(.real), c \(.bytes)) \(.strict)"
    #expect(all.rendered(.sqlite).text == "a INTEGER, b REAL, c BLOB) STRICT")
    #expect(
      all.rendered(.postgresql).text
        == "a BIGINT, b DOUBLE PRECISION, c BYTEA) WITH (fillfactor = 80)")
  }

  @Test func `a part is written for each engine`() {
    let part: SQL = "SELECT \(sqlite: "length", postgresql: "octet_length")(a) WHERE b = \(1)"
    #expect(part.rendered(.sqlite).text == "SELECT length(a) WHERE b = $1")
    #expect(part.rendered(.postgresql).text == "SELECT octet_length(a) WHERE b = $1")
  }

  @Test func `a table's name from the schema cannot leave its quotation marks`() {
    let (text, values) = rendered(SQL(countingRowsOf: "x\" WHERE 1; --"))
    #expect(text == "SELECT count(*) FROM \"x WHERE 1; --\"" && values.isEmpty)
  }
}
