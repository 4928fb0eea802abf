import PolyclinicCore
import PolyclinicStore

/// The contract of a module's tables that hold personal data.
extension ModuleContract {
  /// Each table's rows are exported or rebuildable, and deleted rows can be restored and are
  /// purged.
  ///
  /// Rebuildable rows, such as an index, are derived from others; `polyclinic check --rebuild`
  /// restores them.
  func storedIsForgotten() throws -> [String] {
    let portal = try preparedPortal()
    let person = try portal.register()
    let before = try portal.rowCounts()
    person.mark = Self.word
    try fill(person)
    let keys = try portal.keys(of: person)
    let unwritten = try exportFails(for: keys, in: portal)
    if !unwritten.isEmpty { return unwritten }
    let stored = try Stored(module: module, portal: portal, keys: keys)
    let own = try portal.moduleTables()
    let tables = try stored.tablesOfThePerson(
      among: own.filter { try portal.count($0) > before[$0] ?? 0 })
    if tables.isEmpty, try own.contains(where: stored.refersToPeople) {
      return ["the closure of ModuleContract stores nothing of a person"]
    }
    let forgotten = try tables.filter { !workingTables.contains($0) }.flatMap { table in
      let missing = try stored.missing(of: table, except: workingRows[table] ?? "1 = 0")
      return try missing.isEmpty ? stored.isLostWhenDeleted(table) : missing
    }
    if !forgotten.isEmpty || !workingTables.isDisjoint(with: tables) { return forgotten }
    return person.typed.filter { !stored.exports($0.word) }.map {
      "the export lacks what is typed as “\($0.field)”"
    }
  }
}

/// The rows of one person, examined by changes that are rolled back.
private struct Stored {
  let module: any Module
  let portal: TestPortal
  let keys: Keys
  private let access: Portal
  private var export: [UInt8] = []

  init(module: any Module, portal: TestPortal, keys: Keys) throws {
    self.module = module
    self.portal = portal
    self.keys = keys
    access = try portal.access(of: module.id)
    export = try portal.database.read(copy)
  }

  private func work(on connection: Connection) -> Work {
    Work(keys: keys, at: portal.now, on: connection)
  }

  /// Returns the module's part of the data export: its JSON, and the files of the person.
  private func copy(on connection: Connection) throws -> [UInt8] {
    let (data, work) = (module.personalData, work(on: connection))
    var bytes = try JSON.Writer.bytes { try data.export(work, $0) }
    for file in try data.attachments(work) {
      bytes += Array(file.name.utf8)
      bytes += try ByteSink.bytes { try file.content(access, work, $0) }
    }
    return bytes
  }

  /// Returns true if the export contains the word.
  func exports(_ word: String) -> Bool { String(decoding: export, as: UTF8.self).contains(word) }

  /// Returns the tables whose rows are deleted together with the person.
  func tablesOfThePerson(among tables: [String]) throws -> [String] {
    try portal.rollingBack { connection in
      let before = try tables.map { try count($0, on: connection) }
      try connection.run("DELETE FROM people WHERE id_person = \(keys.person)")
      return try zip(tables, before).filter { try count($0, on: connection) < $1 }.map(\.0)
    }
  }

  func refersToPeople(_ table: String) throws -> Bool {
    try portal.stored(table).references.contains { $0.table == "people" }
  }

  /// Returns the violations about a table's rows and sealed columns that the export passes over.
  ///
  /// `working` selects rows that no export contains.
  func missing(of name: String, except working: SQL) throws -> [String] {
    guard try isKept(name, "1 = 1") else {
      return [
        "the rows of \(name) are missing in the export, or their kind in `records`"
      ]
    }
    let table = try portal.stored(name)
    // The newest ones.
    let rows = try portal.rows(of: keys.person, in: table, where: "NOT (\(working))").suffix(20)
      .map { table.condition(for: $0) }
    guard try rows.allSatisfy({ try isKept(name, $0) }) else {
      return [
        "some rows of \(name) are missing in the export, or in an index of `records`"
      ]
    }
    let sealed = table.columns.filter { $0.type == .bytes && $0.name.hasPrefix("sealed") }
    return try sealed.map(\.name).filter { column in
      try !rows.allSatisfy { try isOpened(column, of: name, where: $0) }
    }.map { "neither the export nor an index of `records` opens \(name).\($0)" }
  }

  /// Returns true if the export lacks something without these rows of a table, or if they can be
  /// rebuilt.
  private func isKept(_ table: String, _ condition: SQL) throws -> Bool {
    try portal.rollingBack { connection in
      let rows = try count(table, on: connection)
      try deferForeignKeys(on: connection)
      try connection.run("DELETE FROM \(schemaName: table) WHERE \(condition)")
      if exportDiffers(on: connection) { return true }
      if isSound(on: connection) { return false }
      for index in module.rebuildableIndexes { try index.rebuild(work(on: connection)) }
      return try count(table, on: connection) == rows
    }
  }

  /// Lets rows refer to deleted ones until the transaction ends, which is rolled back.
  private func deferForeignKeys(on connection: Connection) throws {
    guard portal.database.dialect == .postgresql else {
      try connection.run("PRAGMA defer_foreign_keys = ON")
      return
    }
    let keys = try connection.rows(
      """
      SELECT c.relname, k.conname FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
      WHERE k.contype = 'f' AND k.confdeltype = 'a'
      """
    ) { (table: $0.string(0), name: $0.string(1)) }
    for key in keys {
      try connection.run(
        """
        ALTER TABLE \(schemaName: key.table) ALTER CONSTRAINT \(schemaName: key.name)
        DEFERRABLE INITIALLY DEFERRED
        """)
    }
  }

  /// Returns true if the export or a check of `rebuildableIndexes` notices that a sealed value is
  /// damaged.
  private func isOpened(
    _ column: String, of table: String, where condition: SQL
  ) throws -> Bool {
    try portal.rollingBack { connection in
      let damaged = try connection.runCounting(
        """
        UPDATE \(schemaName: table) SET \(schemaName: column) = \([0] as [UInt8])
        WHERE \(condition) AND \(schemaName: column) IS NOT NULL
        """)
      return damaged == 0 || exportDiffers(on: connection) || !isSound(on: connection)
    }
  }

  private func exportDiffers(on connection: Connection) -> Bool {
    fails { try copy(on: connection) == export }
  }

  private func isSound(on connection: Connection) -> Bool {
    !fails { try module.rebuildableIndexes.allSatisfy { try $0.isSound(work(on: connection)) } }
  }

  /// Returns true if the condition is false or throws.
  private func fails(_ holds: () throws -> Bool) -> Bool {
    do { return try !holds() } catch { return true }
  }

  /// Returns the violations about deletion, for a table that keeps deleted rows for a while as
  /// ``Records`` do.
  func isLostWhenDeleted(_ table: String) throws -> [String] {
    let columns = try portal.stored(table).columns.map(\.name)
    guard columns.contains("person"), columns.contains("deleted_at") else { return [] }
    return try portal.rollingBack { connection in
      let kinds = module.trash?.kinds ?? []
      func listed() throws -> Int {
        try kinds.reduce(0) { $0 + (try $1.list(work(on: connection)).count) }
      }
      let before = try listed()
      let deleted = try connection.runCounting(
        "UPDATE \(schemaName: table) SET deleted_at = 0 WHERE deleted_at IS NULL")
      if try listed() < before + deleted {
        return ["what is deleted of \(table) is not in “Recently deleted”: `records` lacks them"]
      }
      let copied = try copy(on: connection)
      for kind in kinds { try kind.purgeAll(portal.now, work(on: connection)) }
      if try count(table, on: connection) > 0 {
        return ["what is deleted of \(table) is never purged"]
      }
      return try copy(on: connection) == copied
        ? ["the export lacks what is in “Recently deleted” of \(table)"] : []
    }
  }

  private func count(_ table: String, on connection: Connection) throws -> Int {
    try connection.integer(SQL(countingRowsOf: table)) ?? 0
  }
}

extension TestPortal {
  fileprivate func count(_ table: String) throws -> Int { try rowCounts()[table] ?? 0 }
}
