import Glibc

/// A directory that root may trust to stay where it is: nobody but root and its owner may change the
/// directories above it.
struct OwnedTree: ~Copyable {
  /// The real path, without links.
  let path: String
  let owner: uid_t
  let group: gid_t
  let directory: OpenFile
  private let mode: mode_t

  /// Opens the directory, and makes it for root alone where it is missing, with those above it.
  ///
  /// Throws ``SystemError``, and ``FirstRunError`` where another user may write above it.
  init(_ path: String) throws {
    var found = path
    var missing: [String] = []
    while FilePath.real(found) == nil, found != "/" {
      missing.insert(FilePath.name(of: found), at: 0)
      found = FilePath.directory(of: found)
    }
    let there = (FilePath.real(found) ?? "/").split(separator: "/").map(String.init)
    let names = there + missing
    var current = try OpenFile("/", O_RDONLY | O_DIRECTORY)
    var above: [(path: String, status: stat)] = []
    for (index, name) in names.enumerated() {
      let parent = "/" + names[..<index].joined(separator: "/")
      above.append((parent, try current.status()))
      if index >= there.count, mkdirat(current.descriptor, name, 0o700) != 0,
        errno != EEXIST
      {
        throw SystemError("make", on: path)
      }
      current = try OpenFile(name, in: current, O_RDONLY | O_DIRECTORY)
    }
    let status = try current.status()
    for (parent, its) in above where !Self.isSafe(its, below: status.st_uid) {
      throw FirstRunError(
        "Root runs no portal in \(path), because other users may write in \(parent). Take that "
          + "right away (chown root, chmod go-w), or set DATA to another directory.")
    }
    self.path = "/" + names.joined(separator: "/")
    (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode)
    directory = current
  }

  /// Only root and the owner write there; with the sticky bit others do, but cannot replace what is there.
  private static func isSafe(_ status: stat, below owner: uid_t) -> Bool {
    (status.st_uid == 0 || status.st_uid == owner)
      && (status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0)
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
