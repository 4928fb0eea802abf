import FoundationEssentials
import PolyclinicCore
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

/// A description of the copied state: schema and row counts. A restore checks the database against
/// it.
package struct BackupManifest: Codable, Equatable, Sendable {
  /// The start of the copy, in Unix seconds.
  package var time: Int64
  /// The id of the master key that the backup was sealed with.
  package var key: String
  /// The applied migrations, oldest first.
  package var migrations: [Step]
  /// The number of rows of each table. The count of `erasures` is the number of people erased by
  /// then.
  package var rows: [String: Int]
  /// The tables, in the order of their rows in the backup.
  var tables: [Table]
  /// The highest number that was assigned in each table with an identity.
  var lastIDs: [String: Int64]

  package struct Step: Codable, Equatable, Sendable, CustomStringConvertible {
    var module: String
    var name: String
    /// The digest of the migration's text, in hexadecimal.
    var digest: String

    package var description: String { "\(module) \(name)" }
  }

  struct Table: Codable, Equatable, Sendable {
    var name: String
    var columns: [StoredTable.Column]
  }

  /// Describes the database as the connection sees it, with its tables in the order of the backup.
  init(
    at time: Instant, key: KeyRing.ID, _ tables: [StoredTable], of database: any StoredDatabase,
    on connection: Connection
  ) throws {
    self.time = time.seconds
    self.key = key.description
    migrations = try Migrator.applied(on: connection).map {
      Step(module: $0.module, name: $0.name, digest: $0.digest.hexadecimalText)
    }
    rows = try database.rowCounts(on: connection)
    self.tables = tables.map { Table(name: $0.name, columns: $0.columns) }
    lastIDs = try database.lastIdentities(on: connection)
  }

  /// The applied migrations.
  var applied: [Migrator.Applied] {
    migrations.map { step in
      let digest = [UInt8].reading(hexadecimalText: Array(step.digest.utf8)) ?? []
      return Migrator.Applied(module: step.module, name: step.name, digest: digest)
    }
  }

  /// Returns the applied migrations that this release does not know, because a newer release made
  /// the backup, or one with other modules.
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
