import Glibc
import PolyclinicStore
import PolyclinicSystem

/// Replaces a database file and keeps the former one under another name.
///
/// At every moment the path holds the former database, none, or the new one, each complete. If
/// there is none, the portal refuses to start and creates none.
struct DatabasePlacement {
  let path: String
  /// The new name of the former database.
  let formerPath: String

  /// Puts the new database in place and waits until the disk has it. Throws ``SystemError``, and
  /// then restores the former database.
  func put(_ draft: String) throws {
    let hasFormer = FilePath.exists(path)
    if hasFormer { try move(path, to: formerPath) }
    do {
      // SQLite would apply a remaining write-ahead log to the new database.
      if FilePath.exists(path + "-wal") { try move(path + "-wal", to: formerPath + "-wal") }
      guard unlink(path + "-shm") == 0 || errno == ENOENT else {
        throw SystemError("unlink", on: path + "-shm")
      }
      try move(draft, to: path)
    } catch {
      if FilePath.exists(formerPath + "-wal") { try move(formerPath + "-wal", to: path + "-wal") }
      if hasFormer { try move(formerPath, to: path) }
      throw error
    }
  }

  private func move(_ one: String, to other: String) throws {
    guard rename(one, other) == 0 else { throw SystemError("rename", on: one) }
    try OpenFile.synchronize(directory: FilePath.directory(of: other))
  }
}
