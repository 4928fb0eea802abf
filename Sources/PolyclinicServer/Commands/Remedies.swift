import Glibc
import PolyclinicCore
import PolyclinicSystem

extension DatabaseError {
  /// The problem and its remedy, for a terminal.
  package var sentence: String {
    switch kind {
    case .corrupt:
      "The file is damaged or is not a database (\(detail)). Keep a copy of the file, and restore "
        + "a backup: polyclinic restore FILE --over"
    case .full: "There is no room on the disk for the database (\(detail)). Free some space."
    case .readOnly:
      "The database cannot be written (\(detail)). It and its directory must belong to the portal's "
        + "user."
    case .busy: "Another process kept the database locked for too long (\(detail)). Try again."
    case .missing: detail
    case .unknown: "Look whether this was done before you repeat it (\(detail))."
    case .other where code == 0: "The database cannot be used: \(detail)."
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
    case ENOENT: "Check the name, and that its directory exists."
    case ENOTDIR, EISDIR:
      "Check the name: it is a directory in place of a file, or a file in place of a directory."
    case ENOTSUP: "It is a pipe or a device: save its content as a file, and name that."
    case EEXIST: "Remove the existing file, or choose another name."
    case EACCES, EPERM:
      HandedFiles.received == nil
        ? "Run this as root or as the owner of the portal's files, or grant your user access."
        : "This runs as the owner of the portal's files. Grant that user access, or name a file that no "
          + "other user can replace: below a directory of root."
    case EROFS: "That file system is read-only. Mount it writable, or choose another place."
    case ENOSPC, EDQUOT: "The disk is full. Free some space."
    case EMFILE, ENFILE: "Too many files are open. Raise the limit (ulimit -n)."
    case EIO: "The disk failed. Read the system's log before you write anything to the disk."
    default: nil
    }
  }
}

extension Refusal {
  /// Returns the refusal as a sentence for a terminal. `words` translates a text.
  package func sentence(_ words: (Text) -> String) -> String {
    // Without isolation marks, because a terminal isolates text directions itself and would print
    // them.
    switch self {
    case .invalid(let field, let text): TextTable.plain("\(field): \(words(text))")
    case .conflict(let text), .gone(let text): TextTable.plain(words(text))
    case .notFound: "It was not found."
    case .forbidden, .signedOut: "It is not allowed from the command line."
    case .tooMany: "There were too many at once. Try again."
    case .malformed: "It was not understood."
    }
  }
}
