import PolyclinicCore
import PolyclinicFormats

extension ClinicImport {
  static let command = Command(
    "import-clinics", "Read clinics and their departments from a CSV file.",
    .argument("file", "A CSV file of clinics; docs/data.md lists the columns.", as: .file),
    .flag("dry-run", "Say what would change, and change nothing."),
    run: run)

  /// Imports the whole file in one transaction, or nothing if any line is invalid.
  private static func run(_ portal: Portal, _ call: Command.Call) throws -> [String] {
    let table: CSVTable
    do { table = try CSVTable(call.file("file") ?? []) } catch {
      throw Command.Failure("Nothing was imported: \(error).")
    }
    if call.has("dry-run") {
      let clinics = try portal.read { try validated(table, portal, in: $0) }
      return clinics.report + ["This was a dry run: nothing was stored."]
    }
    let clinics = try portal.write { work in
      let clinics = try validated(table, portal, in: work)
      try clinics.store(in: work)
      return clinics
    }
    return clinics.report
  }

  /// Parses the table. Throws a ``Command/Failure`` that lists all errors if there are any.
  private static func validated(
    _ table: CSVTable, _ portal: Portal, in work: Work
  ) throws -> ClinicImport {
    let clinics = try ClinicImport(table, in: work)
    if clinics.problems.isEmpty { return clinics }
    let lines = clinics.problems.map { wrong in
      "line \(wrong.line): \(wrong.problem.field): \(portal.string(wrong.problem.text, in: .english))"
    }
    throw Command.Failure((["Nothing was imported:"] + lines).joined(separator: "\n"))
  }

  private var report: [String] {
    let new = entries.count { $0.stored == nil }
    let changed = entries.count { $0.stored != nil && $0.isChanged }
    let departments = entries.reduce(0) { $0 + $1.newDepartments.count }
    return [
      "Clinics: \(new) new, \(changed) changed, \(entries.count - new - changed) as they were.",
      "Departments: \(departments) new.",
    ]
  }
}
