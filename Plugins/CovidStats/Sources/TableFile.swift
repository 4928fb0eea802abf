import Foundation
import PolyclinicCore

/// A large table of comma-separated values (RFC 4180), read record by record from a file: only a piece
/// of the file is in memory at a time.
struct TableFile {
  /// Longer than any line of the sources that are read.
  private static let lineLimit = 64 * 1_024
  private static let pieceSize = 1 << 20

  let path: String

  /// Calls `body` with each record below the first line, which names the columns; those that were asked
  /// for stand in the record in the order of asking. Throws ``SourceFault`` for the first mistake, and
  /// whatever `body` throws.
  func read(columns: [String], _ body: (Record) throws -> Void) throws {
    let file = try FigureFile(path: path).open()
    var reader = Reader(columns: columns)
    // The last line may have no end.
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

  /// One line of the table, while it is read.
  struct Record {
    let line: Int
    fileprivate let bytes: ArraySlice<UInt8>
    fileprivate let values: [Range<Int>]

    /// The bytes of a value, by the column's place among those that were asked for.
    subscript(_ column: Int) -> ArraySlice<UInt8> { bytes[values[column]] }

    /// A date such as `2024-05-01`; throws ``SourceFault`` for anything else.
    func day(_ column: Int) throws(SourceFault) -> CalendarDate {
      let value = self[column]
      guard value.count == 10, let date = CalendarDate(String(decoding: value, as: UTF8.self))
      else { throw SourceFault(.date, line: line) }
      return date
    }

    /// A number, rounded to a whole one; nil where none stands. Throws ``SourceFault`` for anything
    /// else, and for one that no count of people reaches.
    func count(_ column: Int) throws(SourceFault) -> Int? {
      try number(column).map { Int($0.rounded()) }
    }

    /// As ``count(_:)``, not rounded.
    func number(_ column: Int) throws(SourceFault) -> Double? {
      let value = self[column]
      if value.isEmpty { return nil }
      // Double would read hexadecimal digits, and stop at a zero byte.
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

  /// Takes lines apart.
  private struct Reader {
    let columns: [String]
    var line = 0
    /// The places of the columns that were asked for in a line; nil before the first line.
    private var places: [Int]?
    private var width = 0

    init(columns: [String]) { self.columns = columns }

    var hasColumns: Bool { places != nil }

    /// Takes all whole lines, and returns how many bytes they have.
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

    /// The places of the values of a line, without the quotation marks around them. No source quotes
    /// what is read, which are codes, dates and numbers.
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
