import PolyclinicCore
import PolyclinicFormats
import PolyclinicImports

/// The values of a line of a file, before the rules of the form.
enum LineValues {
  /// The fields of the form except the time, and the facts that the user should know.
  case fields(Fields, [Text])
  /// A text that is no value of its column.
  case unread(String)
}

/// A measurement that files contain.
protocol ImportedMeasurement: Measurement {
  /// Returns the values of a line of a file; nil for a line without a measurement of this kind.
  static func values(of record: CSVTable.Record, _ questions: FileQuestions) -> LineValues?
  /// Returns the values that the title does not name, for the preview; empty without any.
  func detail(_ context: Context) -> String
}

extension ImportedMeasurement {
  /// Reads the measurements of a file and compares them with the stored ones. Throws
  /// ``Refusal/invalid(_:_:)`` for `file` if it is not a table.
  @Sendable
  static func reading(
    _ bytes: [UInt8], _ options: FileOptions, _ context: Context
  ) throws -> ImportReading<FileOptions, Self> {
    if spreadsheets.contains(where: { bytes.starts(with: $0) }) {
      throw Refusal.invalid("file", "import.fault.spreadsheet")
    }
    let file = DecodedFile(bytes, for: context.language)
    let questions = FileQuestions(
      try MeasurementTable(file.utf8, of: kind, chosen: options.places), options)
    var reading = ImportReading<FileOptions, Self>()
    reading.options = questions.options
    reading.questions = questions.form
    reading.problems = questions.problems
    let codePage = file.codePage.map { name in
      context.notice(.remark, Text("import.code-page", ["name": name]), as: .warning)
    }
    reading.about = "\(codePage)\(questions.about(context))"
    if reading.problems.isEmpty { reading.rows = try rows(questions, context) }
    return reading
  }

  /// The first bytes of the files of Excel, of which the first are those of any ZIP archive.
  private static var spreadsheets: [[UInt8]] {
    [[0x50, 0x4B, 0x03, 0x04], [0xD0, 0xCF, 0x11, 0xE0]]
  }

  private static func rows(
    _ questions: FileQuestions, _ context: Context
  ) throws -> [ImportRow<Self>] {
    let table = questions.table
    var seen: Set<Identity> = []
    try records.index.forEach(in: context) { seen.insert(identity(of: $0)) }
    return try table.records.indices.compactMap { index in
      let record = table.records[index]
      do {
        guard
          let (draft, remarks) = try measurement(
            at: index, of: questions, in: context.formats.timeZone)
        else { return nil }
        try draft.measuredAt.requirePast(at: context.now)
        let isNew = seen.insert(draft.identity).inserted
        var row = ImportRow(
          line: record.line, title: context.text(draft.title), isNew ? .new(draft) : .duplicate)
        row.detail = draft.detail(context)
        row.remarks = remarks
        return row
      } catch Refusal.invalid(let field, let text) {
        return ImportRow(
          line: record.line, title: written(record, in: table),
          .refused(reason(text, at: field, context)))
      }
    }
  }

  /// Returns a reason with the name of its field, which sentences about times and whole values do
  /// not need.
  private static func reason(_ text: Text, at field: String, _ context: Context) -> Text {
    if field == "file" || field == "measured_at" { return text }
    return Text(
      "import.of-field",
      ["field": context.text(Text("field.\(field)")), "reason": context.text(text)])
  }

  /// Returns the measurement of a line; nil for one of another kind or person. Throws
  /// ``Refusal/invalid(_:_:)`` for a time that cannot be read, and for values that the form refuses.
  static func measurement(
    at index: Int, of questions: FileQuestions, in zone: Zone
  ) throws -> (draft: Self, remarks: [Text])? {
    let table = questions.table
    let record = table.records[index]
    guard questions.isOfPerson(record), let values = values(of: record, questions) else {
      return nil
    }
    let time = try table.time(at: index, in: zone, questions.order)
    switch values {
    case .unread(let text):
      throw Refusal.invalid("file", MeasurementTable.unread("import.unread-value", text))
    case .fields(var fields, let remarks):
      fields.append("measured_at", time.description)
      let (draft, problems) = try form.draft(from: fields)
      if let problem = problems.first { throw Refusal.invalid(problem.field, problem.text) }
      return (draft, remarks)
    }
  }

  /// Returns the values and the time of a line as they are written.
  private static func written(_ record: CSVTable.Record, in table: MeasurementTable) -> String {
    let columns: [Heading.Column] = [.value, .unit, .systolic, .diastolic, .pressure, .pulse]
    let values = columns.map { table.value($0, of: record) } + [table.writtenTime(of: record)]
    return values.filter { !$0.isEmpty }.map(MeasurementTable.beginning).joined(separator: " ")
  }
}

/// The key that detects duplicate weights: the minute, and the value in thousandths of its unit.
struct WeightIdentity: Hashable {
  let minute: Int64
  let thousandths: Int
  let unit: Weight.Unit
}

extension Weight: ImportedMeasurement {
  static var kind: MetricsKind { .weights }
  static let columns = ["measured_at", "value", "unit", "note"]

  var identity: WeightIdentity { Self.identity(of: Entry(self, id: ID(0))) }

  static func identity(of entry: Entry) -> WeightIdentity {
    WeightIdentity(
      minute: entry.time.instant.seconds, thousandths: Int((entry.value * 1_000).rounded()),
      unit: entry.unit)
  }

  static func values(of record: CSVTable.Record, _ questions: FileQuestions) -> LineValues? {
    let table = questions.table
    let text = table.value(.value, of: record)
    guard let (number, own) = table.quantity(.value, of: text) else { return .unread(text) }
    if number.isEmpty { return nil }
    let written = table.value(.unit, of: record)
    guard written.isEmpty || Unit(Heading.Unit(written)) != nil else {
      return .unread("\(text) \(written)")
    }
    // Two units that contradict each other are no unit.
    if let own, !written.isEmpty, own != Heading.Unit(written) {
      return .unread("\(text) \(written)")
    }
    let unit = unit(of: record, in: table) ?? Unit(rawValue: questions.options.unit)
    return .fields(
      Fields([
        "value": number, "unit": unit?.rawValue ?? "",
        "note": CSVText.plain(table.value(.note, of: record)),
      ]), [])
  }

  func detail(_ context: Context) -> String { MeasurementTable.beginning(of: note) }

  /// Returns the unit of a line: behind its value, in a column of its own, or that of the whole
  /// file; nil if it is not said.
  static func unit(of record: CSVTable.Record, in table: MeasurementTable) -> Unit? {
    let own = table.quantity(.value, of: table.value(.value, of: record))?.unit
    return Unit(own) ?? Unit(Heading.Unit(table.value(.unit, of: record))) ?? Unit(table.unit)
  }
}

extension Weight.Unit {
  /// The unit of a weight in a file; nil for another unit.
  init?(_ unit: Heading.Unit?) {
    switch unit {
    case .kilograms: self = .kg
    case .pounds: self = .lb
    default: return nil
    }
  }
}

/// The key that detects duplicate readings: the minute and the values.
struct PressureIdentity: Hashable {
  let minute: Int64
  let pressure: Pressure
  let pulse: Int?
}

extension BloodPressure: ImportedMeasurement {
  static var kind: MetricsKind { .bloodPressure }
  static let columns = ["measured_at", "systolic", "diastolic", "pulse", "arm", "note"]

  var identity: PressureIdentity { Self.identity(of: Entry(self, id: ID(0))) }

  static func identity(of entry: Entry) -> PressureIdentity {
    PressureIdentity(
      minute: entry.time.instant.seconds, pressure: entry.pressure, pulse: entry.pulse)
  }

  static func values(of record: CSVTable.Record, _ questions: FileQuestions) -> LineValues? {
    let table = questions.table
    var texts = [Heading.Column.systolic, .diastolic, .pulse].map { table.value($0, of: record) }
    let both = table.value(.pressure, of: record)
    if texts[0].isEmpty, texts[1].isEmpty, !both.isEmpty {
      let parts = both.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2 else { return .unread(both) }
      for place in 0...1 { texts[place] = parts[place].trimmingBlanks }
    }
    var numbers: [String] = []
    for (column, text) in zip([Heading.Column.systolic, .diastolic, .pulse], texts) {
      guard let (number, _) = table.quantity(column, of: text) else { return .unread(text) }
      numbers.append(number)
    }
    // Skips lines of blood-pressure-monitor-fl that contain only a note, a medicine or a weight.
    if numbers.allSatisfy(\.isEmpty) { return nil }
    let written = table.value(.arm, of: record)
    let arm = Arm(written: written)
    return .fields(
      Fields([
        "systolic": numbers[0], "diastolic": numbers[1], "pulse": numbers[2],
        "arm": arm?.rawValue ?? "", "note": CSVText.plain(table.value(.note, of: record)),
      ]),
      arm == nil && !written.isEmpty ? [MeasurementTable.unread("import.unread-arm", written)] : [])
  }

  func detail(_ context: Context) -> String {
    let parts = [
      pulse.map { context.text("pressure.pulse", ["pulse": String($0)]) },
      arm.isEmpty ? nil : context.text(Text("arm.short.\(arm)")),
      note.isEmpty ? nil : MeasurementTable.beginning(of: note),
    ]
    return parts.compactMap(\.self).joined(separator: " · ")
  }
}

extension BloodPressure.Arm {
  /// Reads the words of the portal's languages, German and Swedish.
  init?(written text: String) {
    let word = Heading.key(text)
    if Self.leftWords.contains(word) {
      self = .left
    } else if Self.rightWords.contains(word) {
      self = .right
    } else {
      return nil
    }
  }

  private static let leftWords = Set(
    [
      "left", "left arm", "l", "левая", "левая рука", "слева", "שמאל", "יד שמאל", "links",
      "vänster",
    ].map(Heading.key))
  private static let rightWords = Set(
    [
      "right", "right arm", "r", "правая", "правая рука", "справа", "ימין", "יד ימין", "rechts",
      "höger",
    ].map(Heading.key))
}

extension Substring {
  fileprivate var trimmingBlanks: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

extension ImportedMeasurement {
  /// Returns the routes of a file import. One invalid line refuses the whole file.
  static var fileImport: [Route] {
    Route.fileImport(
      pages.upload.path,
      FileImport(
        title: Text("import.title.\(kind.rawValue)"), about: Text("import.about.\(kind.rawValue)"),
        accept: ".csv,.txt,text/csv,text/plain", limit: largestFile, tolerance: .whole,
        options: FileOptions.form(of: kind), read: reading,
        version: { try records.index.version(in: $0) }, save: take),
      cancel: pages.list.path)
  }

  /// The size limit in bytes: enough for decades of two readings a day.
  private static var largestFile: Int { 4 << 20 }

  @Sendable
  private static func take(
    _ drafts: [Self], _ context: Context
  ) throws -> (Context) throws -> Path {
    let sealed = try records.seal(
      new: drafts, in: context, numberedIn: context.portal.database)
    let list = try list(showing: drafts, context).query(["imported": String(drafts.count)])
    return { context in
      try records.store(sealed, in: context)
      return list
    }
  }

  /// Returns the path of the list, or that of the month of the newest imported measurement if later
  /// months stand above it.
  private static func list(showing drafts: [Self], _ context: Context) throws -> Path {
    var latest: CalendarDate?
    try records.index.prefix(in: context) { entry in
      latest = entry.time.day
      return false
    }
    guard let latest, let newest = drafts.compactMap({ $0.measuredAt?.day }).max() else {
      return pages.list.path
    }
    let month = PeriodLength.month.start(of: newest)
    return month < PeriodLength.month.start(of: latest)
      ? pages.list.path.query(["month": month.monthInAddress]) : pages.list.path
  }
}
