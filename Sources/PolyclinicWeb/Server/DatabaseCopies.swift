import Glibc
import PolyclinicCore
import PolyclinicStore
import PolyclinicSystem

/// The files beside the database that hold another state of it: drafts and former databases.
package struct DatabaseCopies: Sendable {
  /// The path of the database.
  package let database: String

  package init(beside database: String) { self.database = database }

  /// A backup's database that a command prepares. The command holds the file's lock until it ends,
  /// so that a draft without a lock was left by a killed one.
  package enum Draft: String, CaseIterable, Sendable {
    /// The next database.
    case restore = ".restored"
    /// The source of one person's records.
    case person = ".looked-into"
  }

  /// The former databases that cannot be changed, each with the reason.
  package struct Unreached: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  package func path(of draft: Draft) -> String { database + draft.rawValue }

  /// Returns the name under which a restore at this time keeps the former database.
  package func formerPath(at now: Instant) -> String { database + Self.former + now.basicText }

  private static let former = ".replaced-"

  /// Creates the file of a draft, locked, and for the owner of its directory. Removes an abandoned
  /// one first.
  package func create(_ draft: Draft) throws(SystemError) -> OpenFile {
    let path = path(of: draft)
    try removeAbandoned(draft)
    let file = try OpenFile.draft(path)
    // Before it has any content, so that the portal can remove what a killed command of root
    // leaves.
    try file.give(toOwnerOf: FilePath.directory(of: path))
    return file
  }

  /// Removes a draft of this process. The file goes last, because it stands for all of them.
  package func remove(_ draft: Draft) throws(SystemError) {
    let path = path(of: draft)
    for name in SQLiteDatabase.companions.map({ path + $0 }) + [path] {
      guard unlink(name) == 0 || errno == ENOENT else { throw SystemError("unlink", on: name) }
    }
  }

  /// Removes the drafts that killed commands have left.
  package func removeAbandonedDrafts() throws(SystemError) {
    for draft in Draft.allCases { try removeAbandoned(draft) }
  }

  private func removeAbandoned(_ draft: Draft) throws(SystemError) {
    let path = path(of: draft)
    guard FilePath.exists(path) else { return try remove(draft) }
    try OpenFile.whileAbandoned(path) { () throws(SystemError) in try remove(draft) }
  }

  /// Returns the paths of the drafts that exist. They belong to running commands, or were left by
  /// killed ones since the last start or erasure.
  package func drafts() -> [String] { Draft.allCases.map(path(of:)).filter(FilePath.exists) }

  /// Returns the sentence about a draft, for a terminal.
  package static func sentence(ofDraft file: String) -> String {
    "A restore is running or was stopped: \(file) holds people's data. The next start or erasure "
      + "removes it unless the restore still runs"
  }

  /// Returns the paths of the former databases, the oldest first, and of logs that have lost
  /// theirs.
  package func former() throws(SystemError) -> [String] {
    let directory = FilePath.directory(of: database)
    guard FilePath.exists(directory) else { return [] }
    let start = FilePath.name(of: database) + Self.former
    let names = try OpenFile(directory, O_RDONLY | O_DIRECTORY).entries()
      .filter { $0.hasPrefix(start) }.sorted()
    return names.filter { name in
      guard let suffix = SQLiteDatabase.companions.first(where: name.hasSuffix) else { return true }
      return suffix == "-wal" && !names.contains(String(name.dropLast(suffix.count)))
    }.map { FilePath.join(directory, $0) }
  }

  /// Returns the sentence about a former database, for a terminal.
  package static func sentence(of file: String) -> String {
    "A former database is kept since a restore: \(file). Delete it once you no longer need it"
  }

  /// Runs `body` in a write transaction of each former database, and removes what deleted rows
  /// leave.
  ///
  /// Throws ``Unreached`` for those that cannot be changed, and for those whose schema is none of
  /// these migrations.
  package func changeFormer(
    of migrations: [(module: String, migrations: [Migration])],
    _ body: (Connection) throws -> Void
  ) throws {
    let failures = try former().compactMap { path -> String? in
      do {
        let database = try SQLiteDatabase.open(path)
        defer { database.close() }
        _ = try Migrator(database, migrations).pending()
        try database.write(body)
        try database.removeDeletedBytes()
        return nil
      } catch let error as DatabaseError {
        return "\(path): \(error.detail)"
      } catch let error as MigrationError {
        return "\(path): \(error)"
      }
    }
    if !failures.isEmpty { throw Unreached(description: failures.joined(separator: "; ")) }
  }
}
