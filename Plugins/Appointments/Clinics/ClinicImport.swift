import PolyclinicCore

/// Clinics as a file describes them, one a line, against those that are stored.
///
/// A clinic is found again by its `key`. A column that the file lacks says nothing: a stored clinic keeps
/// what it has. Departments are added, and never closed: whoever closed one by hand meant it.
struct ClinicImport: Sendable {
  private(set) var entries: [Entry] = []
  /// What is wrong, by line; with a single problem nothing is to be stored.
  private(set) var problems: [LineProblem] = []

  /// What a line asks for.
  struct Entry: Sendable {
    let key: String
    let draft: ClinicDraft
    /// The clinic that has the key; nil for a new one.
    let stored: ID<Clinic>?
    let isChanged: Bool
    let newDepartments: [Specialization]
  }

  /// What is wrong with a value, and where it stands.
  struct LineProblem: Sendable, Equatable {
    let line: Int
    let problem: Problem
  }

  /// Takes the lines apart by the rules of the clinic's form; nothing is stored.
  init(_ table: CSVTable, on connection: Connection) throws {
    for column in table.columns where !Self.columns.contains(column) {
      note(1, column, "admin.import.unknown-column")
    }
    guard table.columns.contains("key") else {
      note(1, "key", "admin.import.no-key")
      return
    }
    let stored = try Self.stored(on: connection)
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
      try take(record, of: table, over: stored[key], on: connection)
    }
  }

  private static let keyLimit = 64
  private static let flags: Set = ["pediatric", "hospital"]
  private static let columns: Set<String> = Set(
    ClinicDraft.form.fields(of: everything).pairs.map(\.name)
  ).union(besides)
  /// The columns that are no fields of the form.
  private static let besides: Set = ["key", "specializations"]

  /// A draft whose ticks are set: without them, the fields of its boxes are not sent.
  private static var everything: ClinicDraft {
    var draft = ClinicDraft()
    draft.isPediatric = true
    draft.isHospital = true
    return draft
  }

  private mutating func note(_ line: Int, _ column: String, _ text: Text) {
    problems.append(LineProblem(line: line, problem: Problem(column, text)))
  }
}

extension ClinicImport {
  private mutating func take(
    _ record: CSVTable.Record, of table: CSVTable, over stored: Clinic?, on connection: Connection
  ) throws {
    let before = stored.map(ClinicDraft.init)
    let count = problems.count
    let values = values(of: record, table.columns, over: before ?? ClinicDraft())
    let departments = specializations(of: record)
    let (draft, wrong) = try ClinicDraft.form.draft(from: values)
    for problem in wrong { note(record.line, problem.field, problem.text) }
    guard problems.count == count else { return }
    let there = try stored.map {
      Set(try Department.all(of: $0.id, on: connection).map(\.specialization))
    }
    entries.append(
      Entry(
        key: record["key"], draft: draft, stored: stored?.id, isChanged: draft != before,
        newDepartments: departments.filter { there?.contains($0) != true }))
  }

  /// As the form would send them.
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

  private static func stored(on connection: Connection) throws -> [String: Clinic] {
    let keys = try connection.rows(
      "SELECT import_key, id_clinic FROM appointments_clinics WHERE import_key IS NOT NULL"
    ) { row -> (String, ID<Clinic>) in (row.string(0), row.id(1)) }
    var clinics: [String: Clinic] = [:]
    for (key, id) in keys { clinics[key] = try Clinic.find(id, on: connection) }
    return clinics
  }

  /// Stores everything; to be called in the transaction in which it was read, without problems.
  func store(at now: Instant, on connection: Connection) throws {
    for entry in entries {
      if let stored = entry.stored, entry.isChanged {
        try entry.draft.update(stored, at: now, on: connection)
      }
      let clinic = try entry.stored ?? entry.draft.insert(key: entry.key, on: connection)
      for specialization in entry.newDepartments {
        _ = try Department.insert(specialization, into: clinic, on: connection)
      }
    }
  }
}
