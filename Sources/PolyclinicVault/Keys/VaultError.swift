/// The reason why the vault cannot be opened. Each description names the remedy.
package enum VaultError: Error, Equatable, CustomStringConvertible {
  /// A value was wrapped with a master key that the key file does not contain.
  case unknownMasterKey(KeyRing.ID, path: String)
  /// The key file contains a different key with the same id.
  case wrongMasterKey(KeyRing.ID, path: String)
  /// The database contains no installation, or an incomplete one.
  case notEstablished
  /// The lookup key cannot be unwrapped, although the master key is correct.
  case damaged

  package var description: String {
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
