import FoundationEssentials
import PolyclinicCore

/// What a backup holds, counted in the state that was copied: a restore is held to it.
struct BackupManifest: Codable, Equatable, Sendable {
  /// When the copy was begun, in Unix seconds.
  var time: Int64
  /// The id of the master key that the backup was sealed with.
  var key: String
  /// How many bytes of the content are the database.
  var databaseLength: Int
  /// The schema's history, oldest first.
  var migrations: [Step]
  /// How many rows each table has; that of `erasures` tells how many people were erased by then.
  var rows: [String: Int]

  struct Step: Codable, Equatable, Sendable {
    var module: String
    var name: String
    /// The digest of the migration's text, in hexadecimal digits.
    var digest: String
  }

  /// Describes the state that the connection sees.
  init(
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

  /// How many rows each table has.
  static func rowCounts(on connection: Connection) throws -> [String: Int] {
    let names = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ) { $0.string(0) }
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        // A name from the schema itself: nothing that anybody typed.
        ($0, try connection.integer(SQL(countingRowsOf: $0)) ?? 0)
      })
  }

  /// Migrations that had run and that this release does not know: those of a newer one.
  func steps(unknownTo installation: Installation) -> [Step] {
    let known = Set(
      installation.migrations.flatMap { module, migrations in
        migrations.map { "\(module) \($0.name)" }
      })
    return migrations.filter { !known.contains("\($0.module) \($0.name)") }
  }

  func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }

  init(_ bytes: Data) throws {
    self = try JSONDecoder().decode(BackupManifest.self, from: bytes)
  }
}
