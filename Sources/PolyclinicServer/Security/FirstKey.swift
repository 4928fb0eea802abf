import Foundation

/// Whether this start makes a new installation, opens one, or must not go on.
///
/// A key is never made beside an existing database, nor a database beside an existing key: either
/// would pass for the lost one.
enum FirstKey {
  /// Whether there is something at a path.
  enum Presence: Sendable {
    case present
    case absent

    /// What cannot be looked at counts as present: taking it for absent could replace it.
    init(of path: String) {
      var status = stat()
      let isThere = lstat(path, &status) == 0
      self = isThere || (errno != ENOENT && errno != ENOTDIR) ? .present : .absent
    }
  }

  /// What a start does next.
  enum Step: Sendable {
    case create
    case open
  }

  /// Throws ``FirstKeyError`` when only one of the two is there.
  static func step(
    key: Presence, at keyPath: String, database: Presence, at databasePath: String
  ) throws(FirstKeyError) -> Step {
    switch (key, database) {
    case (.absent, .absent): return .create
    case (.present, .present): return .open
    case (.present, .absent): throw .databaseMissing(database: databasePath, key: keyPath)
    case (.absent, .present): throw .keyMissing(key: keyPath, database: databasePath)
    }
  }
}

/// Why a start neither makes nor opens an installation. Each text names the remedy.
enum FirstKeyError: Error, Equatable, CustomStringConvertible {
  case databaseMissing(database: String, key: String)
  case keyMissing(key: String, database: String)

  var description: String {
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
