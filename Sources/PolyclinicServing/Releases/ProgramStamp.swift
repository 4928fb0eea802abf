import Glibc
import PolyclinicSystem

/// The size and modification time of a program's file. They change if another program is installed
/// at the path.
package struct ProgramStamp: Codable, Sendable, Equatable {
  package let size: Int64
  /// Nanoseconds since 1970.
  package let changed: Int64

  /// Throws ``SystemError`` if there is no file.
  package init(of path: String) throws(SystemError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw SystemError("stat", on: path) }
    size = Int64(status.st_size)
    changed = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }
}
