import Glibc
import PolyclinicStore

/// Puts a database into its place, and whatever stands there out of it, under another name.
///
/// At each moment there is the former database, none, or the new one, each whole: where there is
/// none, a start says so and makes none.
struct DatabasePlacement {
  let path: String
  /// What the former database is called afterwards.
  let formerPath: String

  /// Returns when the disk has it; throws ``SystemError`` with the former database in its place.
  func put(_ draft: String) throws {
    let hasFormer = FilePath.exists(path)
    if hasFormer { try move(path, to: formerPath) }
    do {
      // A log that was left would be taken for the new database's own.
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
