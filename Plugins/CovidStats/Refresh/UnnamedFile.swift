import Foundation
import Glibc

/// A temporary file without a name.
///
/// It is gone when this process ends, also when that is killed, and no link in the directory can lead it
/// elsewhere.
final class UnnamedFile {
  /// The open file, for a program to write to.
  let handle: FileHandle

  /// Throws ``RefreshFailed`` where the directory for temporary files takes no file.
  init() throws(RefreshFailed) {
    var path = Array((NSTemporaryDirectory() + "polyclinic-XXXXXX").utf8CString)
    // mkstemp opens nothing that is there already, and makes a file that others may not read.
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else {
      throw RefreshFailed(.noRoom, String(cString: strerror(errno)))
    }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// The path by which this process reads the file from its beginning, while this object is there.
  var path: String { "/proc/self/fd/\(handle.fileDescriptor)" }

  /// The number of bytes in it.
  var size: Int {
    var status = stat()
    return fstat(handle.fileDescriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Removes all that is in it.
  func empty() {
    ftruncate(handle.fileDescriptor, 0)
    lseek(handle.fileDescriptor, 0, SEEK_SET)
  }
}
