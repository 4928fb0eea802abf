import PolyclinicCore

/// What is handed out: one file of each kind, whose columns are the fields of the form.
extension Measurement {
  static func export(_ context: Context) throws -> Response {
    let bytes = try context.database.read { try file(by: context.keys, on: $0) }
    return .download(bytes, type: CSVText.mediaType, as: "\(kind.rawValue).csv")
  }

  /// The same file in a person's copy of all data.
  static var exportFile: ExportFile { ExportFile("\(kind.rawValue).csv", file) }

  /// All that were measured, in the order of time, as comma-separated values.
  @Sendable
  private static func file(by keys: Keys, on connection: Connection) throws -> [UInt8] {
    let all = try records.all(by: keys, on: connection).map(\.1).sorted {
      ($0.measuredAt?.instant ?? Instant(0)) < ($1.measuredAt?.instant ?? Instant(0))
    }
    var text = CSVText(columns: columns)
    for one in all {
      let sent = form.fields(of: one)
      text.append(columns.map { sent[$0] })
    }
    return text.bytes
  }
}

extension HealthMetricsModule {
  var intakeRoutes: [Route] {
    Weight.intake(at: "weights/import", options: FileOptions.weights) {
      try Weight.arrivals(in: $0, $1, $2, $3)
    }
      + BloodPressure.intake(at: "blood-pressure/import", options: FileOptions.readings) {
        try BloodPressure.arrivals(in: $0, $1, $2, $3)
      }
  }

  static var fileWords: Catalog {
    Catalog(
      en: [PackageResources.files_en_json], ru: [PackageResources.files_ru_json],
      he: [PackageResources.files_he_json])
  }
}
