import PolyclinicCore

/// A table read from comma-separated values (RFC 4180): a line of column names, then one record per
/// line.
///
/// Accepts:
/// - UTF-8 with or without a byte order mark.
/// - Lines that end with CRLF, LF or CR.
/// - `;` as the separator if the line of names has more of it than of `,`. Spreadsheets write it
///   for languages with a decimal comma.
///
/// Skips lines whose values are all empty.
public struct CSVTable: Sendable, Equatable {
  /// The names of the columns, in order.
  public let columns: [String]
  /// The records below the line of names.
  public let records: [Record]

  /// One record, which may span several lines of the file.
  public struct Record: Sendable, Equatable {
    /// The line of the file on which the record begins, from 1.
    public let line: Int
    private let values: [String]
    /// The position of each column, the same for all records of a file.
    private let places: [String: Int]

    fileprivate init(line: Int, _ values: [String], at places: [String: Int]) {
      self.line = line
      self.values = values
      self.places = places
    }

    /// The value in a column, without surrounding spaces; empty if there is no such column.
    public subscript(column: String) -> String { places[column].map { values[$0] } ?? "" }

    /// The value in the column at a place of ``CSVTable/columns``, without surrounding spaces.
    public subscript(place: Int) -> String { values[place] }
  }

  /// The values of the lines above that of the column names, which a program wrote about the file.
  public let preamble: [[String]]

  /// The maximum number of columns, several times that of any program whose files are imported.
  private static let columnLimit = 200

  /// Reads a whole file of at most `limit` records. Throws ``CSVFault`` for the first fault in it.
  public init(_ bytes: [UInt8], limit: Int = 100_000) throws(CSVFault) {
    var scanner = try CSVScanner(bytes)
    guard let (line, names) = try scanner.next(most: Self.columnLimit) else {
      throw CSVFault(line: 1, .empty)
    }
    guard names.count <= Self.columnLimit else {
      throw CSVFault(line: line, .tooManyColumns(Self.columnLimit))
    }
    var places: [String: Int] = [:]
    for (place, name) in names.enumerated() {
      guard !name.isEmpty else { throw CSVFault(line: line, .unnamedColumn) }
      guard name.utf8.count <= IncomingText.nameLimit else {
        throw CSVFault(line: line, .longColumnName(IncomingText.nameLimit))
      }
      guard places.updateValue(place, forKey: name) == nil else {
        throw CSVFault(line: line, .repeatedColumn(name))
      }
    }
    var records: [Record] = []
    while let (line, values) = try scanner.next(most: names.count) {
      guard values.count == names.count else {
        throw CSVFault(line: line, .count(values.count, expected: names.count))
      }
      guard records.count < limit else { throw CSVFault(line: line, .tooManyRecords(limit)) }
      records.append(Record(line: line, values, at: places))
    }
    columns = names
    preamble = []
    self.records = records
  }

  /// The most lines above that of the column names.
  private static let preambleLimit = 20

  /// Reads a file that a program exported, of at most `limit` records. Throws ``CSVFault`` for the
  /// first fault in it.
  ///
  /// - The first of its first lines for which `isHeading` is true has the column names; if none is,
  ///   the very first line. The separator is the comma, semicolon or tab with which it is found.
  /// - Columns may have no name, or the same one.
  /// - Empty values behind the last column are ignored.
  public init(
    export bytes: [UInt8], limit: Int = 100_000, isHeading: ([String]) -> Bool
  ) throws(CSVFault) {
    var scanner = try CSVScanner(bytes)
    var above: [[String]] = []
    var heading: (line: Int, values: [String])?
    for separator in [scanner.separator] + ",;\t".utf8 where heading == nil {
      var other = scanner
      other.separator = separator
      above = []
      while heading == nil, above.count < Self.preambleLimit,
        let line = try? other.next(most: Self.columnLimit)
      {
        if isHeading(line.values) { heading = line } else { above.append(line.values) }
      }
      if heading != nil { scanner = other }
    }
    preamble = heading == nil ? [] : above
    if heading == nil { heading = try scanner.next(most: Self.columnLimit) }
    guard let (line, values) = heading else { throw CSVFault(line: 1, .empty) }
    let names = Array(values.reversed().drop(while: \.isEmpty).reversed())
    guard names.count <= Self.columnLimit else {
      throw CSVFault(line: line, .tooManyColumns(Self.columnLimit))
    }
    guard names.allSatisfy({ $0.utf8.count <= IncomingText.nameLimit }) else {
      throw CSVFault(line: line, .longColumnName(IncomingText.nameLimit))
    }
    columns = names
    let places = Dictionary(zip(names, names.indices)) { first, _ in first }
    var records: [Record] = []
    while let (line, values) = try scanner.next(most: Self.columnLimit) {
      guard values.count >= names.count, values[names.count...].allSatisfy(\.isEmpty) else {
        throw CSVFault(line: line, .count(values.count, expected: names.count))
      }
      guard records.count < limit else { throw CSVFault(line: line, .tooManyRecords(limit)) }
      records.append(Record(line: line, Array(values.prefix(names.count)), at: places))
    }
    self.records = records
  }
}

/// A fault in a file, because of which it cannot be read as a table.
public struct CSVFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line of the file with the fault, from 1.
  public let line: Int
  /// The kind of fault.
  public let reason: Reason

  /// The kinds of faults in a file.
  public enum Reason: Sendable, Equatable {
    /// The file has no line of column names.
    case empty
    /// The file is not UTF-8.
    case encoding
    /// A column has no name.
    case unnamedColumn
    /// A column name has more bytes than this limit.
    case longColumnName(Int)
    /// The file has more columns than this limit.
    case tooManyColumns(Int)
    /// A value has more consecutive combining marks than `IncomingText` accepts.
    case combiningMarks
    /// Two columns have the same name.
    case repeatedColumn(String)
    /// A record has fewer or more values than there are columns. The count includes at most one
    /// surplus value.
    case count(Int, expected: Int)
    /// The file has more records than this limit.
    case tooManyRecords(Int)
    /// A quoted value has no closing quotation mark.
    case openQuote
    /// A quotation mark is inside an unquoted value, or text follows a closing quotation mark.
    case strayQuote
  }

  init(line: Int, _ reason: Reason) {
    self.line = line
    self.reason = reason
  }

  /// A sentence for the author of the file. It quotes no value.
  public var description: String {
    let what =
      switch reason {
      case .empty: "there is nothing in the file"
      case .encoding: "the text is not UTF-8"
      case .unnamedColumn: "a column has no name"
      case .longColumnName(let limit): "the name of a column has more than \(limit) bytes"
      case .tooManyColumns(let limit): "more than \(limit) columns: remove those that are not read"
      case .combiningMarks:
        "more than \(IncomingText.longestRun) accents on one letter: remove them"
      case .repeatedColumn(let name): "two columns are called “\(name)”"
      case .count(let count, let expected):
        """
        \(count > expected ? "at least " : "")\(count) value\(count == 1 ? "" : "s"), but the first line names \(expected) \
        column\(expected == 1 ? "" : "s"): add or remove separators
        """
      case .tooManyRecords(let limit): "more than \(limit) records: divide the file"
      case .openQuote: "a quotation mark begins a value that nothing ends"
      case .strayQuote:
        "a quotation mark inside a value: put the value in quotation marks and double the one "
          + "inside"
      }
    return "line \(line): \(what)"
  }
}
