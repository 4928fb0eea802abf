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
  /// The line of names as a record, for an export that begins with its first record instead.
  public let heading: Record
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
    heading = Record(line: line, names, at: places)
    preamble = []
    self.records = records
  }

  /// Reads a file that a program exported, of at most `limit` records. Throws ``CSVFault`` for the
  /// first fault in it.
  ///
  /// - The first of its first lines for which `isHeading` is true has the column names. The
  ///   separator is the comma, semicolon or tab with which it is found.
  /// - If none is, the separator is the one that splits most lines into the same number of values,
  ///   and the first line with at least two values has the names. ``heading`` has them as a record.
  /// - Columns may have no name, or the same one.
  /// - Empty values behind the last column are ignored.
  public init(
    export bytes: [UInt8], limit: Int = 100_000, isHeading: ([String]) -> Bool
  ) throws(CSVFault) {
    var scanner = try CSVScanner(bytes)
    let beginning =
      Self.beginning(of: scanner, isHeading)
      ?? Layout(of: scanner).map { Self.beginning(of: $0, scanner) }
    var width = 0
    if let beginning { (scanner, width) = (beginning.rest, beginning.width) }
    preamble = beginning?.above ?? []
    var first = beginning?.heading
    if first == nil { first = try scanner.next(most: Self.columnLimit) }
    guard let (line, values) = first else { throw CSVFault(line: 1, .empty) }
    let names = Array(values.prefix(max(width, Self.width(of: values))))
    guard names.count <= Self.columnLimit else {
      throw CSVFault(line: line, .tooManyColumns(Self.columnLimit))
    }
    // A line without known names may be a record, whose values are longer than names.
    guard width > 0 || names.allSatisfy({ $0.utf8.count <= IncomingText.nameLimit }) else {
      throw CSVFault(line: line, .longColumnName(IncomingText.nameLimit))
    }
    columns = names
    let places = Dictionary(zip(names, names.indices)) { first, _ in first }
    heading = Record(line: line, names, at: places)
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

  /// Returns the number of values up to the last one that is not empty.
  fileprivate static func width(of values: [String]) -> Int {
    (values.lastIndex { !$0.isEmpty } ?? -1) + 1
  }
}

// MARK: The separator and the names of an export

extension CSVTable {
  /// The most lines above that of the column names.
  private static let preambleLimit = 20

  /// The first lines of an export.
  private struct Beginning {
    let above: [[String]]
    /// The line of names; nil if the very first line has them.
    let heading: (line: Int, values: [String])?
    /// The least number of columns; 0 if the names are known and show it.
    let width: Int
    /// The scanner behind these lines, with the separator of the file.
    let rest: CSVScanner
  }

  /// Finds the first line of known names; nil if there is none.
  private static func beginning(
    of scanner: CSVScanner, _ isHeading: ([String]) -> Bool
  ) -> Beginning? {
    for separator in [scanner.separator] + ",;\t".utf8 {
      var rest = scanner
      rest.separator = separator
      var above: [[String]] = []
      while above.count < preambleLimit, let line = try? rest.next(most: columnLimit) {
        if isHeading(line.values) {
          return Beginning(above: above, heading: line, width: 0, rest: rest)
        }
        above.append(line.values)
      }
    }
    return nil
  }

  /// Skips the lines with a single value, such as a title, above the first one with several. If
  /// there are only such lines, none is skipped.
  private static func beginning(of layout: Layout, _ scanner: CSVScanner) -> Beginning {
    var start = scanner
    start.separator = layout.separator
    var rest = start
    var above: [[String]] = []
    while above.count <= preambleLimit, let line = try? rest.next(most: columnLimit) {
      if line.values.count(where: { !$0.isEmpty }) > 1 {
        return Beginning(above: above, heading: line, width: layout.width, rest: rest)
      }
      above.append(line.values)
    }
    return Beginning(above: [], heading: nil, width: layout.width, rest: start)
  }

  /// The way in which a separator splits most lines of a file.
  private struct Layout {
    let separator: UInt8
    /// The number of lines with the same number of values.
    let lines: Int
    /// The number of values in each of these lines.
    let values: Int
    /// The number of values up to the last column in which a line has one.
    let width: Int

    /// The number of lines by which a separator is judged.
    private static let sample = 200

    /// Finds the separator that splits most of the first lines into the same number of values; nil
    /// if none splits any line.
    ///
    /// Of two that split as many lines, the one with more values counts, then the tab, then the
    /// semicolon, because commas are also in numbers.
    init?(of scanner: CSVScanner) {
      var best: Layout?
      for separator in "\t;,".utf8 {
        guard let next = Layout(separator, of: scanner) else { continue }
        if let best, (next.lines, next.values) <= (best.lines, best.values) { continue }
        best = next
      }
      guard let best else { return nil }
      self = best
    }

    private init?(_ separator: UInt8, of scanner: CSVScanner) {
      var scanner = scanner
      scanner.separator = separator
      var lines: [Int: Int] = [:]
      var (count, width) = (0, 0)
      while count < Self.sample, let line = try? scanner.next(most: columnLimit) {
        count += 1
        lines[line.values.count, default: 0] += 1
        width = max(width, CSVTable.width(of: line.values))
      }
      let best = lines.filter { $0.key > 1 }
        .max { ($0.value, $0.key) < ($1.value, $1.key) }
      guard let best else { return nil }
      self.separator = separator
      self.lines = best.value
      values = best.key
      self.width = width
    }
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
