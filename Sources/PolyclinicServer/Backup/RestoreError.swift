import PolyclinicCore

/// An error that prevents a genuine backup from becoming the database. Nothing was put in place.
enum RestoreError: Error, Equatable, CustomStringConvertible {
  case databaseThere(path: String)
  /// A server's database, which a restore does not replace.
  case serverDatabaseThere(name: String)
  case running(pid: Int32?)
  /// Another program has the database open that would be replaced.
  case inUse(path: String)
  case keyMissing(path: String)
  /// The key file lacks a key of the sheet.
  case otherKeys(path: String)
  /// Migrations that this program does not have.
  case unknownMigrations([String])
  /// A column of this table is not in the schema that the migrations make.
  case columns(table: String)
  case damaged(problems: [String])
  case counts(table: String, expected: Int, found: Int)
  case sealedDataDoesNotOpen

  var description: String {
    switch self {
    case .databaseThere(let path):
      "There is a database already (\(path)). To put the backup in its place, which keeps the old one "
        + "under another name: --over."
    case .serverDatabaseThere(let name):
      "There is a database already (\(name)), and a restore replaces none on a server, where nothing "
        + "would keep the old one. Create another, empty one, name it in the configuration "
        + "(database.url), and run the same command again without --over."
    case .running(let pid):
      "The portal runs\(pid.map { " (process \($0))" } ?? ""). Stop it first: systemctl stop "
        + "polyclinic, or Ctrl-C where \"polyclinic run\" or \"serve\" runs."
    case .inUse(let path):
      "Another program has \(path) open. End it (fuser -v \(path) names it), and run the same command "
        + "again."
    case .keyMissing(let path):
      "There is no key file (\(path)). Put it back from where its copy is kept safe, or type in the "
        + "recovery sheet and name it with --sheet."
    case .otherKeys(let path):
      "The key file \(path) lacks a key of the recovery sheet. Move it away, if it belongs to no "
        + "database that is still needed, and run the same command again."
    case .unknownMigrations(let steps):
      "The backup was made by a newer release, or by one with other modules: this one does not know "
        + "\(steps.joined(separator: ", ")). Restore it with that release."
    case .columns(let table):
      "The table \(table) of the backup has columns that no migration makes: the schema was changed by "
        + "something else than the portal. Use another backup."
    case .damaged(let problems):
      "The database in the backup is damaged: \(problems.prefix(5).joined(separator: "; ")). Use "
        + "another backup."
    case .counts(let table, let expected, let found):
      "The table \(table) of the restored database has \(found) rows, and had \(expected) when the "
        + "backup was made. Use another backup."
    case .sealedDataDoesNotOpen:
      "What is sealed in the backup's database does not open with the key. Use another backup."
    }
  }
}
