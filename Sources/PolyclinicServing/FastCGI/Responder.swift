/// Answers requests in one thread. That thread creates it and alone calls it, so it may own the
/// thread's database connection.
///
/// The listener passes every request to it, and knows nothing of what a request means.
package protocol Responder: AnyObject {
  /// Returns the response to a request, also when its handler fails.
  func respond(to request: WireRequest) -> WireResponse

  /// Returns the error page in place of a response that failed while it was being written.
  func failure(_ error: any Error, of request: WireRequest) -> WireResponse

  /// Returns the response to a request that is refused before it is processed: 503 if it waited too
  /// long, 429 if its client occupies too many threads, 500 if it has ended two workers.
  func refusal(_ status: Int, of request: WireRequest) -> WireResponse

  /// Logs that a response did not reach the web server completely.
  func note(_ reason: DeliveryFailure, of request: WireRequest)

  /// Returns the largest accepted request body, in bytes.
  func bodyLimit(of request: WireRequest) -> Int

  /// Returns the client that a request occupies a thread for.
  func client(of request: WireRequest) -> ThreadLimiter.Client

  /// True for the address of a program's request. Its further headers are read only for these.
  func isForPrograms(_ target: String) -> Bool

  /// Frees caches, because no request has come for a while.
  func giveMemoryBack()
}
