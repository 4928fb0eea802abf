/// A table of comma-separated values (RFC 4180) as it is read from a file: a line of names, then a
/// record a line.
///
/// Taken are UTF-8 with or without a byte order mark, lines that end with CRLF, LF or CR, and `;` in
/// place of `,`, as spreadsheets write it where a comma stands in numbers: whichever the line of names
/// has more of. Lines in which nothing stands are skipped.
public struct CSVTable: Sendable, Equatable {
  /// The names of the columns, in order, each once.
  public let columns: [String]
  /// What stands below them.
  public let records: [Record]

  /// One record, which may go over several lines of the file.
  public struct Record: Sendable, Equatable {
    /// Where in the file it begins, from 1.
    public let line: Int
    private let values: [String]
    /// Where each column stands: the same for all records of a file.
    private let places: [String: Int]

    fileprivate init(line: Int, _ values: [String], at places: [String: Int]) {
      self.line = line
      self.values = values
      self.places = places
    }

    /// The value in a column, without spaces around it; empty where there is no such column.
    public subscript(column: String) -> String { places[column].map { values[$0] } ?? "" }
  }

  /// Several times the columns of any program whose files are read.
  private static let columnLimit = 200

  /// Reads a whole file of at most `limit` records; the first thing that is wrong with it is thrown.
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
      guard name.utf8.count <= Fields.nameLimit else {
        throw CSVFault(line: line, .longColumnName(Fields.nameLimit))
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
    self.records = records
  }
}

/// Why a file is no table, and where.
public struct CSVFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line of the file, from 1.
  public let line: Int
  /// What is wrong there.
  public let reason: Reason

  /// What can be wrong with a file.
  public enum Reason: Sendable, Equatable {
    /// There is no line of names.
    case empty
    /// It is not UTF-8.
    case encoding
    /// A column has no name.
    case unnamedColumn
    /// The name of a column has more bytes than are read.
    case longColumnName(Int)
    /// More columns than are read.
    case tooManyColumns(Int)
    /// More combining marks follow one another than ``IncomingText`` takes.
    case combiningMarks
    /// Two columns have one name.
    case repeatedColumn(String)
    /// A record has fewer values than there are columns, or more: those beyond the first are not counted.
    case count(Int, expected: Int)
    /// More records than are read at once.
    case tooManyRecords(Int)
    /// A quotation mark that nothing ends.
    case openQuote
    /// A quotation mark within a value that does not begin with one, or text behind one that ends a value.
    case strayQuote
  }

  init(line: Int, _ reason: Reason) {
    self.line = line
    self.reason = reason
  }

  /// A sentence for whoever wrote the file; it quotes no value.
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
