/// What is wrong with figures that a source has sent: they are refused whole, and what is stored stays.
struct SourceFault: Error, Equatable, CustomStringConvertible {
  let kind: Kind
  /// The line of the file, from 1; nil where it has none.
  var line: Int?

  enum Kind: Equatable {
    /// The file cannot be read.
    case unreadable
    /// Nothing is in it.
    case empty
    /// It is no JSON, or JSON of another shape.
    case shape
    /// A column is missing.
    case column(String)
    /// A line has more or fewer values than there are columns: the file was cut off, or it is no table.
    case width
    case longLine
    /// More bytes than any file of the source has.
    case large
    case date
    /// A day before the first report or after today.
    case day
    case number
    /// A country has two records of one day.
    case repeatedDay
    /// Figures of so few countries that the rest must be missing.
    case fewCountries(Int)
  }

  init(_ kind: Kind, line: Int? = nil) {
    self.kind = kind
    self.line = line
  }

  /// A sentence for the log and the administrator; it quotes nothing of the file.
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
