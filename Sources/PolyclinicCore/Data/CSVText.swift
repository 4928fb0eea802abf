/// A table as comma-separated values (RFC 4180), for spreadsheets: UTF-8 with a byte order mark, by which
/// they know it.
///
/// A value that a spreadsheet might take for a formula (OWASP, "CSV Injection") gets an apostrophe in
/// front of it; ``plain(_:)`` takes it away again.
public struct CSVText: Sendable {
  /// The media type.
  public static let mediaType: StaticString = "text/csv; charset=utf-8"

  /// Bytes that were written and not passed on by ``flush(to:)``.
  public private(set) var bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// A table that begins with the names of its columns.
  public init(columns: [String]) { append(columns) }

  /// Adds a record, a value for each column.
  public mutating func append(_ values: [String]) {
    for (place, value) in values.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      write(Self.defused(value))
    }
    bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }

  /// Passes on what was written, and keeps nothing of it: for a table of any length.
  public mutating func flush(to sink: ByteSink) throws {
    try sink.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// The value as it was before it was written.
  public static func plain(_ value: String) -> String {
    let scalars = value.unicodeScalars
    guard scalars.first == "'", isFormula(scalars.dropFirst()) else { return value }
    return String(scalars.dropFirst())
  }

  private static func defused(_ value: String) -> String {
    isFormula(value.unicodeScalars[...]) ? "'" + value : value
  }

  /// Looks at scalars, because `=` with an accent is another character and still begins a formula; and
  /// behind invisible ones, which some spreadsheets drop.
  private static func isFormula(_ value: Substring.UnicodeScalarView) -> Bool {
    let seen = value.first { !$0.properties.isDefaultIgnorableCodePoint }
    return seen.map { beginnings.contains($0) } ?? false
  }

  /// Each sign also in its full-width and small form, which East Asian spreadsheets read as the same.
  private static let beginnings = Set("=+-@＝＋－＠﹦﹢﹣﹫\t\r\n".unicodeScalars)

  private mutating func write(_ value: String) {
    let quote = UInt8(ascii: "\"")
    guard value.utf8.contains(where: { [quote, 0x2C, 0x3B, 0x0A, 0x0D].contains($0) }) else {
      bytes += Array(value.utf8)
      return
    }
    bytes.append(quote)
    for byte in value.utf8 { bytes += byte == quote ? [quote, quote] : [byte] }
    bytes.append(quote)
  }
}
