import PolyclinicCore

/// A table as comma-separated values (RFC 4180) for spreadsheets. It is UTF-8 with a byte order
/// mark, because spreadsheets recognize UTF-8 by the mark.
///
/// A value that a spreadsheet might take for a formula (OWASP, "CSV Injection") gets a leading
/// apostrophe. ``plain(_:)`` removes it again.
public struct CSVText: Sendable {
  /// The media type.
  public static let mediaType: StaticString = "text/csv; charset=utf-8"

  /// The bytes written since the last ``flush(to:)``.
  public private(set) var bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Creates a table that begins with the names of its columns.
  public init(columns: [String]) { append(columns) }

  /// Adds a record, with one value for each column.
  public mutating func append(_ values: [String]) {
    for (place, value) in values.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      write(Self.defused(value))
    }
    bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }

  /// Passes the written bytes to `sink` and removes them here, so that a table can have any length.
  public mutating func flush(to sink: ByteSink) throws {
    try sink.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Removes the apostrophe that protects a value from being read as a formula.
  public static func plain(_ value: String) -> String {
    isDefused(value) ? String(value.unicodeScalars.dropFirst()) : value
  }

  /// Also defuses what looks defused already, so that ``plain(_:)`` returns every value as it was.
  private static func defused(_ value: String) -> String {
    isFormula(value.unicodeScalars[...]) || isDefused(value) ? "'" + value : value
  }

  /// True for apostrophes before a formula.
  private static func isDefused(_ value: String) -> Bool {
    value.unicodeScalars.first == "'"
      && isFormula(value.unicodeScalars.drop { $0 == "'" })
  }

  /// Returns true if a spreadsheet might take the value for a formula.
  ///
  /// - Compares scalars, because `=` with an accent is another character and still begins a
  ///   formula.
  /// - Skips leading invisible scalars, because some spreadsheets drop them.
  private static func isFormula(_ value: Substring.UnicodeScalarView) -> Bool {
    let seen = value.first { !$0.properties.isDefaultIgnorableCodePoint }
    return seen.map { beginnings.contains($0) } ?? false
  }

  /// The signs that begin a formula, also in their full-width and small forms, because East Asian
  /// spreadsheets read these as the same.
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
