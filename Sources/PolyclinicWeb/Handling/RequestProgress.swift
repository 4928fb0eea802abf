import PolyclinicCore

/// The results of the rooms that one request has passed so far. An error page needs them, and the
/// frame.
struct RequestProgress {
  let incoming: IncomingRequest
  let checks: RequestChecks
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
  /// The form at the matched route; nil if it has none.
  var form: (any FormAnswer)?
  /// The fields of the request's form; nil before they were read.
  var sent: Fields?
  /// The values of the parameters in the route's pattern.
  var parameters: [String: String] = [:]
  /// The path of the "Back" button on the page of a refusal.
  var back: Path?

  init(_ incoming: IncomingRequest) {
    let wire = incoming.wire
    self.incoming = incoming
    checks = RequestChecks(wire: wire, origin: incoming.server.site.origin)
    method = Request.Method(rawValue: wire.method == "HEAD" ? "GET" : wire.method)
    path = incoming.path
  }
}
