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

extension OwnedTree {
  /// Makes a user the owner of everything in the tree.
  ///
  /// Follows no link and skips files with a second name. Otherwise a user who may write in the tree
  /// could make root give away any file. Throws ``SystemError``.
  func give(to user: uid_t, _ group: gid_t) throws(SystemError) {
    try Self.give(directory, to: user, group)
  }

  private static func give(
    _ directory: borrowing OpenFile, to user: uid_t, _ group: gid_t
  ) throws(SystemError) {
    for name in try directory.entries() {
      guard let entry = try Self.entry(name, of: directory) else { continue }
      let status = try entry.status()
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try give(OpenFile(".", in: entry, O_RDONLY | O_DIRECTORY), to: user, group)
      case S_IFREG where status.st_nlink > 1: continue
      case _ where status.st_uid != user: try entry.give(to: user, group)
      default: continue
      }
    }
    try directory.give(to: user, group)
  }

  /// Returns the path of an entry that does not belong to root; nil if all entries do.
  ///
  /// Ignores the directories in nginx's own directory, because nginx's workers keep request bodies
  /// there.
  func foreignEntry(besides nginx: String) throws(SystemError) -> String? {
    try Self.foreignEntry(of: directory, at: path, besides: nginx)
  }

  private static func foreignEntry(
    of directory: borrowing OpenFile, at path: String, besides nginx: String
  ) throws(SystemError) -> String? {
    for name in try directory.entries() {
      guard let entry = try Self.entry(name, of: directory) else { continue }
      let status = try entry.status()
      let isDirectory = status.st_mode & S_IFMT == S_IFDIR
      if isDirectory, path == nginx { continue }
      let itsPath = FilePath.join(path, name)
      if status.st_uid != 0 { return itsPath }
      guard isDirectory else { continue }
      let inner = try OpenFile(".", in: entry, O_RDONLY | O_DIRECTORY)
      if let found = try foreignEntry(of: inner, at: itsPath, besides: nginx) { return found }
    }
    return nil
  }

  /// Opens the entry itself, even a link or a pipe; returns nil if it was just removed.
  private static func entry(
    _ name: String, of directory: borrowing OpenFile
  ) throws(SystemError) -> OpenFile? {
    do {
      return try OpenFile(name, in: directory, OpenFile.pathOnly)
    } catch  where error.code == ENOENT {
      return nil
    }
  }
}
