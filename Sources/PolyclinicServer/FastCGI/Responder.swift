import PolyclinicCore

/// Answers requests in one thread, which made it and alone calls it: so it may own that thread's
/// database connection.
protocol Responder: AnyObject {
  /// Writes the whole answer to `out`, which comes empty: a CGI head with `Status:`, an empty line, the
  /// body. Throws, with the reason logged, where the answer cannot be written to its end.
  func respond(to request: borrowing FastCGIRequest, into out: ByteSink) throws

  /// Gives back the memory that the next answer would come faster with: nothing was asked for a while.
  func giveMemoryBack()
}
