import PolyclinicCore
import PolyclinicCryptography
import PolyclinicStore
import PolyclinicWeb

/// Moves all rows of a portal into another database, of any engine.
///
/// 1. The source refuses changes from then on. The portal goes on reading it.
/// 2. Each table is written in a transaction of its own, and read again: a digest of all its rows
///    must be the same in both databases.
/// 3. Only then the target accepts changes. The source stays closed, so that nobody goes on with it.
///
/// A move that was interrupted goes on with the first table that differs.
package struct DatabaseMove {
  let source: any StoredDatabase
  let target: any StoredDatabase
  let installation: Installation
  /// The tables of which the source accepts changes meanwhile.
  var exceptions: Set<String> = []

  /// The tables by which running machines know that the database answers, and who runs the jobs.
  /// None is about a person.
  static let technicalTables: Set<String> = [
    "readiness", "machines", "job_lease", "job_failures",
  ]

  /// The result of a move.
  package struct Outcome: Equatable {
    /// The number of tables and of their rows, in the source as in the target.
    var tables = 0
    var rows = 0
    /// The number of rows that an earlier attempt had moved.
    var found = 0
  }

  /// Moves the rows. Throws ``MoveError`` and errors of either database; the source then accepts
  /// changes again, unless the target is complete.
  func run(at now: Instant) throws -> Outcome {
    let migrator = Migrator(source, installation.migrations)
    guard try migrator.pending().isEmpty else { throw MoveError.migrationsPending }
    let mayReplace = try prepareTarget(at: now)
    try source.refuseWrites(except: exceptions)
    let outcome: Outcome
    do {
      outcome = try source.snapshot { try copy(reading: $0, mayReplace: mayReplace) }
    } catch {
      try source.acceptWrites()
      throw error
    }
    try target.acceptWrites()
    return outcome
  }

  /// Creates the schema, closed for all but the move.
  ///
  /// Returns false if the target may only be compared, because a complete move has opened it. Throws
  /// ``MoveError/targetInUse`` if it holds another portal's rows, or later ones of this one.
  private func prepareTarget(at now: Instant) throws -> Bool {
    if let present = try target.installation() {
      guard try present == source.installation() else { throw MoveError.targetInUse }
      if try target.refusesWrites() { return true }
      guard try source.refusesWrites() else { throw MoveError.targetInUse }
      return false
    }
    try target.acceptWrites()
    try Migrator(target, installation.migrations).migrate(at: now)
    try target.refuseWrites()
    return true
  }

  private func copy(reading: Connection, mayReplace: Bool) throws -> Outcome {
    let tables = StoredTable.inReferenceOrder(try source.tables(on: reading))
    var outcome = Outcome(tables: tables.count)
    var left = tables[...]
    while let table = left.first {
      let content = try TableContent(of: table, on: reading)
      guard try content == self.content(of: table) else { break }
      outcome.rows += content.count
      outcome.found += content.count
      left.removeFirst()
    }
    guard mayReplace || left.isEmpty else { throw MoveError.targetInUse }
    try target.filling { connection in
      for table in left.reversed() { try connection.run("DELETE FROM \(schemaName: table.name)") }
      try target.raiseIdentities(try source.lastIdentities(on: reading), on: connection)
    }
    for table in left { outcome.rows += try copy(table, reading: reading) }
    return outcome
  }

  /// Returns the number of rows.
  private func copy(_ table: StoredTable, reading: Connection) throws -> Int {
    var content = TableContent.Reader(table)
    try target.filling { connection in
      var insertion = RowInsertion(into: table.name, table.columns.map(\.name), on: connection)
      content = TableContent.Reader(table)
      try table.forEachRow(on: reading) { row in
        content.add(row)
        try insertion.add(table.values(of: row))
      }
      try insertion.finish()
    }
    let written = content.finish()
    guard try self.content(of: table) == written else {
      throw MoveError.differs(table: table.name)
    }
    return written.count
  }

  private func content(of table: StoredTable) throws -> TableContent {
    try target.snapshot { connection in
      guard let same = try target.tables(on: connection).first(where: { $0.name == table.name })
      else { throw MoveError.differs(table: table.name) }
      guard same.columns == table.columns, same.key == table.key else {
        throw MoveError.differs(table: table.name)
      }
      return try TableContent(of: same, on: connection)
    }
  }
}

/// The number and the digest of all rows of a table, the same on each engine.
private struct TableContent: Equatable {
  let count: Int
  /// The SHA-256 of the rows, in the order of the primary key and in the form of ``BackupRows``.
  let digest: [UInt8]

  init(of table: StoredTable, on connection: Connection) throws {
    var reader = Reader(table)
    try table.forEachRow(on: connection) { reader.add($0) }
    self = reader.finish()
  }

  private init(count: Int, digest: [UInt8]) {
    self.count = count
    self.digest = digest
  }

  /// Reads the rows of a table one after another.
  struct Reader: ~Copyable {
    private let types: [StoredTable.ValueType]
    private var digest = SHA256()
    private var bytes: [UInt8] = []
    private var count = 0

    init(_ table: StoredTable) { types = table.columns.map(\.type) }

    mutating func add(_ row: Row) {
      bytes.removeAll(keepingCapacity: true)
      BackupRows.append(row, types, to: &bytes)
      digest.update(bytes)
      count += 1
    }

    consuming func finish() -> TableContent {
      let count = count
      return TableContent(count: count, digest: digest.finish())
    }
  }
}

/// A reason for which nothing was moved.
package enum MoveError: Error, Equatable, CustomStringConvertible {
  case migrationsPending
  /// The target holds rows that a move does not replace.
  case targetInUse
  /// A table of the target is not the same as the source's.
  case differs(table: String)

  package var description: String {
    switch self {
    case .migrationsPending:
      "The database's schema is not up to date. Run \"polyclinic migrate\", and then repeat this."
    case .targetInUse:
      "The other database holds a portal's data already. Name an empty one, or remove that data "
        + "first."
    case .differs(let table):
      "The table \(table) of the other database differs from what was written into it. Nobody else may "
        + "write it meanwhile; then repeat this."
    }
  }
}
