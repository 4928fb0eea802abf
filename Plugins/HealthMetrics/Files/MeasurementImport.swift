import PolyclinicCore

extension Measurement {
  /// The lines of a file, each by the rules of the form; `values` are the fields of one besides its time,
  /// nil for a line that says nothing of this kind.
  static func arrivals(
    in table: MeasurementTable, _ options: FileOptions, _ context: Context,
    _ connection: Connection,
    values: (CSVTable.Record) -> Fields?
  ) throws -> [Arrival<Self>] {
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
        return Arrival(line: record.line, title: written, .refused(problem.text))
      }
      if let time, time.instant > context.now {
        return Arrival(
          line: record.line, title: context.text(draft.title), .refused("error.future-time"))
      }
      let isNew = seen.insert(draft.identity).inserted
      return Arrival(
        line: record.line, title: context.text(draft.title), isNew ? .new(draft) : .duplicate)
    }
  }
}

/// When, and how much in thousandths of which unit.
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

  /// The weights of a file, compared with those that are stored; throws ``Refusal/invalid(_:_:)`` for an
  /// option that has to be answered, and for `file` where it holds no weights.
  @Sendable
  static func arrivals(
    in bytes: [UInt8], _ options: FileOptions, _ context: Context, _ connection: Connection
  ) throws -> [Arrival<Weight>] {
    let table = try MeasurementTable(bytes)
    guard table.has(.value) else { throw Refusal.invalid("file", "import.no-weights") }
    let unit = try unit(of: table, answered: options.unit)
    return try arrivals(in: table, options, context, connection) { record in
      guard let value = weight(of: record, in: table) else { return nil }
      let own = table.value(.unit, of: record).lowercased()
      return Fields([
        "value": value, "unit": own.isEmpty ? unit.rawValue : Self.spelt[own] ?? own,
        "note": CSVText.plain(table.value(.note, of: record)),
      ])
    }
  }

  private static let spelt = ["kgs": "kg", "lbs": "lb", "[lb_av]": "lb"]

  /// Nil for a line of something else: openScale writes 0 for what was not measured.
  private static func weight(of record: CSVTable.Record, in table: MeasurementTable) -> String? {
    let value = table.value(.value, of: record)
    return value.isEmpty || WrittenNumber.decimal(value) == 0 ? nil : value
  }

  /// What values without a unit of their own are counted in. Throws ``Refusal/invalid(_:_:)`` for the
  /// field `unit` where that has to be asked: openScale since release 3 writes what its user has chosen.
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

/// When, and how much.
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

  /// The readings of a file, compared with those that are stored; as of weights.
  @Sendable
  static func arrivals(
    in bytes: [UInt8], _ options: FileOptions, _ context: Context, _ connection: Connection
  ) throws -> [Arrival<BloodPressure>] {
    let table = try MeasurementTable(bytes)
    guard table.has(.systolic), table.has(.diastolic) else {
      throw Refusal.invalid("file", "import.no-readings")
    }
    return try arrivals(in: table, options, context, connection) { record in
      let values = [Column.systolic, .diastolic, .pulse].map { table.value($0, of: record) }
      // blood-pressure-monitor-fl has lines of nothing but a note, a medicine or a weight.
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
  /// Taking a file in, `options` being what it may have to be asked about: one line that is wrong, and
  /// nothing of it is stored.
  static func intake(
    at path: StaticString, options: Form<FileOptions>,
    read: @escaping @Sendable ([UInt8], FileOptions, Context, Connection) throws -> [Arrival<Self>]
  ) -> [Route] {
    Route.intake(
      path,
      Intake(
        title: Text("import.title.\(kind.rawValue)"), about: Text("import.about.\(kind.rawValue)"),
        accept: ".csv,text/csv", limit: largestFile, tolerance: .whole, options: options,
        read: read, version: { try records.index.version(by: $0.keys, on: $1) }, save: take),
      cancel: kind.path)
  }

  /// In bytes: decades of two readings a day.
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
