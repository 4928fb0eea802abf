import PolyclinicCore

/// An API client that acts for a person with a token.
public struct TestProgram {
  private let visitor: TestVisitor
  /// The bearer token of every request.
  public var token: String

  /// Creates a client with this token.
  public init(_ portal: TestPortal, token: String, language: Language = .english) {
    visitor = portal.visitor(language: language)
    self.token = token
  }

  public func get(_ target: String) -> TestPage { send("GET", target) }

  public func post(_ target: String, _ json: String, key: String? = nil) -> TestPage {
    send("POST", target, json, headers: key.map { ["Idempotency-Key": $0] } ?? [:])
  }

  public func put(_ target: String, _ json: String, over tag: String) -> TestPage {
    send("PUT", target, json, headers: ["If-Match": tag])
  }

  public func delete(_ target: String, over tag: String) -> TestPage {
    send("DELETE", target, headers: ["If-Match": tag])
  }

  /// Sends any request; the body is JSON unless a header states another type.
  public func send(
    _ method: String, _ target: String, _ json: String = "", headers: [String: String] = [:]
  ) -> TestPage {
    var all = ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
    all.merge(headers) { $1 }
    return visitor.send(method, target, body: Array(json.utf8), headers: all)
  }
}

extension TestVisitor {
  /// Creates a token on its page and returns it; `scopes` are `read` or `write`, by module.
  public func makeToken(
    _ scopes: [String: String], name: String = "Spreadsheet", lifetime: String = "year",
    password: String = TestVisitor.password
  ) throws -> String {
    var fields = [
      "name": name, "lifetime": lifetime, "current_password": password,
    ]
    for (module, scope) in scopes { fields["scope-\(module)"] = scope }
    let page = try submit("/account/tokens/new", fields)
    guard page.status == 200,
      let secret = page.body.split(separator: "id=\"secret\" dir=\"ltr\">").dropFirst().first
    else { throw UnexpectedAnswer(page) }
    return String(secret.prefix { $0 != "<" })
  }
}

extension TestPage {
  /// Returns the body as JSON; throws if it is not JSON.
  public func json() throws -> JSON { try JSON(reading: Array(body.utf8)) }

  /// Returns the `field` of each error, in order; a repeated field includes its position, as in
  /// `method_type-1`.
  public func errors() throws -> [String] {
    guard case .array(let errors) = try json()["errors"] else { return [] }
    return errors.compactMap { $0["field"]?.text }
  }

  public var tag: String { header("ETag") ?? "" }
}

extension JSON {
  /// The member with that name; nil if there is none.
  public subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The element at that index; nil if there is none.
  public subscript(place: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(place) else { return nil }
    return elements[place]
  }

  /// A text unchanged or a number as written; nil for any other value.
  public var text: String? {
    switch self {
    case .string(let text), .written(let text): text
    case .integer(let number): String(number)
    default: nil
    }
  }

  /// The number of elements; nil if the value is not an array.
  public var count: Int? { if case .array(let elements) = self { elements.count } else { nil } }
}
