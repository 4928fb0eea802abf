import Glibc

/// A directory that root may trust to be the one that its path names: nobody but root and its owner could
/// have put another in its place.
struct OwnedTree: ~Copyable {
  /// The real path, without links.
  let path: String
  let owner: uid_t
  let group: gid_t
  let directory: OpenFile
  private let mode: mode_t

  /// Opens the directory, and makes it where it is missing, with those above it.
  ///
  /// A new one belongs to the owner of the directory that it is in. Throws ``SystemError``, and
  /// ``FirstRunError`` where another user could change where the path leads.
  init(_ path: String) throws {
    var way = Way(path: path, current: try OpenFile("/", O_RDONLY | O_DIRECTORY))
    try way.walk()
    let status = try way.current.status()
    if let other = way.steps.first(where: { !$0.isSafe(for: status.st_uid) }) {
      throw FirstRunError(
        "Root runs no portal in \(path), because another user may change \(other.path). Give both to one "
          + "user, or to root alone (chown root, chmod go-w), or set DATA to another directory.")
    }
    guard let real = FilePath.real(way.currentPath) else { throw SystemError("open", on: path) }
    (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode)
    self.path = real
    directory = way.current
  }

  /// Throws ``FirstRunError`` unless nobody but root could have written the directory's file of this name.
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
