import PolyclinicCore
import PolyclinicFormats
import PolyclinicImports

extension Measurement {
  /// Checks the lines of a file by the rules of the form. `values` returns the fields of a line except
  /// its time, or nil for a line without a measurement of this kind.
  static func rows(
    in table: MeasurementTable, _ options: FileOptions, _ context: Context,
    _ connection: Connection,
    values: (CSVTable.Record) -> Fields?
  ) throws -> [ImportRow<Self>] {
    let order = try table.order(answered: options.dateOrder)
    var seen: Set<Identity> = []
    try records.index.forEach(by: context.keys, on: connection) { seen.insert(identity(of: $0)) }
    return try table.records.compactMap { record in
      guard var fields = values(record) else { return nil }
      let written = fields.pairs.map(\.value).filter { !$0.isEmpty }.joined(separator: " ")
      let time = table.time(of: record)?.time(in: context.formats.timeZone, order)
      fields.append("measured_at", time?.description ?? "?")
      let (draft, problems) = try form.draft(from: fields)
      if let problem = problems.first {
        return ImportRow(line: record.line, title: written, .refused(problem.text))
      }
      if let time, time.instant > context.now {
        return ImportRow(
          line: record.line, title: context.text(draft.title), .refused("error.future-time"))
      }
      let isNew = seen.insert(draft.identity).inserted
      return ImportRow(
        line: record.line, title: context.text(draft.title), isNew ? .new(draft) : .duplicate)
    }
  }
}

/// The key that detects duplicate weights: the minute, and the value in thousandths of its unit.
struct WeightIdentity: Hashable {
  let minute: Int64
  let thousandths: Int
  let unit: Weight.Unit
}

extension Weight: Measurement {
  static var kind: MetricsKind { .weights }
  static let columns = ["measured_at", "value", "unit", "note"]

  var identity: WeightIdentity { Self.identity(of: Entry(self, id: ID(0))) }

  static func identity(of entry: Entry) -> WeightIdentity {
    WeightIdentity(
      minute: entry.time.instant.seconds, thousandths: entry.thousandths, unit: entry.unit)
  }

  /// Reads the weights of a file and compares them with the stored ones. Throws ``Refusal/invalid(_:_:)``
  /// for an option that the user must choose, and for `file` if it contains no weights.
  @Sendable
  static func rows(
    in bytes: [UInt8], _ options: FileOptions, _ context: Context, _ connection: Connection
  ) throws -> [ImportRow<Weight>] {
    let table = try MeasurementTable(bytes)
    guard table.has(.value) else { throw Refusal.invalid("file", "import.no-weights") }
    let unit = try unit(of: table, answered: options.unit)
    return try rows(in: table, options, context, connection) { record in
      guard let value = weight(of: record, in: table) else { return nil }
      let own = table.value(.unit, of: record).lowercased()
      return Fields([
        "value": value, "unit": own.isEmpty ? unit.rawValue : Self.spelt[own] ?? own,
        "note": CSVText.plain(table.value(.note, of: record)),
      ])
    }
  }

  private static let spelt = ["kgs": "kg", "lbs": "lb", "[lb_av]": "lb"]

  /// Returns the weight of a line, or nil if it has none. openScale writes 0 for a value that was not
  /// measured.
  private static func weight(of record: CSVTable.Record, in table: MeasurementTable) -> String? {
    let value = table.value(.value, of: record)
    return value.isEmpty || Double(written: value) == 0 ? nil : value
  }

  /// Returns the unit of values that do not name one. Throws ``Refusal/invalid(_:_:)`` for the field
  /// `unit` if the user must choose it, because openScale since release 3 writes the unit of the user's
  /// settings.
  private static func unit(of table: MeasurementTable, answered: String) throws -> Unit {
    let isSaid = table.records.allSatisfy {
      weight(of: $0, in: table) == nil || !table.value(.unit, of: $0).isEmpty
    }
    if isSaid { return .kg }
    switch table.name(of: .value) {
    case "bodyweight", "weight (kg)", "weight_kg": return .kg
    case "weight (lb)", "weight_lb": return .lb
    default: break
    }
    if table.name(of: .moment) == "datetime" { return .kg }
    guard let unit = Unit(rawValue: answered) else {
      throw Refusal.invalid("unit", "import.ask.unit")
    }
    return unit
  }
}

/// The key that detects duplicate readings: the minute and the values.
struct PressureIdentity: Hashable {
  let minute: Int64
  let pressure: Pressure
  let pulse: Int?
}

extension BloodPressure: Measurement {
  static var kind: MetricsKind { .bloodPressure }
  static let columns = ["measured_at", "systolic", "diastolic", "pulse", "arm", "note"]

  var identity: PressureIdentity { Self.identity(of: Entry(self, id: ID(0))) }

  static func identity(of entry: Entry) -> PressureIdentity {
    PressureIdentity(
      minute: entry.time.instant.seconds, pressure: entry.pressure, pulse: entry.pulse)
  }

  /// Reads the readings of a file and compares them with the stored ones. Throws
  /// ``Refusal/invalid(_:_:)`` for an option that the user must choose, and for `file` if it contains no
  /// readings.
  @Sendable
  static func rows(
    in bytes: [UInt8], _ options: FileOptions, _ context: Context, _ connection: Connection
  ) throws -> [ImportRow<BloodPressure>] {
    let table = try MeasurementTable(bytes)
    guard table.has(.systolic), table.has(.diastolic) else {
      throw Refusal.invalid("file", "import.no-readings")
    }
    return try rows(in: table, options, context, connection) { record in
      let values = [Column.systolic, .diastolic, .pulse].map { table.value($0, of: record) }
      // Skips lines of blood-pressure-monitor-fl that contain only a note, a medicine or a weight.
      if values.allSatisfy(\.isEmpty) { return nil }
      return Fields([
        "systolic": values[0], "diastolic": values[1], "pulse": values[2],
        "arm": table.value(.arm, of: record).lowercased(),
        "note": CSVText.plain(table.value(.note, of: record)),
      ])
    }
  }

  private typealias Column = MeasurementTable.Column
}

extension Measurement {
  /// Returns the routes of a file import. `options` are the questions that the file may leave open. One
  /// invalid line refuses the whole file.
  static func fileImport(
    at path: StaticString, options: Form<FileOptions>,
    read:
      @escaping @Sendable ([UInt8], FileOptions, Context, Connection) throws -> [ImportRow<Self>]
  ) -> [Route] {
    Route.fileImport(
      path,
      FileImport(
        title: Text("import.title.\(kind.rawValue)"), about: Text("import.about.\(kind.rawValue)"),
        accept: ".csv,text/csv", limit: largestFile, tolerance: .whole, options: options,
        read: read, version: { try records.index.version(by: $0.keys, on: $1) }, save: take),
      cancel: kind.path)
  }

  /// The size limit in bytes: enough for decades of two readings a day.
  private static var largestFile: Int { 4 << 20 }

  @Sendable
  private static func take(
    _ drafts: [Self], _ context: Context
  ) throws -> (Connection) throws -> Path {
    let keys = try context.keys
    let sealed = try records.seal(
      new: drafts, at: context.now, by: keys, in: context.portal.database)
    return { connection in
      try records.store(sealed, by: keys, on: connection)
      return kind.path.query(["imported": String(drafts.count)])
    }
  }
}
