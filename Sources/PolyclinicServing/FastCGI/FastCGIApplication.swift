import PolyclinicCore

/// Answers requests in one thread. That thread creates it and alone calls it, so it may own the
/// thread's database connection.
package protocol FastCGIApplication: AnyObject {
  /// Writes the whole response to `out`, which is empty: a CGI head with `Status:`, an empty line
  /// and the body.
  ///
  /// Throws if the response cannot be written completely. The reason is logged before.
  func respond(to request: borrowing FastCGIRequest, into out: ByteSink) throws

  /// Frees caches, because no request has come for a while.
  func giveMemoryBack()
}
