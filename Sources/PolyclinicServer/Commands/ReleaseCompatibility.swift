import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault

extension LocalInstallation {
  /// Throws the reason if this release cannot serve from the present configuration, key and schema,
  /// even if a later release has changed them. Changes nothing.
  ///
  /// Throws ``UnansweredCheck`` if all but the schema is right, and the database does not answer.
  func requireCompatibility() throws {
    try requireAssets()
    let migrations = try builder().installation().migrations
    let (database, ring) = try openForCheck()
    defer { database.close() }
    let pending: [Migrator.Step]
    do { pending = try Migrator(database, migrations).pending() } catch let error as MigrationError
    {
      throw Command.Failure("The schema is not this release's: \(error).")
    }
    _ = try database.read { try Vault.open(ring: ring, on: $0) }
    // Pending migrations belong to this release, so they cannot break it.
    guard pending.isEmpty else { return }
    let breaches = try Self.breaches(of: migrations, in: database)
    guard breaches.isEmpty else {
      throw Command.Failure(
        "A later release has changed what this one needs: \(breaches.joined(separator: "; ")).")
    }
  }

  private func openForCheck() throws -> (any StoredDatabase, KeyRing) {
    do { return try open() } catch let error as DatabaseError {
      throw UnansweredCheck(error)
    } catch let error as FirstKeyError {
      guard case .databaseMissing = error else { throw error }
      _ = try KeyRing.load(at: configuration.vault.keyFile)
      throw UnansweredCheck(error)
    }
  }

  /// Returns the differences between the schema that these migrations create and that of a database,
  /// of those with which their release cannot live; a sentence each. Throws `DatabaseError`.
  static func breaches(
    of migrations: [(module: String, migrations: [Migration])], in database: any StoredDatabase
  ) throws -> [String] {
    switch database.dialect {
    case .sqlite:
      let schema = try withEmptyDatabase(migrations) { try Schema(on: $1) }
      return schema.breaches(after: try database.read { try Schema(on: $0) })
    case .postgresql:
      let tables = try withEmptyDatabase(migrations) { try $0.tables(on: $1) }
      return try TableBreaches(from: tables, to: database).all
    }
  }

  /// Reads a SQLite database that these migrations have created.
  private static func withEmptyDatabase<Value>(
    _ migrations: [(module: String, migrations: [Migration])],
    _ body: (SQLiteDatabase, Connection) throws -> Value
  ) throws -> Value {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "polyclinic-schema-\(UUID().uuidString)").path()
    try OpenFile.make(directory: directory)
    do {
      let database = try SQLiteDatabase.create(FilePath.join(directory, "schema"))
      defer { database.close() }
      try Migrator(database, migrations).migrate(at: .current)
      let value = try database.read { try body(database, $0) }
      database.close()
      try FileManager.default.removeItem(atPath: directory)
      return value
    } catch {
      try FileManager.default.removeItem(atPath: directory)
      throw error
    }
  }
}
