import PolyclinicCore
import PolyclinicVault

/// An error that prevents restoring a person's records. Each text names the remedy. Nothing was
/// changed.
enum PersonRestoreError: Error, Equatable, CustomStringConvertible {
  case unknownLogin
  /// The person now has another login.
  case renamed(ID<Person>)
  case erased
  case notInBackup(at: Instant)
  case anotherPortal(path: String)
  case unknownKey(KeyRing.ID, path: String, ring: String)
  /// A migration of the backup is unknown to this release.
  case newerRelease(migration: String)
  case notMigrated
  /// A list would exceed its largest length.
  case noRoom
  /// Another command works with the key file.
  case underWay

  var description: String {
    switch self {
    case .unknownLogin: "Nobody has this login. To see all: polyclinic user list."
    case .renamed(let person):
      "Nobody has this login now. The person has a different one (person \(person) at /admin/people). Use "
        + "that one."
    case .erased:
      "This person was erased, and cannot be restored. To create a new account for them: "
        + "polyclinic user add LOGIN"
    case .notInBackup(let time):
      "This person was not in the portal yet when the backup was made (\(LocalDateTime(time, in: .utc)) "
        + "UTC). Use a later backup."
    case .anotherPortal(let path): "\(path) is a backup of another portal. Name one of this portal."
    case .unknownKey(let id, let path, let ring):
      "\(path) was sealed with the master key \(id), which \(ring) does not hold: it is a backup of "
        + "another portal, or the key file is an old copy. Name another backup, or put back the key file "
        + "that holds \(id)."
    case .newerRelease(let migration):
      "The backup was made by a newer release, which has changed the schema since (\(migration)). Update "
        + "the program first, run polyclinic migrate, and give the same command again."
    case .notMigrated: "The database's schema is not up to date. Run: polyclinic migrate"
    case .noRoom:
      "With these records one list would be longer than a list may be. Ask the person to delete what is "
        + "not needed, and give the same command again."
    case .underWay:
      "Another \"restore --person\" or \"vault rotate\" is at work: let it end. Nothing was changed."
    }
  }
}
