/// Why the vault stays shut. Each text names the remedy.
enum VaultError: Error, Equatable, CustomStringConvertible {
  /// Something was wrapped by a master key that the key file does not hold.
  case unknownMasterKey(KeyRing.ID, path: String)
  /// The key file holds a key of the right id with another content.
  case wrongMasterKey(KeyRing.ID, path: String)
  /// The database holds no installation, or only a part of one.
  case notEstablished
  /// The installation's lookup key does not open, although the master key is the right one.
  case damaged

  var description: String {
    switch self {
    case .unknownMasterKey(let id, let path):
      "The key file \(path) is not the one this database was made with: it lacks the master key "
        + "\(id). Put back the key file that holds \(id)."
    case .wrongMasterKey(let id, let path):
      "The key file \(path) is not the one this database was made with: its master key \(id) is "
        + "another key of that name. Put the original key file back."
    case .notEstablished:
      "The database holds no installation of the portal. Restore it from a backup, or check that "
        + "the configuration names the right file."
    case .damaged:
      "The installation's record in the database is damaged. Restore the database from a backup."
    }
  }
}
