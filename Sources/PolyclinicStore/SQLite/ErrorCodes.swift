import CSQLite
import Glibc
import PolyclinicCore

extension DatabaseError {
  /// Creates the error for an extended result code of SQLite (sqlite.org/rescode.html).
  init(sqlite code: Int32, detail: String) {
    self.init(Self.kind(ofSQLite: code), code: Int(code), detail: detail)
  }

  /// Creates the error for the `errno` of a failed system call on one of the database's files.
  init(system code: Int32, detail: String) {
    let reason = String(cString: strerror(code))
    self.init(Self.kind(ofSystem: code), code: Int(code), detail: "\(detail): \(reason)")
  }

  private static func kind(ofSQLite code: Int32) -> Kind {
    switch code {
    // SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE, _ROWID; _FOREIGNKEY; SQLITE_READONLY_DBMOVED;
    // SQLITE_IOERR_SHMSIZE, for a log's index that cannot grow; SQLITE_CONSTRAINT_TRIGGER. The
    // header computes them by arithmetic that Swift does not import.
    case 1555, 2067, 2579: return .unique
    case 787: return .foreignKey
    case 1032: return .missing
    case 4874: return .full
    // Only the triggers of a closed database raise an error.
    case 1811: return .readOnly
    default: break
    }
    switch code & 0xFF {
    case SQLITE_CONSTRAINT: return .constraint
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_NOMEM: return .busy
    case SQLITE_FULL: return .full
    case SQLITE_READONLY, SQLITE_PERM: return .readOnly
    // An I/O error counts as a missing database, because a disk that does not answer may come back
    // too.
    case SQLITE_CANTOPEN, SQLITE_IOERR: return .missing
    case SQLITE_CORRUPT, SQLITE_NOTADB: return .corrupt
    default: return .other
    }
  }

  private static func kind(ofSystem code: Int32) -> Kind {
    switch code {
    case ENOENT, ENOTDIR, EIO: .missing
    case EACCES, EPERM, EROFS: .readOnly
    case ENOSPC, EDQUOT: .full
    // The process has reached a limit on resources in use. They become free again.
    case EMFILE, ENFILE, ENOMEM, EAGAIN: .busy
    default: .other
    }
  }
}
