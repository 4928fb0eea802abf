import PolyclinicCore

/// What the OpenAPI document says of one resource.
struct ResourceDescription {
  let entry: APIDirectory.Entry
  private var resource: Resource { entry.resource }
  private var name: String { resource.name }

  /// The schemas of what is sent and of what is answered.
  var schemas: [JSON.Member] {
    func words(_ text: Text) -> String { entry.member.phrasebook.string(text, in: .english) }
    return [
      JSON.Member(name, resource.source.schemaOfAnswered(words)),
      JSON.Member("\(name)Draft", resource.source.schemaOfSent(words)),
      JSON.Member(
        "\(name)List",
        [
          "type": "object", "required": ["items", "next"],
          "properties": [
            "items": ["type": "array", "items": reference(name)],
            "next": [
              "type": ["string", "null"],
              "description": "The cursor of what follows; null at the end.",
            ],
          ],
        ]),
    ]
  }

  /// The two paths with their operations.
  var paths: [JSON.Member] {
    [
      JSON.Member(entry.path, ["get": list, "post": create]),
      JSON.Member(
        "\(entry.path)/{id}",
        [
          "parameters": [
            [
              "name": "id", "in": "path", "required": true,
              "schema": ["type": "integer", "format": "int64", "minimum": 1],
            ]
          ],
          "get": get, "put": replace, "delete": delete,
        ]),
    ]
  }

  private var list: JSON {
    let (usual, most) = ResourceRequest.limit
    let parameters: JSON = [
      [
        "name": "limit", "in": "query",
        "description": .string(
          "How many at most: \(usual) where it is not said, never more than \(most)."),
        "schema": ["type": "integer", "minimum": 1],
      ],
      [
        "name": "cursor", "in": "query",
        "description": "What `next` of the part before says.", "schema": ["type": "string"],
      ],
    ]
    return operation(
      "list", "Lists the records in the order in which they were made", parameters,
      answers: [("200", "A part of the list.", "\(name)List", [])], [422])
  }

  private var create: JSON {
    let key: JSON = [
      [
        "name": "Idempotency-Key", "in": "header",
        "description": """
        The same request with the same key within 24 hours is one record, and gets the same answer; \
        with another body it is refused.
        """,
        "schema": [
          "type": "string", "minLength": 1,
          "maxLength": .integer(Int64(AnsweredRequests.keyLimit)), "pattern": "^[!-~]+$",
        ],
      ]
    ]
    let made: JSON.Member = JSON.Member("Location", ["schema": ["type": "string"]])
    return operation(
      "create", "Makes a new one", key, sends: true,
      answers: [("201", "It is stored.", name, [made])], [409, 411, 413, 415, 422])
  }

  private var get: JSON {
    operation(
      "get", "Shows one", [], answers: [("200", "The record.", name, [])], [404])
  }

  private var replace: JSON {
    operation(
      "replace", "Stores it anew; what is left out is blank from then on", [condition],
      sends: true, answers: [("200", "It is stored.", name, [])],
      [404, 409, 411, 412, 413, 415, 422, 428])
  }

  private var delete: JSON {
    operation(
      "delete", resource.about.deleting, [condition],
      answers: [
        ("200", "It is still there, in another state.", name, []),
        ("204", "It is deleted.", nil, []),
      ],
      [404, 409, 412, 422, 428])
  }

  private var condition: JSON {
    [
      "name": "If-Match", "in": "header", "required": true,
      "description": "The ETag of the state that is to be changed.",
      "schema": ["type": "string"],
    ]
  }
}

extension ResourceDescription {
  private typealias Success = (
    status: String, about: String, schema: String?, headers: [JSON.Member]
  )

  private func operation(
    _ verb: String, _ summary: String, _ parameters: JSON, sends: Bool = false,
    answers: [Success], _ problems: [Int]
  ) -> JSON {
    var members = [
      JSON.Member("operationId", .string("\(verb)\(name)")), JSON.Member("tags", [.string(name)]),
      JSON.Member("summary", .string(summary)), JSON.Member("parameters", parameters),
    ]
    if sends {
      let content: JSON = ["application/json": ["schema": reference("\(name)Draft")]]
      members.append(
        JSON.Member("requestBody", ["required": true, "content": content]))
    }
    let shared = [400, 401, 403, 429, 503] + problems
    let refused = OpenAPI.problems.filter { shared.contains($0.status) }.map {
      JSON.Member(String($0.status), ["$ref": .string("#/components/responses/\($0.name)")])
    }
    members.append(JSON.Member("responses", .object(answers.map(answer) + refused)))
    return .object(members)
  }

  private func answer(_ success: Success) -> JSON.Member {
    var members = [JSON.Member("description", .string(success.about))]
    if let schema = success.schema {
      members.append(
        JSON.Member("content", ["application/json": ["schema": reference(schema)]]))
    }
    if success.schema == name {
      let tag = JSON.Member("ETag", ["$ref": "#/components/headers/ETag"])
      members.append(JSON.Member("headers", .object([tag] + success.headers)))
    }
    if success.status == "201" { members.append(JSON.Member("links", links)) }
    return JSON.Member(success.status, .object(members))
  }

  /// What can be done with what was made.
  private var links: JSON {
    func link(_ verb: String, conditional: Bool) -> JSON {
      let tag =
        conditional ? [JSON.Member("header.If-Match", "$response.header.ETag")] : []
      return [
        "operationId": .string("\(verb)\(name)"),
        "parameters": .object([JSON.Member("path.id", "$response.body#/id")] + tag),
      ]
    }
    return [
      "get": link("get", conditional: false), "replace": link("replace", conditional: true),
      "delete": link("delete", conditional: true),
    ]
  }

  private func reference(_ schema: String) -> JSON {
    ["$ref": .string("#/components/schemas/\(schema)")]
  }
}
