import Foundation
import PolyclinicCore

/// A large CSV table (RFC 4180) in a file. It is read record by record, so that only a piece of it
/// is in memory at a time.
struct TableFile {
  /// The longest accepted line in bytes, above any line of the sources.
  private static let lineLimit = 64 * 1_024
  private static let pieceSize = 1 << 20

  let path: String

  /// Calls `body` with each record after the header line. A record has the values of `columns` in
  /// that order. Throws ``SourceFault`` for the first error, and rethrows the errors of `body`.
  func read(columns: [String], _ body: (Record) throws -> Void) throws {
    let file = try FigureFile(path: path).open()
    var reader = Reader(columns: columns)
    // Processes the last line even if it has no line end.
    var rest: [UInt8] = []
    while let piece = try file.read(upToCount: Self.pieceSize), !piece.isEmpty {
      rest += piece
      let taken = try reader.takeLines(of: rest, body)
      rest.removeFirst(taken)
      if rest.count > Self.lineLimit { throw SourceFault(.longLine, line: reader.line + 1) }
    }
    if !rest.isEmpty { _ = try reader.takeLines(of: rest + [UInt8(ascii: "\n")], body) }
    guard reader.hasColumns else { throw SourceFault(.empty) }
  }

  /// A line of the table. It is valid only while the file is read.
  struct Record {
    let line: Int
    fileprivate let bytes: ArraySlice<UInt8>
    fileprivate let values: [Range<Int>]

    /// Returns the bytes of a value, by the column's index in the requested columns.
    subscript(_ column: Int) -> ArraySlice<UInt8> { bytes[values[column]] }

    /// Parses a date such as `2024-05-01`. Throws ``SourceFault`` for anything else.
    func day(_ column: Int) throws(SourceFault) -> CalendarDate {
      let value = self[column]
      guard value.count == 10, let date = CalendarDate(String(decoding: value, as: UTF8.self))
      else { throw SourceFault(.date, line: line) }
      return date
    }

    /// Parses a number and rounds it; nil for an empty value. Throws ``SourceFault`` for anything
    /// else, and for a number that is too large for a count of people.
    func count(_ column: Int) throws(SourceFault) -> Int? {
      try number(column).map { Int($0.rounded()) }
    }

    /// Parses a number as ``count(_:)`` does, but does not round it.
    func number(_ column: Int) throws(SourceFault) -> Double? {
      let value = self[column]
      if value.isEmpty { return nil }
      // Restricts the characters, because `Double` reads hexadecimal digits and stops at a zero
      // byte.
      guard value.count <= 32, value.allSatisfy(Self.isOfNumber),
        let number = Double(String(decoding: value, as: UTF8.self)), abs(number) < 1e12
      else { throw SourceFault(.number, line: line) }
      return number
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "+"): true
      default: false
      }
    }
  }

  /// Splits the file into lines and values.
  private struct Reader {
    let columns: [String]
    var line = 0
    /// The indices of the requested columns in a line; nil before the header line.
    private var places: [Int]?
    private var width = 0

    init(columns: [String]) { self.columns = columns }

    var hasColumns: Bool { places != nil }

    /// Processes all complete lines. Returns the number of their bytes.
    mutating func takeLines(
      of bytes: [UInt8], _ body: (Record) throws -> Void
    ) throws -> Int {
      var start = 0
      while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
        var text = bytes[start..<end]
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        line += 1
        if let places { try take(text, places, body) } else { try begin(with: text) }
        start = end + 1
      }
      return start
    }

    private mutating func begin(with text: ArraySlice<UInt8>) throws {
      let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text
      let names = try split(text).map { text[$0] }
      places = try columns.map { column in
        guard let place = names.firstIndex(where: { $0.elementsEqual(column.utf8) }) else {
          throw SourceFault(.column(column), line: line)
        }
        return place
      }
      width = names.count
    }

    private func take(
      _ text: ArraySlice<UInt8>, _ places: [Int], _ body: (Record) throws -> Void
    ) throws {
      if text.isEmpty { return }
      let values = try split(text)
      guard values.count == width else { throw SourceFault(.width, line: line) }
      try body(Record(line: line, bytes: text, values: places.map { values[$0] }))
    }

    /// Returns the ranges of the values of a line, without quotation marks around them. Escaped
    /// quotation marks are not decoded, because the requested values are codes, dates and numbers.
    private func split(_ text: ArraySlice<UInt8>) throws(SourceFault) -> [Range<Int>] {
      var values: [Range<Int>] = []
      values.reserveCapacity(width)
      var start = text.startIndex
      var isQuoted = false
      for place in text.indices {
        switch text[place] {
        case UInt8(ascii: "\""): isQuoted.toggle()
        case UInt8(ascii: ",") where !isQuoted:
          values.append(unquoted(start..<place, in: text))
          start = place + 1
        default: break
        }
      }
      if isQuoted { throw SourceFault(.width, line: line) }
      values.append(unquoted(start..<text.endIndex, in: text))
      return values
    }

    private func unquoted(_ range: Range<Int>, in text: ArraySlice<UInt8>) -> Range<Int> {
      let mark = UInt8(ascii: "\"")
      guard range.count >= 2, text[range.lowerBound] == mark, text[range.upperBound - 1] == mark
      else { return range }
      return range.lowerBound + 1..<range.upperBound - 1
    }
  }
}
