import PolyclinicCore
import PolyclinicStore

/// The rows of a backup on their way into the tables of a new database.
struct RestoredRows {
  private let tables: [BackupManifest.Table]
  private let known: [String: StoredTable]
  private let connection: Connection
  private var rows = BackupRows()
  /// The number of tables whose end was read.
  private var ended = 0
  /// The insertion into the present table; nil if it is left out, or before its first row.
  private var insertion: RowInsertion?

  init(of manifest: BackupManifest, into known: [StoredTable], on connection: Connection) {
    tables = manifest.tables
    self.known = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
    self.connection = connection
  }

  /// Inserts the rows that are complete with these further bytes. Throws ``RestoreError`` and errors
  /// of the database.
  mutating func add(_ piece: ArraySlice<UInt8>) throws {
    rows.receive(piece)
    while ended < tables.count, let element = try next(in: tables[ended]) {
      switch element {
      case .row(let values):
        if insertion == nil { insertion = try self.insertion(into: tables[ended]) }
        try insertion?.add(values)
      case .end:
        try insertion?.finish()
        insertion = nil
        ended += 1
      }
    }
  }

  /// Throws ``RestoreError`` unless all tables have ended with the last byte.
  func finish() throws {
    guard ended == tables.count, rows.isEmpty else {
      throw RestoreError.damaged(problems: ["rows are missing"])
    }
  }

  private mutating func next(in table: BackupManifest.Table) throws -> BackupRows.Element? {
    do { return try rows.next(of: table.columns) } catch is BackupRows.Malformed {
      throw RestoreError.damaged(problems: ["a row of \(table.name) cannot be read"])
    }
  }

  private func insertion(into table: BackupManifest.Table) throws -> RowInsertion? {
    guard let target = known[table.name] else { return nil }
    guard table.columns.allSatisfy(target.columns.contains) else {
      throw RestoreError.columns(table: table.name)
    }
    return RowInsertion(into: table.name, table.columns.map(\.name), on: connection)
  }
}
