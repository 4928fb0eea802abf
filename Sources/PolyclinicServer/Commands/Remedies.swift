import Glibc
import PolyclinicCore
import PolyclinicSystem

extension DatabaseError {
  /// The problem and its remedy, for a terminal.
  package var sentence: String {
    switch kind {
    case .corrupt:
      "The database is damaged, or the file is none (\(detail)). Keep a copy of the file, and restore "
        + "a backup: polyclinic restore FILE --over"
    case .full: "There is no room on the disk for the database (\(detail)). Make some."
    case .readOnly:
      "The database cannot be written (\(detail)). It and its directory have to belong to whoever runs "
        + "the portal."
    case .busy: "The database is in use by others for too long (\(detail)). Try again."
    case .missing: detail
    case .unique, .foreignKey, .constraint, .other: "The database failed: \(detail) (\(code))."
    }
  }
}

extension SystemError {
  /// The problem and its remedy, for a terminal.
  package var sentence: String {
    guard let remedy else { return "\(self)." }
    return "\(self). \(remedy)"
  }

  private var remedy: String? {
    switch code {
    case ENOENT: "Look whether the name is right, and whether its directory is there."
    case ENOTDIR, EISDIR:
      "Look whether the name is right: a file and a directory are taken for each other."
    case EEXIST: "Take away what is there, or name another."
    case EACCES, EPERM:
      "Run this as the user whom the portal's files belong to, or give yours the right."
    case EROFS: "That file system can only be read. Mount it writable, or name another place."
    case ENOSPC, EDQUOT: "There is no room. Make some."
    case EMFILE, ENFILE: "Too many files are open. Raise the limit (ulimit -n)."
    case EIO: "The disk failed. Look into the system's log before anything is written to it."
    default: nil
    }
  }
}
