/// A parsed and validated request: its text is valid UTF-8, and every part is within its size
/// limit.
public struct Request: Sendable {
  /// The request methods that routes can handle.
  public enum Method: String, Sendable, CaseIterable {
    /// Reads a page.
    case get = "GET"
    /// Sends a form.
    case post = "POST"
    /// Replaces a record.
    case put = "PUT"
    /// Deletes a record.
    case delete = "DELETE"
  }

  /// The request method; HEAD is passed as ``Method/get``.
  public let method: Method
  /// The requested path without its query; safe to use in a form's `action`.
  public let path: Path
  /// The fields of the query.
  public package(set) var query = Fields()
  /// The fields of the submitted form; empty for GET.
  public package(set) var fields = Fields()
  /// The fields of the submitted form, or those of the query for GET: what a link and a form that
  /// opens the same page name.
  public var sentFields: Fields { method == .get ? query : fields }
  /// The contents of the uploaded files by field name; only for routes that accept files.
  public package(set) var files: [String: [UInt8]] = [:]
  /// The values of the `{names}` in the route's pattern.
  public package(set) var parameters: [String: String] = [:]
  /// The request ID in logs and on error pages.
  public let id: String
  package var client = Client()

  /// Creates a request without fields; the portal does this.
  package init(_ method: Method, _ path: Path, id: String = "") {
    self.method = method
    self.path = path
    self.id = id
  }
}
