import PolyclinicCore

/// One operation of the OpenAPI document.
struct OperationDescription {
  /// A name that is unique in the document, such as `listContact`.
  let id: String
  let tag: String
  let summary: String
  var parameters: JSON = []
  /// The schema of the body; nil for an operation without one.
  var body: String?
  let answers: [Success]
  /// The statuses of its error responses, in addition to those that every operation has.
  let problems: [Int]

  /// A successful response.
  struct Success {
    let status: String
    let about: String
    /// Nil for an empty body.
    var schema: String?
    var headers: [JSON.Member] = []
    /// OpenAPI links to operations on the returned record.
    var links: JSON?
  }

  var json: JSON {
    var members = [
      JSON.Member("operationId", .string(id)), JSON.Member("tags", [.string(tag)]),
      JSON.Member("summary", .string(summary)), JSON.Member("parameters", parameters),
    ]
    if let body {
      let content: JSON = ["application/json": ["schema": Self.reference(body)]]
      members.append(JSON.Member("requestBody", ["required": true, "content": content]))
    }
    let shared = [400, 401, 403, 429, 503] + problems
    let refused = OpenAPI.problems.filter { shared.contains($0.status) }.map {
      JSON.Member(String($0.status), ["$ref": .string("#/components/responses/\($0.name)")])
    }
    members.append(JSON.Member("responses", .object(answers.map(Self.answer) + refused)))
    return .object(members)
  }

  private static func answer(_ success: Success) -> JSON.Member {
    var members = [JSON.Member("description", .string(success.about))]
    if let schema = success.schema {
      members.append(
        JSON.Member("content", ["application/json": ["schema": reference(schema)]]))
    }
    if !success.headers.isEmpty { members.append(JSON.Member("headers", .object(success.headers))) }
    if let links = success.links { members.append(JSON.Member("links", links)) }
    return JSON.Member(success.status, .object(members))
  }

  static func reference(_ schema: String) -> JSON {
    ["$ref": .string("#/components/schemas/\(schema)")]
  }
}

/// The parts that all list operations share.
extension OperationDescription {
  static var listParameters: JSON {
    let (usual, most) = ListRange.limits
    return [
      [
        "name": "limit", "in": "query",
        "description": .string(
          "The maximum number of items (default \(usual), maximum \(most))."),
        "schema": ["type": "integer", "minimum": 1],
      ],
      [
        "name": "cursor", "in": "query",
        "description": "The value of `next` of the previous page.", "schema": ["type": "string"],
      ],
    ]
  }

  /// Returns the schema of one page of a list.
  static func list(of name: String) -> JSON {
    [
      "type": "object", "required": ["items", "next"],
      "properties": [
        "items": ["type": "array", "items": reference(name)],
        "next": [
          "type": ["string", "null"],
          "description": "The cursor of the next page; null on the last one.",
        ],
      ],
    ]
  }
}
