import Foundation
import Glibc

/// A temporary file without a name.
///
/// It disappears when this process ends, even if it is killed. A link in the directory cannot
/// redirect it to another file.
final class UnnamedFile {
  /// The open file, for a program to write to.
  let handle: FileHandle

  /// Creates the file. Throws ``RefreshFailed`` if the temporary directory does not allow it.
  init() throws(RefreshFailed) {
    var path = Array((NSTemporaryDirectory() + "polyclinic-XXXXXX").utf8CString)
    // mkstemp never opens an existing file, and the new file is not readable by others.
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else {
      throw RefreshFailed(.noRoom, String(cString: strerror(errno)))
    }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// The path at which this process reads the file from its beginning, valid as long as this object
  /// exists.
  var path: String { "/proc/self/fd/\(handle.fileDescriptor)" }

  /// The size in bytes.
  var size: Int {
    var status = stat()
    return fstat(handle.fileDescriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Deletes the content.
  func empty() {
    ftruncate(handle.fileDescriptor, 0)
    lseek(handle.fileDescriptor, 0, SEEK_SET)
  }
}
