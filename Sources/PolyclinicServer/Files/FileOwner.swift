import Glibc

/// Whom a file belongs to that a command made.
enum FileOwner {
  /// What root makes is given to whom the directory belongs to: the portal must be able to use it.
  ///
  /// Not to be called for a database that is open: see `FileSnapshot`.
  static func give(_ path: String, to directory: String) throws(SystemError) {
    guard geteuid() == 0 else { return }
    let owner = try OpenFile(directory, O_RDONLY | O_DIRECTORY).status()
    try OpenFile(path, O_RDONLY).give(to: owner)
  }
}
