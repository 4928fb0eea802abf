import Glibc

/// The owner of a file that a command made.
enum FileOwner {
  /// Gives what root makes to the owner of the directory: the portal must be able to use it.
  ///
  /// Not to be called for a database that is open: see `FileSnapshot`.
  static func give(_ path: String, to directory: String) throws(SystemError) {
    // Another user of that directory may have put a link or a pipe in its place.
    try give(OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), to: directory)
  }

  /// The same of a file that is still open.
  static func give(_ file: borrowing OpenFile, to directory: String) throws(SystemError) {
    guard geteuid() == 0 else { return }
    try file.give(to: OpenFile(directory, O_RDONLY | O_DIRECTORY).status())
  }
}
