import PolyclinicCore
import PolyclinicFormats

/// The questions to the user about details that a file may leave open.
struct FileOptions: Sendable {
  /// A ``Weight/Unit``; empty if the file names the unit.
  var unit = ""
  /// A ``WrittenTime/Order``; empty if the file shows the order.
  var dateOrder = ""

  static let dates = Field<FileOptions>.choice(
    \.dateOrder, "date_order", hint: "field.date_order.hint"
  ) { _ in
    WrittenTime.Order.allCases.map { Choice($0.rawValue, .text(Text("date_order.\($0.rawValue)"))) }
  }

  static let weights = Form(
    FileOptions(),
    .choice(\.unit, "unit", hint: "field.unit.hint") { _ in
      Weight.Unit.allCases.map { Choice($0.rawValue, .text(Text("unit.\($0.rawValue)"))) }
    }, dates)

  static let readings = Form(FileOptions(), dates)
}

/// A file of measurements, with its known columns in upper or lower case and the times of its lines.
///
/// It reads the columns of three sources:
/// - the module's own export;
/// - blood-pressure-monitor-fl: `timestampUnixMs`, `systolic`, `diastolic`, `pulse`, `notes`,
///   `bodyweight`, and its "My Heart" export. It writes `null` for a value that was not measured.
/// - openScale since release 3: `DATE`, `TIME`, `WEIGHT`, `COMMENT`; before it `dateTime`, `weight`,
///   `comment`, in kilograms.
struct MeasurementTable {
  let records: [CSVTable.Record]
  private let columns: [String: String]

  /// The meaning of a column, with its possible names.
  enum Column: CaseIterable {
    case moment, date, time, value, unit, systolic, diastolic, pulse, arm, note

    var names: [String] {
      switch self {
      case .moment: ["measured_at", "timestampunixms", "datetime", "datum", "timestamp"]
      case .date: ["date"]
      case .time: ["time"]
      case .value:
        ["value", "weight", "bodyweight", "weight (kg)", "weight (lb)", "weight_kg", "weight_lb"]
      case .unit: ["unit"]
      case .systolic: ["systolic", "sys", "systole"]
      case .diastolic: ["diastolic", "dia", "diastole"]
      case .pulse: ["pulse", "pul"]
      case .arm: ["arm"]
      case .note: ["note", "notes", "comment"]
      }
    }
  }

  /// Reads a CSV file. Throws ``Refusal/invalid(_:_:)`` for the field `file` if it is not a table or has
  /// no times.
  init(_ bytes: [UInt8]) throws {
    let table: CSVTable
    do { table = try CSVTable(bytes) } catch {
      throw Refusal.invalid("file", Self.text(of: error))
    }
    var columns: [String: String] = [:]
    for column in table.columns { columns[column.lowercased()] = column }
    self.columns = columns
    records = table.records
    guard self.has(.moment) || self.has(.date) else {
      throw Refusal.invalid("file", "import.no-time")
    }
  }

  private static func text(of fault: CSVFault) -> Text {
    let line = ["line": String(fault.line)]
    switch fault.reason {
    case .empty: return "import.fault.empty"
    case .encoding: return Text("import.fault.encoding", line)
    case .unnamedColumn, .repeatedColumn, .longColumnName, .tooManyColumns:
      return Text("import.fault.columns", line)
    case .combiningMarks: return Text("import.fault.combining-marks", line)
    case .count: return Text("import.fault.count", line)
    case .tooManyRecords(let limit):
      return Text("import.fault.too-many", ["limit": String(limit)])
    case .openQuote, .strayQuote: return Text("import.fault.quote", line)
    }
  }

  func has(_ column: Column) -> Bool { name(of: column) != nil }

  /// Returns the name of a column in this file, in lower case.
  func name(of column: Column) -> String? { column.names.first { columns[$0] != nil } }

  /// Returns a value; empty if the file has none or, as blood-pressure-monitor-fl writes it, `null`.
  func value(_ column: Column, of record: CSVTable.Record) -> String {
    guard let name = name(of: column).flatMap({ columns[$0] }) else { return "" }
    let value = record[name]
    return value == "null" ? "" : value
  }

  /// Returns the time of a line as it is written; nil if it is invalid.
  func time(of record: CSVTable.Record) -> WrittenTime? {
    let moment = value(.moment, of: record)
    if !moment.isEmpty { return WrittenTime(moment) }
    return WrittenTime(value(.date, of: record), time: value(.time, of: record))
  }

  /// Returns the order of day and month: the one that any line of the file shows, otherwise the user's
  /// choice. Throws ``Refusal/invalid(_:_:)`` for the field `date_order` if the user must choose it.
  func order(answered: String) throws -> WrittenTime.Order {
    var isOpen = false
    for record in records {
      guard let time = time(of: record), case .unordered = time else { continue }
      if let order = time.order { return order }
      isOpen = true
    }
    if let order = WrittenTime.Order(rawValue: answered) { return order }
    if isOpen { throw Refusal.invalid("date_order", "import.ask.date-order") }
    return .dayFirst
  }
}
