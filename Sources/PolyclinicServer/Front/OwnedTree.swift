import Glibc

/// A directory and all that is in it.
struct OwnedTree {
  let path: String

  /// Makes a user the owner of everything in the tree.
  ///
  /// Follows no link and takes no file that has a second name, because whoever may write in the tree
  /// could otherwise have root give any file away. Throws ``SystemError``.
  func give(to user: uid_t, _ group: gid_t) throws(SystemError) {
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard directory >= 0 else { throw SystemError("open", on: path) }
    try give(directory, to: user, group)
  }

  /// Takes the descriptor, and closes it.
  private func give(_ directory: Int32, to user: uid_t, _ group: gid_t) throws(SystemError) {
    guard let entries = fdopendir(directory) else {
      let code = errno
      close(directory)
      throw SystemError("open", code, on: path)
    }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name == "." || name == ".." { continue }
      var status = stat()
      guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        let inner = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard inner >= 0 else { throw SystemError("open", on: "\(path)/…/\(name)") }
        try give(inner, to: user, group)
      } else if status.st_uid != user, status.st_nlink == 1,
        fchownat(directory, name, user, group, AT_SYMLINK_NOFOLLOW) != 0
      {
        throw SystemError("chown", on: "\(path)/…/\(name)")
      }
    }
    guard fchown(directory, user, group) == 0 else { throw SystemError("chown", on: path) }
  }
}
