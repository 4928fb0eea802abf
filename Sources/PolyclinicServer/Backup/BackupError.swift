import PolyclinicCore
import PolyclinicSystem
import PolyclinicVault

/// An error while making or reading a backup. Each text names the remedy. Nothing was changed.
enum BackupError: Error, Equatable, CustomStringConvertible {
  case notABackup(path: String)
  case newerFormat(path: String)
  case unknownKey(KeyRing.ID, path: String, ring: String)
  case cutOff(path: String)
  case tooLong(path: String)
  case changed(path: String)
  /// The database is damaged. SQLite's text names pages and tables only.
  case databaseDamaged(problem: String)
  /// The path for a new backup already exists.
  case alreadyThere(path: String)
  /// Another process is writing this backup.
  case underWay(path: String)

  var description: String {
    switch self {
    case .notABackup(let path):
      "\(path) is not a backup of this portal. Name another file."
    case .newerFormat(let path):
      "\(path) was made by a newer release, in a format that this one does not know. Restore it "
        + "with that release."
    case .unknownKey(let id, let path, let ring):
      "\(path) was sealed with the master key \(id), which \(ring) does not hold. Use the key file "
        + "or the recovery sheet (--sheet) that holds \(id)."
    case .cutOff(let path):
      "\(path) is cut off: its end is missing. Copy it again from where it is whole, or use another "
        + "backup."
    case .tooLong(let path):
      "\(path) goes on behind its end: something was added to it. Copy it again from where it is "
        + "whole, or use another backup."
    case .changed(let path):
      "\(path) was changed or damaged since it was made, or sealed with another key of the same id. "
        + "Copy it again from where it is whole, or use another backup."
    case .databaseDamaged(let problem):
      "The database is damaged (\(problem)): a backup of it could not be restored, and no earlier one "
        + "gives way to it. \"polyclinic check\" says what is wrong; restore the last good one with "
        + "--over."
    case .alreadyThere(let path):
      "\(path) is there already and is not overwritten. Name another file."
    case .underWay(let path):
      "Another process is writing \(path). Name another file, or wait until it is complete."
    }
  }
}

/// A description of a backup error for log and terminal. It uses texts that are known to quote no
/// data; for other errors it gives only the type.
struct BackupFailure: CustomStringConvertible {
  let description: String

  init(_ error: any Error) {
    description =
      switch error {
      case let error as SystemError: error.description
      case let error as BackupError: error.description
      case let error as VaultError: error.description
      case let error as DatabaseError: error.detail
      default: "\(type(of: error))"
      }
  }
}
