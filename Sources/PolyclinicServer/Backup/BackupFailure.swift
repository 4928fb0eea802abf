import PolyclinicCore

/// Why something about a backup failed, in words where they are known to quote no data, for log and
/// terminal; of any other error its type alone.
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
