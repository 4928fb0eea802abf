import PolyclinicCore

/// What is handed out: one file each, whose columns are the fields of the forms.
extension HealthMetricsModule {
  static var fileWords: Catalog {
    Catalog(
      en: [PackageResources.files_en_json], ru: [PackageResources.files_ru_json],
      he: [PackageResources.files_he_json])
  }

  func exportWeights(_ context: Context) throws -> Response {
    let bytes = try context.database.read { try Weight.file(by: context.keys, on: $0) }
    return Self.download(bytes, as: "weights.csv")
  }

  func exportBloodPressure(_ context: Context) throws -> Response {
    let bytes = try context.database.read { try BloodPressure.file(by: context.keys, on: $0) }
    return Self.download(bytes, as: "blood-pressure.csv")
  }

  private static func download(_ bytes: [UInt8], as name: String) -> Response {
    Response(200, .bytes(bytes, type: CSVText.mediaType))
      .adding(.init("Content-Disposition", "attachment; filename=\"\(name)\""))
  }
}

extension Weight {
  /// The columns of its files.
  static let columns = ["measured_at", "value", "unit", "note"]

  /// All weights in the order of time, as comma-separated values.
  @Sendable
  static func file(by keys: Keys, on connection: Connection) throws -> [UInt8] {
    var text = CSVText(columns: columns)
    for weight in try all(by: keys, on: connection) {
      let sent = form.fields(of: weight)
      text.append(columns.map { sent[$0] })
    }
    return text.bytes
  }

  static func all(by keys: Keys, on connection: Connection) throws -> [Weight] {
    try records.all(by: keys, on: connection).map(\.1).sorted {
      ($0.measuredAt?.instant ?? Instant(0)) < ($1.measuredAt?.instant ?? Instant(0))
    }
  }
}

extension BloodPressure {
  /// The columns of its files.
  static let columns = ["measured_at", "systolic", "diastolic", "pulse", "arm", "note"]

  /// All readings in the order of time, as comma-separated values.
  @Sendable
  static func file(by keys: Keys, on connection: Connection) throws -> [UInt8] {
    var text = CSVText(columns: columns)
    for reading in try all(by: keys, on: connection) {
      let sent = form.fields(of: reading)
      text.append(columns.map { sent[$0] })
    }
    return text.bytes
  }

  static func all(by keys: Keys, on connection: Connection) throws -> [BloodPressure] {
    try records.all(by: keys, on: connection).map(\.1).sorted {
      ($0.measuredAt?.instant ?? Instant(0)) < ($1.measuredAt?.instant ?? Instant(0))
    }
  }
}
