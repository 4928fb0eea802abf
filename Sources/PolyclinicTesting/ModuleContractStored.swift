import PolyclinicCore

/// The promises of a module about each table that holds something of a person.
extension ModuleContract {
  /// The rows of each table are in the export, or follow from others, as an index, and are made anew by
  /// `polyclinic check --rebuild`; what is deleted can be taken back, and is purged.
  func storedIsForgotten() throws -> [String] {
    let portal = try TestPortal(module, settings: settings)
    let person = try portal.register()
    let before = try portal.rowCounts()
    try fill(person)
    let keys = try portal.keys(of: person)
    let stored = try Stored(module: module, portal: portal, keys: keys)
    let grown = try ownTables().filter { try portal.count($0) > before[$0] ?? 0 }
    let tables = try stored.tablesOfThePerson(among: grown)
    if tables.isEmpty, try ownTables().contains(where: stored.refersToPeople) {
      return ["`fill` stores nothing of a person"]
    }
    return try tables.filter { !workingTables.contains($0) }.flatMap { table in
      try stored.isKept(table)
        ? stored.isLostWhenDeleted(table)
        : ["the rows of \(table) are missing in the export, or their index in `derived`"]
    }
  }
}

/// The rows of one person, examined by changes that are rolled back.
private struct Stored {
  let module: any Module
  let portal: TestPortal
  let keys: Keys
  private let export: [UInt8]

  init(module: any Module, portal: TestPortal, keys: Keys) throws {
    self.module = module
    self.portal = portal
    self.keys = keys
    export = try portal.database.read { try Self.export(of: module, by: keys, on: $0) }
  }

  private static func export(
    of module: any Module, by keys: Keys, on connection: Connection
  ) throws -> [UInt8] {
    try JSONWriter.bytes { try module.personalData.export(keys, connection, $0) }
  }

  private struct RolledBack<Value: Sendable>: Error { let value: Value }

  /// Returns what `change` finds, and undoes what it did.
  private func trying<Value: Sendable>(_ change: (Connection) throws -> Value) throws -> Value {
    do {
      return try portal.database.write { connection -> Value in
        throw RolledBack(value: try change(connection))
      }
    } catch let end as RolledBack<Value> { return end.value }
  }

  /// Those tables whose rows go when the person does.
  func tablesOfThePerson(among tables: [String]) throws -> [String] {
    try trying { connection in
      let before = try tables.map { try count($0, on: connection) }
      try connection.run("DELETE FROM people WHERE id_person = \(keys.person)")
      return try zip(tables, before).filter { try count($0, on: connection) < $1 }.map(\.0)
    }
  }

  func refersToPeople(_ table: String) throws -> Bool {
    try portal.database.read {
      try $0.integer("SELECT 1 FROM pragma_foreign_key_list(\(table)) WHERE \"table\" = 'people'")
    } != nil
  }

  /// Returns true if the export lacks something when the rows of a table are gone, or they can be made anew.
  func isKept(_ table: String) throws -> Bool {
    try trying { connection in
      let rows = try count(table, on: connection)
      try connection.run("PRAGMA defer_foreign_keys = ON")
      try connection.run("DELETE FROM \(schemaName: table)")
      if fails({ try Self.export(of: module, by: keys, on: connection) == export }) { return true }
      if !fails({ try module.derived.allSatisfy { try $0.isSound(keys, connection) } }) {
        return false
      }
      for derived in module.derived { try derived.rebuild(keys, connection) }
      return try count(table, on: connection) == rows
    }
  }

  /// Returns true if something does not hold, or cannot be read.
  private func fails(_ holds: () throws -> Bool) -> Bool {
    do { return try !holds() } catch { return true }
  }

  /// Returns the broken promises about deletion, for a table that keeps deleted rows for a while as
  /// ``Records`` do.
  func isLostWhenDeleted(_ table: String) throws -> [String] {
    let columns = try portal.database.read {
      try $0.rows("SELECT name FROM pragma_table_info(\(table))") { $0.string(0) }
    }
    guard columns.contains("person"), columns.contains("deleted_at") else { return [] }
    return try trying { connection in
      let kinds = module.trash?.kinds ?? []
      func listed() throws -> Int {
        try kinds.reduce(0) { $0 + (try $1.list(keys, connection).count) }
      }
      let before = try listed()
      let deleted = try connection.run(
        "UPDATE \(schemaName: table) SET deleted_at = 0 WHERE deleted_at IS NULL")
      if try listed() < before + deleted {
        return ["what is deleted of \(table) is not in “Recently deleted”: `trash` lacks it"]
      }
      for kind in kinds { try kind.purgeAll(portal.now, connection) }
      return try count(table, on: connection) == 0
        ? [] : ["what is deleted of \(table) is never purged"]
    }
  }

  private func count(_ table: String, on connection: Connection) throws -> Int {
    try connection.integer(SQL(countingRowsOf: table)) ?? 0
  }
}

extension TestPortal {
  fileprivate func count(_ table: String) throws -> Int { try rowCounts()[table] ?? 0 }
}
