import PolyclinicCore
import PolyclinicServing
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault

/// All that depends on the engine of the configured database.
extension Configuration.Database {
  /// The address, as `database.url` has it.
  var url: String {
    switch self {
    case .sqlite(let path): "sqlite:" + path
    case .postgresql(let address): address.url
    }
  }

  /// The file with the password; nil if there is none.
  var passwordFile: String? {
    switch self {
    case .sqlite: nil
    case .postgresql(let address): address.passwordFile
    }
  }

  /// The hosts that may run the server; empty for a file.
  var hosts: [PostgreSQLAddress.Host] {
    switch self {
    case .sqlite: []
    case .postgresql(let address): address.hosts
    }
  }

  /// The name for a terminal.
  var name: String {
    switch self {
    case .sqlite(let path): path
    case .postgresql(let address): "\(address)"
    }
  }

  /// The database's file; nil if a server keeps the database.
  var file: String? {
    switch self {
    case .sqlite(let path): path
    case .postgresql: nil
    }
  }

  /// The directory of the database's file; nil if a server keeps the database.
  var directory: String? { file.map(FilePath.directory) }

  /// Opens the database, and never creates one. Throws `DatabaseError`.
  ///
  /// The thread of a request waits for a server only as long as its response may take.
  func open(observer: (any DatabaseObserver)? = nil) throws -> any StoredDatabase {
    switch self {
    case .sqlite(let path): try SQLiteDatabase.open(path, observer: observer)
    case .postgresql(let address):
      try PostgreSQLDatabase.open(
        address, timeLeft: { CurrentRequest.timeLeft ?? PostgreSQLDatabase.standardLimit() },
        observer: observer)
    }
  }

  /// Opens the database, or makes an empty one: a file, or the first table in an empty database of a
  /// server. Throws `DatabaseError`.
  func openOrCreate() throws -> any StoredDatabase {
    switch self {
    case .sqlite(let path):
      FilePath.exists(path) ? try SQLiteDatabase.open(path) : try SQLiteDatabase.create(path)
    case .postgresql(let address): try FirstServerDatabase.prepared(at: address)
    }
  }

  /// Returns the step of the start-up. Throws ``FirstKeyError`` if only one of key and database
  /// exists.
  func firstKey(keyFile: String) throws -> FirstKey {
    switch self {
    case .sqlite(let path): try FirstKey(keyFile: keyFile, database: path)
    case .postgresql(let address):
      try FirstKey(
        keyFile: keyFile, database: name,
        FirstServerDatabase.presence(at: address))
    }
  }

  /// Returns the creation of the database together with its key.
  func creation(keyFile: String) -> any DatabaseCreation {
    switch self {
    case .sqlite(let path): FirstDatabase(path: path, keyPath: keyFile)
    case .postgresql(let address): FirstServerDatabase(address: address, keyPath: keyFile)
    }
  }
}

extension LocalInstallation {
  /// Returns the restore of the whole database.
  func restore(_ backup: String, _ manner: Restore.Manner) throws -> Restore {
    let installation = try builder().installation()
    let place: any RestorePlace =
      switch configuration.database {
      case .sqlite(let path): FileRestorePlace(path: path, copies: files.copies)
      case .postgresql(let address):
        ServerRestorePlace(address: address, installation: installation)
      }
    return Restore(
      place: place, files: files, keyFile: configuration.vault.keyFile, installation: installation,
      backupPath: backup, manner: manner)
  }
}
