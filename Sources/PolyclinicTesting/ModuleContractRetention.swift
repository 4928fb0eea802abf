import PolyclinicCore

/// The promises of a module about records that a clinic keeps by law.
extension ModuleContract {
  /// Records that outlive a person are announced in each language, refer to nobody, hold nothing
  /// sealed, and are deleted when their period ends.
  func retainedNamesSomebody() throws -> [String] {
    guard let retention = module.retention else { return [] }
    let words = try Phrasebook(module.catalog)
    let unsaid = Language.allCases.filter { !words.contains(retention.kept.key, in: $0) }
    let portal = try preparedPortal(retentionYears: [module.id: 1])
    let person = try portal.register()
    let before = try portal.rowCounts()
    try fill(person)
    portal.now = portal.now + .days(30)
    try portal.erase(person)
    let kept = try grown(in: portal, since: before)
    portal.now = portal.now + .days(2 * 366)
    try portal.runJobs()
    return unsaid.map { "catalog: \(retention.kept.key) is missing in “\($0.code)”" }
      + (try kept.filter { try portal.canNameSomebody($0) }.map {
        "table \($0) keeps rows of a person who was erased, and can name that person"
      })
      + (try grown(in: portal, since: before).map {
        "table \($0) keeps rows of a person who was erased for longer than it says"
      })
  }

  private func grown(in portal: TestPortal, since before: [String: Int]) throws -> [String] {
    let now = try portal.rowCounts()
    return try portal.moduleTables().filter { now[$0] ?? 0 > before[$0] ?? 0 }
  }
}

extension TestPortal {
  /// True if a table refers to people or has a column for sealed text.
  fileprivate func canNameSomebody(_ table: String) throws -> Bool {
    let table = try stored(table)
    return table.references.contains { $0.table == "people" }
      || table.columns.contains { $0.type == .bytes }
  }
}
