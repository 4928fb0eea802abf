import PolyclinicCore
import PolyclinicFormats

/// A file of measurements: its lines, the meaning of its columns, and the times of its lines.
struct MeasurementTable {
  typealias Column = Heading.Column

  let file: CSVTable
  let kind: MetricsKind
  /// True if the first line of the table has no names of columns but is a line of values itself.
  let beginsWithValues: Bool
  /// The lines with values.
  let records: [CSVTable.Record]
  /// The columns that are known by their names.
  let found: [Column: Int]
  /// The columns that are imported: the known ones, or those that the user has chosen.
  let places: [Column: Int]
  let headings: [Heading]
  /// The unit of the weights without a unit of their own; nil if the file does not say it.
  let unit: Heading.Unit?
  /// The times of the lines; nil for one that is no time.
  private let times: [WrittenTime?]

  /// Reads a CSV file in UTF-8. Throws ``Refusal/invalid(_:_:)`` for the field `file` if it is not a
  /// table.
  init(_ bytes: [UInt8], of kind: MetricsKind, chosen: [Column: Int] = [:]) throws {
    let columns = kind.columns
    let file: CSVTable
    do {
      file = try CSVTable(export: bytes) { names in
        Set(names.compactMap { Heading($0).column }).intersection(columns).count > 1
      }
    } catch {
      throw Refusal.invalid("file", Self.text(of: error))
    }
    var headings = file.columns.map(Heading.init)
    var found = Self.columns(of: headings, among: columns)
    let beginsWithValues = found.count < 2 && Self.areValues(file.columns, of: kind)
    if beginsWithValues {
      // A note such as “pulse” is not the name of its column.
      headings = file.columns.map { _ in Heading("") }
      found = [:]
    }
    let records = beginsWithValues ? [file.heading] + file.records : file.records
    var places = Self.places(found, chosen.filter { headings.indices.contains($0.value) }, kind)
    places[.half] = Self.half(of: records, besides: Set(places.values), among: headings.indices)
    (self.file, self.kind, self.headings, self.found, self.places) = (
      file, kind, headings, found, places
    )
    (self.beginsWithValues, self.records) = (beginsWithValues, records)
    unit = places[.value].flatMap { Self.unit(of: file, headings, at: $0) }
    times = records.map { WrittenTime(Self.time(of: $0, at: places)) }
  }

  /// Returns true for a line with a date, or with as many numbers as a measurement has at least. It
  /// counts as one with values even if the others cannot be read, so that none is lost as a name.
  private static func areValues(_ line: [String], of kind: MetricsKind) -> Bool {
    if line.contains(where: { WrittenTime($0) != nil }) { return true }
    return line.map(numbers).reduce(0, +) >= (kind == .weights ? 1 : 2)
  }

  /// Returns the number of numbers in a value such as “72 kg” or “133/79”; 0 if it has other words.
  private static func numbers(in value: String) -> Int {
    let parts = value.split { $0 == "/" || $0.isWhitespace }.map(String.init)
    let numbers = parts.count { Double(written: $0) != nil }
    let units = parts.count { Heading.Unit($0) != nil }
    return numbers + units == parts.count ? numbers : 0
  }

  /// The columns as lists show them: their names, or their numbers with the first value.
  var labels: [Choice.Label] {
    file.columns.enumerated().map { place, name in
      let name = beginsWithValues ? records.lazy.map { $0[place] }.first { !$0.isEmpty } : name
      let number = String(place + 1)
      guard let name, !name.isEmpty else {
        return .text(Text("import.unnamed-column", ["number": number]))
      }
      let beginning = Self.beginning(of: name)
      return beginsWithValues
        ? .text(Text("import.column-of-values", ["number": number, "text": beginning]))
        : .verbatim(beginning)
    }
  }

  /// Returns the places of the known columns. Of two with one meaning, the one with the better name
  /// counts.
  private static func columns(of headings: [Heading], among columns: Set<Column>) -> [Column: Int] {
    var found: [Column: Int] = [:]
    for (place, heading) in headings.enumerated() {
      guard let column = heading.column, columns.contains(column) else { continue }
      if let other = found[column], headings[other].rank <= heading.rank { continue }
      found[column] = place
    }
    if found[.moment] == nil, found[.date] == nil, let time = found.removeValue(forKey: .time) {
      found[.moment] = time
    }
    return found
  }

  /// Returns the known columns, with those that a user has chosen in place of all that can be
  /// chosen. A column that is chosen for both values of a reading has both.
  private static func places(
    _ found: [Column: Int], _ chosen: [Column: Int], _ kind: MetricsKind
  ) -> [Column: Int] {
    if chosen.isEmpty { return found }
    let offered = kind.columnsToChoose + [.moment, .pressure]
    var places = found.filter { !offered.contains($0.key) }.merging(chosen) { $1 }
    if let place = places[.systolic], place == places[.diastolic] {
      places[.pressure] = place
      (places[.systolic], places[.diastolic]) = (nil, nil)
    }
    return places
  }

  /// Returns the column that says AM or PM of the clocks in another one. Its name may be anything.
  private static func half(
    of records: [CSVTable.Record], besides taken: Set<Int>, among places: Range<Int>
  ) -> Int? {
    places.first { place in
      guard !taken.contains(place) else { return false }
      let values = records.lazy.map { $0[place] }.filter { !$0.isEmpty }
      return !values.isEmpty && values.allSatisfy(WrittenTime.isHalfOfDay)
    }
  }

  /// Returns the unit in the name of a column of weights, or in the lines above the names; nil if
  /// the file does not say it, such as one of openScale since release 3.
  private static func unit(of file: CSVTable, _ headings: [Heading], at place: Int) -> Heading.Unit?
  {
    if let unit = headings[place].unit { return unit }
    // Libra writes “#Units: kg” above the names.
    for heading in file.preamble.lazy.joined().map(Heading.init) where heading.column == .unit {
      if let unit = heading.unit { return unit }
    }
    // blood-pressure-monitor-fl and openScale before release 3 have kilograms only.
    let isOfKilograms =
      file.columns[place] == "bodyweight"
      || ["dateTime", "biceps"].allSatisfy(file.columns.contains)
    return isOfKilograms ? .kilograms : nil
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

  /// Returns the columns of `places` without which no line is a measurement.
  func missing(in places: [Column: Int]) -> [Column] {
    let hasDate = places[.moment] != nil || places[.date] != nil
    let values: [Column] =
      kind == .weights ? [.value] : places[.pressure] != nil ? [] : [.systolic, .diastolic]
    return (hasDate ? [] : [.date]) + values.filter { places[$0] == nil }
  }

  // MARK: Values

  /// Returns a value; empty if the file has none. Programs write a dash or `null` for a value that
  /// was not measured.
  func value(_ column: Column, of record: CSVTable.Record) -> String {
    guard let place = places[column] else { return "" }
    let value = record[place]
    return value.utf8.count < 8 && Self.nothing.contains(value.lowercased()) ? "" : value
  }

  private static let nothing: Set = ["null", "nil", "none", "n/a", "-", "--", "---", "–", "—"]

  /// Returns a number with the unit behind it; nil for a text that is no number of the column's
  /// unit. A zero is no value, because programs write it for one that was not measured.
  func quantity(_ column: Column, of text: String) -> (number: String, unit: Heading.Unit?)? {
    let number = text.prefix { $0.isNumber || ".,٫-−+".contains($0) }
    let rest = text.dropFirst(number.count).drop(while: \.isWhitespace)
    guard let value = Double(written: String(number)) else { return text.isEmpty ? ("", nil) : nil }
    let unit = Heading.Unit(String(rest))
    guard rest.isEmpty || unit?.isOf(column) == true else { return nil }
    if value == 0 { return ("", unit) }
    // Files write whole numbers as 130.0, too.
    let isWhole = column != .value && value == value.rounded() && abs(value) < 1_000_000
    return (isWhole ? String(Int(value)) : String(number), unit)
  }

  // MARK: Times

  /// Returns the time of a line as it is written.
  func writtenTime(of record: CSVTable.Record) -> String { Self.time(of: record, at: places) }

  private static func time(of record: CSVTable.Record, at places: [Column: Int]) -> String {
    let columns: [Column] =
      places[.moment].map { record[$0].isEmpty } ?? true
      ? [.date, .time, .half] : [.moment, .half]
    let parts = columns.compactMap { places[$0].map { record[$0] } }
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns the order of day and month that any line of the file shows; nil if no line does.
  var order: WrittenTime.Order? {
    for time in times { if let order = time?.order { return order } }
    return nil
  }

  /// True if a date of the file can be read in two ways.
  var hasUnorderedDates: Bool { order == nil && times.contains { $0?.isUnordered == true } }

  /// Returns the time of the line at an index. Throws ``Refusal/invalid(_:_:)`` with the text that
  /// was not understood.
  func time(at index: Int, in zone: Zone, _ order: WrittenTime.Order) throws -> ZonedTime {
    let record = records[index]
    let written = writtenTime(of: record)
    guard let time = times[index] else {
      throw Refusal.invalid(
        "measured_at",
        written.isEmpty ? "import.no-time" : Self.unread("import.unread-time", written))
    }
    let offset = try place(.offset, of: record)
    let own = try place(.zone, of: record) ?? .zone(zone)
    let isInUTC = offset != nil || self.isInUTC
    guard let time = time.time(in: isInUTC ? .utc : own, order) else {
      throw Refusal.invalid("measured_at", Self.unread("import.no-such-time", written))
    }
    return isInUTC ? (offset ?? own).time(time.instant) : time
  }

  /// True if the name of the time's column says that the times are in UTC.
  private var isInUTC: Bool {
    [Column.moment, .date, .time].contains { places[$0].map { headings[$0].unit == .utc } ?? false }
  }

  private func place(_ column: Column, of record: CSVTable.Record) throws -> WrittenTime.Place? {
    let text = value(column, of: record)
    if text.isEmpty { return nil }
    guard let place = WrittenTime.Place(text) else {
      throw Refusal.invalid("measured_at", Self.unread("import.unread-time", text))
    }
    return place
  }

  /// Returns a sentence about a text of the file, of which it shows the beginning.
  static func unread(_ key: String, _ text: String) -> Text {
    Text(key, ["text": beginning(of: text)])
  }

  static func beginning(of text: String) -> String {
    text.unicodeScalars.count <= 60
      ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(59))) + "…"
  }
}

extension MetricsKind {
  /// The columns that a user can choose if their names are not known.
  var columnsToChoose: [Heading.Column] {
    [.date, .time] + (self == .weights ? [.value] : [.systolic, .diastolic, .pulse]) + [.note]
  }

  /// The columns that are imported.
  var columns: Set<Heading.Column> {
    let own: Set<Heading.Column> =
      self == .weights ? [.value, .unit] : [.systolic, .diastolic, .pressure, .pulse, .arm]
    return own.union([.moment, .date, .time, .zone, .offset, .note, .person])
  }
}
