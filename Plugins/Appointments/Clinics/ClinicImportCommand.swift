import PolyclinicCore

extension AppointmentsModule {
  var clinicCommands: [Command] {
    [
      Command(
        "import-clinics", "Read clinics and their departments from a CSV file.",
        .argument("file", "A table with a line a clinic; README says its columns.", as: .file),
        .flag("dry-run", "Say what would change, and change nothing."),
        run: ClinicImport.command)
    ]
  }
}

extension ClinicImport {
  /// Takes the whole file in one transaction or, where a line is wrong, nothing of it.
  @Sendable
  fileprivate static func command(_ portal: Portal, _ call: CommandCall) throws -> [String] {
    let table: CSVTable
    do { table = try CSVTable(call.file("file") ?? []) } catch {
      throw CommandFailure("Nothing was imported: \(error).")
    }
    if call.has("dry-run") {
      let clinics = try portal.database.read { try sound(table, portal, on: $0) }
      return clinics.report + ["This was a dry run: nothing was stored."]
    }
    let clinics = try portal.database.write { connection in
      let clinics = try sound(table, portal, on: connection)
      try clinics.store(at: portal.now, on: connection)
      return clinics
    }
    return clinics.report
  }

  /// What the table asks for; throws a ``CommandFailure`` with all that is wrong with it.
  private static func sound(
    _ table: CSVTable, _ portal: Portal, on connection: Connection
  ) throws -> ClinicImport {
    let clinics = try ClinicImport(table, on: connection)
    if clinics.problems.isEmpty { return clinics }
    let lines = clinics.problems.map { wrong in
      "line \(wrong.line): \(wrong.problem.field): \(portal.string(wrong.problem.text, in: .english))"
    }
    throw CommandFailure((["Nothing was imported:"] + lines).joined(separator: "\n"))
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
