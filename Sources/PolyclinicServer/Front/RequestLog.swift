import Glibc

/// The access log of the portal's own nginx, which nothing else rotates.
struct RequestLog {
  let path: String
  /// Some 180 000 requests.
  var limit: Int64 = 32 << 20

  /// Moves a log above the limit aside, in the place of the earlier one; nginx then has to reopen it.
  ///
  /// Returns whether it was moved. Throws ``SystemError``.
  func rotate() throws(SystemError) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, Int64(status.st_size) > limit else { return false }
    guard rename(path, path + ".1") == 0 else { throw SystemError("rename", on: path) }
    return true
  }
}
