import Glibc
import PolyclinicSystem

/// A directory whose path root can trust: only root and the directory's owner could have replaced
/// it.
package struct OwnedTree: ~Copyable {
  /// The real path, without links.
  let path: String
  let owner: uid_t
  let group: gid_t
  let directory: OpenFile
  private let mode: mode_t

  /// Opens the directory. Creates it and its parents if they are missing.
  ///
  /// A new directory belongs to the owner of its parent. Throws ``SystemError``. Throws
  /// ``FirstRunError`` if another user could change the target of the path.
  init(_ path: String) throws {
    var resolution = try PathResolution(path: path, .made)
    try resolution.walk()
    let status = try resolution.current.status()
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw SystemError("open", ENOTDIR, on: path)
    }
    if let other = try resolution.unsafeStep() {
      throw FirstRunError(
        "Root runs no portal in \(path), because another user may change \(other.path). Give both to one "
          + "user, or to root alone (chown root, chmod go-w), or set DATA to another directory.")
    }
    guard let real = FilePath.real(resolution.currentPath) else {
      throw SystemError("open", on: path)
    }
    (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode)
    self.path = real
    directory = resolution.current
  }

  /// Throws ``FirstRunError`` if a user other than root could have written the file of this name in
  /// the directory.
  func requireRoots(_ name: String) throws {
    var status = stat()
    let isThere = fstatat(directory.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    let isRoots =
      status.st_uid == 0 && (status.st_mode & S_IFMT == S_IFLNK || status.st_mode & 0o022 == 0)
    guard owner == 0, mode & 0o022 == 0, !isThere || isRoots else {
      throw FirstRunError(
        "Other users may write \(FilePath.join(path, name)). Look through it, and give it to root: "
          + "chown -R root: \(path) && chmod -R go-w \(path)")
    }
  }
}
