import ArgumentParser
import PolyclinicCore
import PolyclinicSystem
import PolyclinicVault

struct BackupCommand: InstallationCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Write an encrypted backup of the database to a new file, while the portal runs.")

  @OptionGroup var options: InstallationOptions
  @Argument(help: "The new file. An existing file is not overwritten.") var file: NewBackupFile

  func run() throws {
    let (database, ring) = try options.localInstallation().open()
    defer { database.close() }
    // Opens the vault first, because a backup sealed with another database's key could never be
    // restored.
    let vault = try database.read { try Vault.open(ring: ring, on: $0) }
    let path = file.path
    let manifest: BackupManifest
    do {
      manifest = try Backup(database: database, vault: vault).write(to: path, at: .current)
    } catch let error as DatabaseError {
      throw Command.Failure("No backup was made: \(error.detail).")
    }
    print("\(path): \(manifest.summary), sealed with the master key \(manifest.key).")
  }
}

extension BackupManifest {
  /// A short description of the content.
  var summary: String {
    let people = rows["people"] ?? 0
    return "\(people) \(people == 1 ? "person" : "people"), \(rows.values.reduce(0, +)) rows in "
      + "\(rows.count) tables, as of \(LocalDateTime(Instant(time), in: .utc)) UTC"
  }
}
