/// What a browser asked for, read and checked: nothing in it is larger than its limit or not UTF-8.
public struct Request: Sendable {
  /// The methods that routes can answer.
  public enum Method: String, Sendable, CaseIterable {
    /// Asks for a page.
    case get = "GET"
    /// Sends a form.
    case post = "POST"
    /// Stores a record in place of another.
    case put = "PUT"
    /// Removes a record.
    case delete = "DELETE"
  }

  /// What is to be done; HEAD comes as ``Method/get``.
  public let method: Method
  /// The path as it was asked for, without its query: safe to put back into a form's `action`.
  public let path: Path
  /// What stands behind the `?`.
  public let query: Fields
  /// The fields of the form that was sent; none with GET.
  public let fields: Fields
  /// The content of the files that were sent, by the name of their field; only of routes that take files.
  public let files: [String: [UInt8]]
  /// The values of a pattern's `{names}`.
  public let parameters: [String: String]
  /// What logs and error pages call this request.
  public let id: String

  /// Made by the portal; tests make their own.
  public init(
    _ method: Method, _ path: Path, query: Fields = Fields(), fields: Fields = Fields(),
    files: [String: [UInt8]] = [:], parameters: [String: String] = [:], id: String = ""
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.files = files
    self.parameters = parameters
    self.id = id
  }
}
