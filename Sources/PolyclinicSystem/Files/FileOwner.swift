import Glibc

/// The owner of a file that a command made.
package enum FileOwner {
  /// Gives a file that root has made to the owner of the directory, so that the portal can use it.
  ///
  /// Do not call it for an open database: see `FileSnapshot`.
  package static func give(_ path: String, to directory: String) throws(SystemError) {
    // Refuses links and pipes, because another user of that directory may have put one at the path.
    try give(OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), to: directory)
  }

  /// Gives an open file to the owner of the directory.
  package static func give(_ file: borrowing OpenFile, to directory: String) throws(SystemError) {
    guard geteuid() == 0 else { return }
    try file.give(to: OpenFile(directory, O_RDONLY | O_DIRECTORY).status())
  }
}
