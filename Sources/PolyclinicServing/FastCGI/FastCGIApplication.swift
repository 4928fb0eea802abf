import PolyclinicCore

/// Answers requests in one thread. That thread creates it and alone calls it, so it may own the
/// thread's database connection.
package protocol FastCGIApplication: AnyObject {
  /// Writes the whole response to `out`, which is empty: a CGI head with `Status:`, an empty line
  /// and the body.
  ///
  /// Returns true if the connection may be kept for another request; false if this process has
  /// failed, so that a new connection may reach another one. Throws if the response cannot be
  /// written completely. The reason is logged before.
  func respond(to request: borrowing FastCGIRequest, into out: ByteSink) throws -> Bool

  /// Frees caches, because no request has come for a while.
  func giveMemoryBack()
}
