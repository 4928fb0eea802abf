import PolyclinicCore
import PolyclinicSystem

/// The OpenAPI 3.1 document of the enabled modules' resources, generated from their declarations.
struct OpenAPI {
  let entries: [APIDirectory.Entry]
  let readOnly: [APIDirectory.ReadOnlyEntry]

  var document: JSON {
    [
      "openapi": "3.1.0",
      "info": [
        "title": "Polyclinic", "version": .string(ProductVersion.current.number),
        "description": .string(Self.introduction),
      ],
      "servers": [["url": "/"]],
      "security": [["token": []], ["session": []]],
      "tags": .array(
        entries.map {
          ["name": .string($0.resource.name), "description": .string($0.resource.about.records)]
        } + Self.names(of: readOnly).map { ["name": .string($0)] }),
      "paths": .object(
        entries.flatMap { ResourceDescription(entry: $0).paths }
          + readOnly.map { ReadOnlyDescription(entry: $0).path }),
      "components": [
        "securitySchemes": Self.securitySchemes,
        "headers": ["ETag": Self.tagHeader],
        "responses": .object(Self.problems.map(Self.problem)),
        "schemas": .object(
          entries.flatMap { ResourceDescription(entry: $0).schemas } + readOnlySchemas
            + [JSON.Member("Problem", Self.problemSchema)]),
      ],
    ]
  }

  /// The schemas of read-only resources. A value that is served both alone and in a list has one
  /// schema.
  private var readOnlySchemas: [JSON.Member] {
    var known: Set<String> = []
    return readOnly.flatMap { ReadOnlyDescription(entry: $0).schemas }
      .filter { known.insert($0.name).inserted }
  }

  private static func names(of readOnly: [APIDirectory.ReadOnlyEntry]) -> [String] {
    Set(readOnly.map(\.resource.name)).sorted()
  }

  private static let introduction = """
    What the portal keeps for a person, for the person's own programs. Make a token at \
    /account/tokens. A number may be sent as a number or as a text in any way of writing (72,5). \
    Times are RFC 3339 with their offset. A token may make \(TokenRate.perMinute) requests a minute. \
    A body needs a Content-Length: chunks are refused. \
    Errors are problem details (RFC 9457), in the language that Accept-Language asks for.
    """

  private static let securitySchemes: JSON = [
    "token": [
      "type": "http", "scheme": "bearer",
      "description":
        "Made at /account/tokens, for some modules, to read or to change, and revoked there.",
    ],
    "session": [
      "type": "apiKey", "in": "cookie", "name": .string(Cookies.session),
      "description": """
      The browser's own session. What changes something carries the anti-forgery token that stands \
      in each page's forms (csrf) as X-CSRF-Token.
      """,
    ],
  ]

  private static let tagHeader: JSON = [
    "description": "The version of the record, for If-Match.", "required": true,
    "schema": ["type": "string"],
  ]

  /// The error responses that operations share, by name.
  static let problems: [(name: String, status: Int, about: String)] = [
    ("NotUnderstood", 400, "The request or its JSON could not be read."),
    ("SignedOut", 401, "No token and no session, or one that has ended."),
    ("Forbidden", 403, "The token is not for this, or the anti-forgery token is wrong."),
    ("NotFound", 404, "There is no such record of this person."),
    ("Conflict", 409, "The change conflicts with another one; `instead` may list alternatives."),
    ("Chunked", 411, "The body came in chunks: send its Content-Length."),
    ("Changed", 412, "The record has changed: request it again."),
    ("TooLarge", 413, "The body is too large."),
    ("NotJSON", 415, "The body is not application/json."),
    ("Incorrect", 422, "Validation failed; `errors` lists the reasons by field."),
    ("Unconditional", 428, "If-Match is missing."),
    ("TooMany", 429, "Too many requests: wait for as long as Retry-After says."),
    ("NotNow", 503, "Nothing can be stored at the moment, or the portal is being updated."),
  ]

  private static func problem(
    _ problem: (name: String, status: Int, about: String)
  ) -> JSON.Member {
    let schema: JSON = ["$ref": "#/components/schemas/Problem"]
    let content: JSON = ["application/problem+json": ["schema": schema]]
    var members = [
      JSON.Member("description", .string(problem.about)), JSON.Member("content", content),
    ]
    if problem.status == 401 {
      members.append(
        JSON.Member("headers", ["WWW-Authenticate": ["schema": ["type": "string"]]]))
    }
    if problem.status == 429 {
      members.append(
        JSON.Member("headers", ["Retry-After": ["schema": ["type": "integer"]]]))
    }
    return JSON.Member(problem.name, .object(members))
  }

  private static let problemSchema: JSON = [
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": [
      "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
      "detail": ["type": "string"],
      "request": ["type": "string", "description": "The id of the request in the log."],
      "errors": [
        "type": "array",
        "items": [
          "type": "object", "required": ["field", "detail"],
          "properties": [
            "field": ["type": "string", "description": "The name of the field in forms."],
            "pointer": [
              "type": "string", "description": "JSON Pointer to the invalid value (RFC 6901).",
            ],
            "detail": ["type": "string"],
          ],
        ],
      ],
      "instead": ["type": "array", "description": "The alternatives."],
    ],
  ]
}
