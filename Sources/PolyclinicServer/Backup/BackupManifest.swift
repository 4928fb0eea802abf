import FoundationEssentials
import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// A description of the copied state: schema and row counts. A restore checks the database against
/// it.
package struct BackupManifest: Codable, Equatable, Sendable {
  /// The start of the copy, in Unix seconds.
  package var time: Int64
  /// The id of the master key that the backup was sealed with.
  package var key: String
  /// The length of the database in bytes.
  var databaseLength: Int
  /// The applied migrations, oldest first.
  package var migrations: [Step]
  /// The number of rows of each table. The count of `erasures` is the number of people erased by
  /// then.
  package var rows: [String: Int]

  package struct Step: Codable, Equatable, Sendable {
    var module: String
    var name: String
    /// The digest of the migration's text, in hexadecimal.
    var digest: String
  }

  /// Describes the database as the connection sees it.
  package init(
    at time: Instant, key: KeyRing.ID, databaseLength: Int, on connection: Connection
  ) throws {
    self.time = time.seconds
    self.key = key.description
    self.databaseLength = databaseLength
    migrations = try connection.rows(
      "SELECT module, name, digest FROM migrations ORDER BY applied_at, rowid"
    ) {
      Step(module: $0.string(0), name: $0.string(1), digest: $0.bytes(2).hexadecimalText)
    }
    rows = try Self.rowCounts(on: connection)
  }

  /// Returns the number of rows of each table.
  package static func rowCounts(on connection: Connection) throws -> [String: Int] {
    let names = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ) { $0.string(0) }
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        // The name comes from the schema, not from user input.
        ($0, try connection.integer(SQL(countingRowsOf: $0)) ?? 0)
      })
  }

  /// Returns the applied migrations that this release does not know, because a newer release made
  /// the backup.
  func steps(unknownTo installation: Installation) -> [Step] {
    let known = Set(
      installation.migrations.flatMap { module, migrations in
        migrations.map { "\(module) \($0.name)" }
      })
    return migrations.filter { !known.contains("\($0.module) \($0.name)") }
  }

  package func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }

  package init(_ bytes: Data) throws {
    self = try JSONDecoder().decode(BackupManifest.self, from: bytes)
  }
}
