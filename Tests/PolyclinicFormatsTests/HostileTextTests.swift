import PolyclinicCore
import Testing

@testable import PolyclinicFormats

/// Overlong runs of combining marks, names and rows in files.
@Suite struct HostileTextTests {
  private let mixed = "\u{315}\u{300}\u{5AE}\u{316}"

  @Test func `a CSV value or column with too many marks is refused with its line`() throws {
    let marks = "a" + String(repeating: mixed, count: 8)
    #expect(throws: CSVFault(line: 2, .combiningMarks)) {
      try CSVTable(Array("name\n\(marks)\n".utf8))
    }
    #expect(throws: CSVFault(line: 1, .combiningMarks)) {
      try CSVTable(Array("\(marks)\nVera\n".utf8))
    }
  }

  @Test func `more than 200 columns, or a column name over 200 bytes, are refused`() {
    let many = (1...201).map { "c\($0)" }.joined(separator: ",")
    #expect(throws: CSVFault(line: 1, .tooManyColumns(200))) { try CSVTable(Array(many.utf8)) }
    let long = String(repeating: "n", count: 201)
    #expect(throws: CSVFault(line: 1, .longColumnName(200))) { try CSVTable(Array(long.utf8)) }
  }

  @Test func `a content line with too many marks is refused`() {
    #expect(ContentLine(Array("NOTE:a\(String(repeating: mixed, count: 8))".utf8)) == nil)
  }

  @Test func `escapes between marks do not hide a long run of them`() {
    let run = String(repeating: "\u{301}", count: 30) + "\\"
    let line = ContentLine(Array("NOTE:a\(String(repeating: run, count: 100))".utf8))
    #expect(line?.text.unicodeScalars.count == 1 + 31)
  }
}
