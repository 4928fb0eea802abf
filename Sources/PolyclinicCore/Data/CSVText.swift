/// A table as comma-separated values (RFC 4180), for spreadsheets: UTF-8 with a byte order mark, by which
/// they know it.
///
/// What a spreadsheet would take for a formula (OWASP, "CSV Injection") begins with an apostrophe;
/// ``plain(_:)`` takes it away again.
public struct CSVText: Sendable {
  /// The media type of ``bytes``.
  public static let mediaType: StaticString = "text/csv; charset=utf-8"

  /// What was written so far.
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

  /// The value as it was before it was written.
  public static func plain(_ value: String) -> String {
    let scalars = value.unicodeScalars
    guard scalars.first == "'", isFormula(scalars.dropFirst().first) else { return value }
    return String(scalars.dropFirst())
  }

  private static func defused(_ value: String) -> String {
    isFormula(value.unicodeScalars.first) ? "'" + value : value
  }

  /// Asked of a scalar: with an accent behind it, `=` is another character and still begins a formula.
  private static func isFormula(_ first: Unicode.Scalar?) -> Bool {
    first.map { "=+-@\t\r\n".unicodeScalars.contains($0) } ?? false
  }

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
