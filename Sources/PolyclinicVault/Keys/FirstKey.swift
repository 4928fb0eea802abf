import Foundation

/// The step of the start-up: to create a new installation or to open an existing one.
///
/// It never creates a key next to an existing database, nor a database next to an existing key. The
/// new one would be mistaken for the lost one.
package enum FirstKey: Sendable {
  case create
  case open

  /// The presence of a file.
  package enum Presence: Sendable {
    case present
    case absent

    /// A path that cannot be inspected counts as present, because creating a file could replace it.
    package init(of path: String) {
      var status = stat()
      let isThere = lstat(path, &status) == 0
      self = isThere || (errno != ENOENT && errno != ENOTDIR) ? .present : .absent
    }
  }

  /// The step that follows from which of key file and database exist. Throws ``FirstKeyError`` if
  /// only one of them does.
  package init(keyFile: String, database: String) throws(FirstKeyError) {
    try self.init(keyFile: keyFile, database: database, Presence(of: database))
  }

  /// As ``init(keyFile:database:)``, for a database that is no file. `database` is its name.
  package init(
    keyFile: String, database: String, _ presence: Presence
  ) throws(FirstKeyError) {
    switch (Presence(of: keyFile), presence) {
    case (.absent, .absent): self = .create
    case (.present, .present): self = .open
    case (.present, .absent): throw .databaseMissing(database: database, key: keyFile)
    case (.absent, .present): throw .keyMissing(key: keyFile, database: database)
    }
  }
}

/// The reason why the installation is neither created nor opened. The description names the remedy.
package enum FirstKeyError: Error, Equatable, CustomStringConvertible {
  case databaseMissing(database: String, key: String)
  case keyMissing(key: String, database: String)

  package var description: String {
    switch self {
    case .databaseMissing(let database, let key):
      "There is a key file (\(key)) but no database (\(database)). Restore the database from a "
        + "backup (polyclinic restore); if this is meant to be a new installation, move the key file away."
    case .keyMissing(let key, let database):
      "There is a database (\(database)) but no key file (\(key)). Put the key file back from where "
        + "its copy is kept safe, or type in its recovery sheet (polyclinic vault restore): it "
        + "cannot be made anew."
    }
  }
}
