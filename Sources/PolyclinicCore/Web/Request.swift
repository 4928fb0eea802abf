/// What a browser asked for, read and checked: nothing in it is larger than its limit or not UTF-8.
public struct Request: Sendable {
  /// The methods that routes can answer.
  public enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  public let method: Method
  /// The path as it was asked for, without its query: safe to put back into a form's `action`.
  public let path: Path
  public let query: Fields
  /// The fields of the form that was sent; none with GET.
  public let fields: Fields
  /// The values of a pattern's `{names}`.
  public let parameters: [String: String]
  /// What logs and error pages call this request.
  public let id: String

  public init(
    _ method: Method, _ path: Path, query: Fields = Fields(), fields: Fields = Fields(),
    parameters: [String: String] = [:], id: String = ""
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.parameters = parameters
    self.id = id
  }
}
