import PolyclinicCore
import PolyclinicFormats
import PolyclinicImports

/// The export of measurements: one file for each kind, with the fields of the form as columns.
extension Measurement {
  static func export(_ context: Context) throws -> Response {
    try context.download(type: CSVText.mediaType, as: "\(kind.rawValue).csv", write)
  }

  /// The same file as a part of the person's data export.
  static var exportFile: ExportFile { ExportFile("\(kind.rawValue).csv", write) }

  /// Writes all measurements as CSV, the oldest first. The index lists the newest first.
  @Sendable
  private static func write(
    in work: Work, to sink: ByteSink
  ) throws {
    var ids: [ID<Self>] = []
    try records.index.forEach(in: work) { ids.append($0.id) }
    var text = CSVText(columns: columns)
    for id in ids.reversed() {
      guard let one = try records.find(id, in: work) else {
        throw DecodingFailure()
      }
      let sent = form.fields(of: one)
      text.append(columns.map { sent[$0] })
      try text.flush(to: sink)
    }
    try text.flush(to: sink)
  }
}
