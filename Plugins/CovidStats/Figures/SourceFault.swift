/// An error in a source's figures. The whole set is refused, and the stored figures are kept.
struct SourceFault: Error, Equatable, CustomStringConvertible {
  let kind: Kind
  /// The line of the file, from 1; nil if the error has no line.
  var line: Int?

  enum Kind: Equatable {
    /// The file cannot be read.
    case unreadable
    /// The file is empty.
    case empty
    /// The file is not JSON, or has another structure.
    case shape
    /// A column is missing.
    case column(String)
    /// A line has more or fewer values than there are columns: the file is truncated or not a
    /// table.
    case width
    case longLine
    /// The file is larger than any file of the source.
    case large
    case date
    /// The day is before the first report or after today.
    case day
    case number
    /// A country has two records of one day.
    case repeatedDay
    /// So few countries have figures that the rest must be missing.
    case fewCountries(Int)
  }

  init(_ kind: Kind, line: Int? = nil) {
    self.kind = kind
    self.line = line
  }

  /// A sentence for the log and the administrator. It does not quote the file.
  var description: String {
    let what =
      switch kind {
      case .unreadable: "the file cannot be read"
      case .empty: "nothing is in it"
      case .shape: "it is not the JSON that this source sends"
      case .column(let name): "the column \(name) is missing"
      case .width:
        "it has not as many values as there are columns: the file was cut off, or is no table"
      case .longLine: "it is longer than any line of this source"
      case .large: "it is larger than any file of this source"
      case .date: "a date is not written as YYYY-MM-DD"
      case .day: "a day is before December 2019 or in the future"
      case .number: "a count is not a number"
      case .repeatedDay: "a country has two records of one day"
      case .fewCountries(let count):
        "it has figures of \(count) countries, fewer than three quarters of those that are stored"
      }
    return line.map { "line \($0): \(what)" } ?? what
  }
}
