import PolyclinicCore

/// What is handed out: one file of each kind, whose columns are the fields of the form.
extension Measurement {
  static func export(_ context: Context) throws -> Response {
    try context.download(type: CSVText.mediaType, as: "\(kind.rawValue).csv", write)
  }

  /// The same file in a person's copy of all data.
  static var exportFile: ExportFile { ExportFile("\(kind.rawValue).csv", write) }

  /// Writes all measurements as comma-separated values, the oldest first, which the index lists last.
  @Sendable
  private static func write(
    by keys: Keys, on connection: Connection, to sink: ByteSink
  ) throws {
    var ids: [ID<Self>] = []
    try records.index.forEach(by: keys, on: connection) { ids.append($0.id) }
    var text = CSVText(columns: columns)
    for id in ids.reversed() {
      guard let one = try records.find(id, by: keys, on: connection) else {
        throw DecodingFailure()
      }
      let sent = form.fields(of: one)
      text.append(columns.map { sent[$0] })
      try text.flush(to: sink)
    }
    try text.flush(to: sink)
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
