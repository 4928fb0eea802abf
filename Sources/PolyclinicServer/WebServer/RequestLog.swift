import Glibc
import PolyclinicSystem

/// The access log of the portal's own nginx. No other program rotates it.
struct RequestLog {
  let path: String
  /// The size limit in bytes, about 180 000 requests.
  var limit: Int64 = 32 << 20

  /// Rotates a log above the limit, and replaces the earlier rotated one. nginx then has to reopen
  /// it.
  ///
  /// Returns true if it was rotated. Throws ``SystemError``.
  func rotate() throws(SystemError) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, Int64(status.st_size) > limit else { return false }
    guard rename(path, path + ".1") == 0 else { throw SystemError("rename", on: path) }
    return true
  }
}
