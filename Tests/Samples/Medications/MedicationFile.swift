import PolyclinicCore
import PolyclinicFormats

extension MedicationsModule {
  func export(_ context: Context) throws -> Response {
    try context.download(
      type: CSVText.mediaType, as: "medications.csv", MedicationFile.write)
  }
}

/// The medications of a person as a table for a spreadsheet.
enum MedicationFile {
  private static let columns = ["name", "dose", "time", "until"]

  static func write(in work: Work, to sink: ByteSink) throws {
    var text = CSVText(columns: columns)
    try Medication.records.forEach(in: work) { _, medication in
      let fields = Medication.form.fields(of: medication)
      text.append(columns.map { fields[$0] })
      try text.flush(to: sink)
    }
    try text.flush(to: sink)
  }
}
