import PolyclinicCore
import PolyclinicFormats

/// An import of clinics from a CSV table, one clinic a line, compared with the stored clinics.
///
/// - The `key` column identifies a clinic across imports.
/// - A column that the file lacks leaves the stored values as they are.
/// - The import adds departments and closes none. A closed one stays closed, because it was closed
///   on purpose.
struct ClinicImport: Sendable {
  private(set) var entries: [Entry] = []
  /// The errors by line. If there is any, the import must not be stored.
  private(set) var problems: [LineProblem] = []

  /// The content of one line.
  struct Entry: Sendable {
    let key: String
    let draft: ClinicDraft
    /// The stored clinic with this key; nil for a new clinic.
    let stored: ID<Clinic>?
    let isChanged: Bool
    let newDepartments: [Specialization]
  }

  /// An error and the line of the file that contains it.
  struct LineProblem: Sendable, Equatable {
    let line: Int
    let problem: Fields.Problem
  }

  /// Parses the table by the rules of the clinic form. Stores nothing.
  init(_ table: CSVTable, in work: Work) throws {
    for column in table.columns where !Self.columns.contains(column) {
      note(1, column, "admin.import.unknown-column")
    }
    guard table.columns.contains("key") else {
      note(1, "key", "admin.import.no-key")
      return
    }
    let stored = try Self.stored(in: work)
    var seen: Set<String> = []
    for record in table.records {
      let key = record["key"]
      guard !key.isEmpty, key.unicodeScalars.count <= Self.keyLimit else {
        note(record.line, "key", Text("admin.import.key", ["limit": String(Self.keyLimit)]))
        continue
      }
      guard seen.insert(key).inserted else {
        note(record.line, "key", "admin.import.key-twice")
        continue
      }
      try take(record, of: table, over: stored[key], in: work)
    }
  }

  private static let keyLimit = 64
  private static let flags: Set = ["pediatric", "hospital", "step_free"]
  private static let columns: Set<String> = Set(
    ClinicDraft.form.fields(of: everything).pairs.map(\.name)
  ).union(besides)
  /// The columns that are not fields of the form.
  private static let besides: Set = ["key", "specializations"]

  /// A draft with all checkboxes ticked, because a form has no field for an unticked box.
  private static var everything: ClinicDraft {
    var draft = ClinicDraft()
    draft.isPediatric = true
    draft.isHospital = true
    draft.isStepFree = true
    return draft
  }

  private mutating func note(_ line: Int, _ column: String, _ text: Text) {
    problems.append(LineProblem(line: line, problem: Fields.Problem(column, text)))
  }
}

extension ClinicImport {
  private mutating func take(
    _ record: CSVTable.Record, of table: CSVTable, over stored: Clinic?, in work: Work
  ) throws {
    let before = stored.map(ClinicDraft.init)
    let count = problems.count
    let values = values(of: record, table.columns, over: before ?? ClinicDraft())
    let departments = specializations(of: record)
    let (draft, wrong) = try ClinicDraft.form.draft(from: values)
    for problem in wrong { note(record.line, problem.field, problem.text) }
    guard problems.count == count else { return }
    let there = try stored.map {
      Set(try Department.all(of: $0.id, in: work).map(\.specialization))
    }
    entries.append(
      Entry(
        key: record["key"], draft: draft, stored: stored?.id, isChanged: draft != before,
        newDepartments: departments.filter { there?.contains($0) != true }))
  }

  /// Returns the values of a line as the form would submit them.
  private mutating func values(
    of record: CSVTable.Record, _ columns: [String], over draft: ClinicDraft
  ) -> Fields {
    let given = Set(columns).intersection(Self.columns)
    var values = ClinicDraft.form.fields(of: draft).without(given)
    for column in columns where given.contains(column) && !Self.besides.contains(column) {
      var value = record[column]
      if column == "country" { value = value.uppercased() }
      if Self.flags.contains(column) {
        switch value.lowercased() {
        case "yes", "true", "1": value = "yes"
        case "", "no", "false", "0": continue
        default: note(record.line, column, "admin.import.yes-no")
        }
      }
      values.append(column, value)
    }
    return values
  }

  private mutating func specializations(of record: CSVTable.Record) -> [Specialization] {
    var found: [Specialization] = []
    for word in record["specializations"].split(whereSeparator: { " ,;|\n\t".contains($0) }) {
      guard let specialization = Specialization(rawValue: String(word)) else {
        note(record.line, "specializations", "admin.import.specialization")
        continue
      }
      if !found.contains(specialization) { found.append(specialization) }
    }
    return found
  }

  private static func stored(in work: Work) throws -> [String: Clinic] {
    let keys = try work.rows(
      "SELECT import_key, id_clinic FROM appointments_clinics WHERE import_key IS NOT NULL"
    ) { row -> (String, ID<Clinic>) in (row.string(0), row.id(1)) }
    var clinics: [String: Clinic] = [:]
    for (key, id) in keys { clinics[key] = try Clinic.find(id, in: work) }
    return clinics
  }

  /// Stores all entries. Call it in the transaction that parsed the table, and only if ``problems``
  /// is empty.
  func store(in work: Work) throws {
    for entry in entries {
      if let stored = entry.stored, entry.isChanged {
        try entry.draft.update(stored, in: work)
      }
      let clinic = try entry.stored ?? entry.draft.insert(key: entry.key, in: work)
      for specialization in entry.newDepartments {
        _ = try Department.insert(specialization, into: clinic, in: work)
      }
    }
  }
}

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
