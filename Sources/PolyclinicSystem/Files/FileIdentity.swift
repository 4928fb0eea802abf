import Glibc

/// The device and inode of a file, which identify it regardless of its name.
package struct FileIdentity: Equatable, Sendable {
  package let device: dev_t
  package let inode: ino_t

  package init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
  }

  /// Returns the identity of the file at the path; nil if there is none or `stat` fails.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
