import PolyclinicCore

/// Splits a file of comma-separated values into records.
struct CSVScanner {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  /// The byte between two values: the comma or the semicolon, of which the first line has more.
  var separator = UInt8(ascii: ",")

  init(_ bytes: [UInt8]) throws(CSVFault) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    self.bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    guard Self.isUTF8(self.bytes) else {
      throw CSVFault(line: Self.firstLineNotText(of: self.bytes), .encoding)
    }
    separator = Self.separator(of: self.bytes)
  }

  /// Returns the next record with a value that is not empty, and the line on which it begins; nil
  /// at the end.
  ///
  /// Reads at most `most` + 1 values, because otherwise each comma of a line would become a value.
  mutating func next(most: Int) throws(CSVFault) -> (line: Int, values: [String])? {
    while position < bytes.count {
      let start = line
      let values = try record(most)
      if values.count > most { return (start, values) }
      if values.contains(where: { !$0.isEmpty }) { return (start, values) }
    }
    return nil
  }

  private mutating func record(_ most: Int) throws(CSVFault) -> [String] {
    var values: [String] = []
    while true {
      values.append(try value())
      guard values.count <= most else { return values }
      guard position < bytes.count, bytes[position] == separator else { break }
      position += 1
    }
    takeLineEnd()
    return values
  }

  private mutating func value() throws(CSVFault) -> String {
    let start = position
    while position < bytes.count, isBlank(bytes[position]) { position += 1 }
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { return try quoted() }
    position = start
    while !isAtEndOfValue {
      guard bytes[position] != UInt8(ascii: "\"") else { throw CSVFault(line: line, .strayQuote) }
      position += 1
    }
    return try text(bytes[start..<position], at: line)
  }

  private mutating func quoted() throws(CSVFault) -> String {
    let start = line
    var value: [UInt8] = []
    position += 1
    while true {
      guard position < bytes.count else { throw CSVFault(line: start, .openQuote) }
      let byte = bytes[position]
      guard byte == UInt8(ascii: "\"") else {
        if !takeLineEnd() { position += 1 }
        value.append(byte == UInt8(ascii: "\r") ? UInt8(ascii: "\n") : byte)
        continue
      }
      position += 1
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { break }
      value.append(byte)
      position += 1
    }
    while position < bytes.count, isBlank(bytes[position]) { position += 1 }
    guard isAtEndOfValue else { throw CSVFault(line: line, .strayQuote) }
    return try text(value[...], at: start)
  }

  private var isAtEndOfValue: Bool {
    position == bytes.count || bytes[position] == separator || Self.isLineEnd(bytes[position])
  }

  /// Skips a CRLF, LF or CR; returns false if there is none.
  @discardableResult
  private mutating func takeLineEnd() -> Bool {
    guard position < bytes.count, Self.isLineEnd(bytes[position]) else { return false }
    let isReturn = bytes[position] == UInt8(ascii: "\r")
    position += 1
    if isReturn, position < bytes.count, bytes[position] == UInt8(ascii: "\n") { position += 1 }
    line += 1
    return true
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte != separator && (byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t"))
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  private func text(_ bytes: ArraySlice<UInt8>, at line: Int) throws(CSVFault) -> String {
    guard let text = IncomingText(Self.trimmed(bytes)).text else {
      throw CSVFault(line: line, .combiningMarks)
    }
    return text
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) }
    var rest = bytes
    while let first = rest.first, isSpace(first) { rest.removeFirst() }
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return rest
  }

  /// Returns the comma or the semicolon, depending on which of them the first line that is not
  /// empty has more of, outside of quotation marks.
  private static func separator(of bytes: [UInt8]) -> UInt8 {
    var (commas, semicolons) = (0, 0)
    var isQuoted = false
    for byte in bytes.drop(while: isLineEnd) {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted: commas += 1
      case UInt8(ascii: ";") where !isQuoted: semicolons += 1
      case _ where isLineEnd(byte) && !isQuoted:
        return UInt8(ascii: semicolons > commas ? ";" : ",")
      default: break
      }
    }
    return UInt8(ascii: semicolons > commas ? ";" : ",")
  }

  private static func firstLineNotText(of bytes: [UInt8]) -> Int {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return (lines.firstIndex { !isUTF8($0) } ?? 0) + 1
  }

  /// Returns false also for text with U+0000, because a file of UTF-16 is full of it.
  private static func isUTF8(_ bytes: some Collection<UInt8>) -> Bool {
    let fault = IncomingText(bytes).fault
    return fault != .encoding && fault != .null
  }
}
