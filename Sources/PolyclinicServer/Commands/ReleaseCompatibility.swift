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
    let breaches = try Self.schema(of: migrations).breaches(
      after: database.read { try Schema(on: $0) })
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

  /// Returns the schema that these migrations produce, from an empty database.
  private static func schema(
    of migrations: [(module: String, migrations: [Migration])]
  ) throws -> Schema {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "polyclinic-schema-\(UUID().uuidString)").path()
    try OpenFile.make(directory: directory)
    do {
      let database = try SQLiteDatabase.create(FilePath.join(directory, "schema"))
      defer { database.close() }
      try Migrator(database, migrations).migrate(at: .current)
      let schema = try database.read { try Schema(on: $0) }
      database.close()
      try FileManager.default.removeItem(atPath: directory)
      return schema
    } catch {
      try FileManager.default.removeItem(atPath: directory)
      throw error
    }
  }
}
