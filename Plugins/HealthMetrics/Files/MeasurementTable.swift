import PolyclinicCore

/// What somebody is asked about a file that does not say it itself.
struct FileOptions: Sendable {
  /// A ``Weight/Unit``; empty where the file says it.
  var unit = ""
  /// A ``WrittenTime/Order``; empty where the file says it.
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

/// A file of measurements: the columns that are known in it, and the times of its lines.
///
/// Known are our own columns; those of blood-pressure-monitor-fl (`timestampUnixMs`, `systolic`,
/// `diastolic`, `pulse`, `notes`, `bodyweight`, and its "My Heart" export), in which what was not measured
/// is called `null`; and those of openScale: `DATE`, `TIME`, `WEIGHT`, `COMMENT` since release 3, before it
/// `dateTime`, `weight`, `comment`, in kilograms. Upper and lower case make no difference.
struct MeasurementTable {
  let records: [CSVTable.Record]
  private let columns: [String: String]

  /// What a column holds, and the names it goes by.
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

  /// Throws ``Refusal/invalid(_:_:)`` for the field `file` where it is no table, or one without times.
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

  /// The name by which the file has a column, in lower case.
  func name(of column: Column) -> String? { column.names.first { columns[$0] != nil } }

  /// A value, empty where the file has none: blood-pressure-monitor-fl writes `null`.
  func value(_ column: Column, of record: CSVTable.Record) -> String {
    guard let name = name(of: column).flatMap({ columns[$0] }) else { return "" }
    let value = record[name]
    return value == "null" ? "" : value
  }

  /// The time of a line as it is written; nil if it is not one.
  func time(of record: CSVTable.Record) -> WrittenTime? {
    let moment = value(.moment, of: record)
    if !moment.isEmpty { return WrittenTime(moment) }
    return WrittenTime(value(.date, of: record), time: value(.time, of: record))
  }

  /// The order of day and month: as any line of the file shows, else as was answered. Throws
  /// ``Refusal/invalid(_:_:)`` for the field `date_order` where that has to be asked.
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
