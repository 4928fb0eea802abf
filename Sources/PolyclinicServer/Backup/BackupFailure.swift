import PolyclinicCore
import PolyclinicSystem
import PolyclinicVault

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
