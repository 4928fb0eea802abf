import PolyclinicCore
import PolyclinicServing

/// The results of the rooms that one request has passed so far. An error page needs them, and the
/// frame.
struct RequestProgress {
  let wire: WireRequest
  /// The snapshot of the database that the response shows.
  let snapshot: Connection
  /// Nil for a method that no route handles.
  let method: Request.Method?
  /// The path without the query.
  let path: String
  /// Nil before the visitor was looked up.
  var admission: AdmittedRequest?
  /// The module of the page.
  var member: InstalledModule?
  /// The number of the matched route or API path.
  var route: Int?
  /// The path of the "Back" button on the page of a refusal.
  var back: Path?

  init(_ wire: WireRequest, _ snapshot: Connection) {
    self.wire = wire
    self.snapshot = snapshot
    method = Request.Method(rawValue: wire.method == "HEAD" ? "GET" : wire.method)
    path = wire.path
  }
}
