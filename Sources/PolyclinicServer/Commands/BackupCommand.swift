import ArgumentParser
import PolyclinicCore

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Write an encrypted backup of the database to a new file, while the portal runs.")

  @OptionGroup var options: PlaceOptions
  @Argument(help: "The file to make; one that is there is not overwritten.") var file: String

  func run() throws {
    let (database, ring) = try options.place().open()
    defer { database.close() }
    // A key file of another database would seal what nobody could restore.
    let vault = try database.read { try Vault.open(ring: ring, on: $0) }
    let path = FilePath.absolute(file)
    let manifest: BackupManifest
    do {
      manifest = try Backup(database: database, vault: vault).write(to: path, at: .current)
    } catch let error as DatabaseError {
      throw CommandFailure("No backup was made: \(error.detail).")
    }
    print("\(path): \(manifest.summary), sealed with the master key \(manifest.key).")
  }
}

extension BackupManifest {
  /// What is in it, in a few words.
  var summary: String {
    let people = rows["people"] ?? 0
    return "\(people) \(people == 1 ? "person" : "people"), \(rows.values.reduce(0, +)) rows in "
      + "\(rows.count) tables, as of \(LocalDateTime(Instant(time), in: .utc)) UTC"
  }
}
