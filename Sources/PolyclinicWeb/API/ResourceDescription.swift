import PolyclinicCore

/// The part of the OpenAPI document about one resource.
struct ResourceDescription {
  let entry: APIDirectory.Entry
  private var resource: Resource { entry.resource }
  private var name: String { resource.name }

  /// The schemas of the response, of the request body and of a list.
  var schemas: [JSON.Member] {
    func words(_ text: Text) -> String { entry.member.phrasebook.string(text, in: .english) }
    return [
      JSON.Member(name, resource.source.schemaOfAnswered(words)),
      JSON.Member("\(name)Draft", resource.source.schemaOfSent(words)),
      JSON.Member("\(name)List", OperationDescription.list(of: name)),
    ]
  }

  /// The paths of the collection and of a record, with their operations.
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
    OperationDescription(
      id: "list\(name)", tag: name,
      summary: "Lists the records in the order in which they were made",
      parameters: OperationDescription.listParameters,
      answers: [.init(status: "200", about: "A part of the list.", schema: "\(name)List")],
      problems: [422]
    ).json
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
          "maxLength": .integer(Int64(IdempotencyStore.keyLimit)), "pattern": "^[!-~]+$",
        ],
      ]
    ]
    let location = JSON.Member("Location", ["schema": ["type": "string"]])
    return OperationDescription(
      id: "create\(name)", tag: name, summary: "Creates a record", parameters: key,
      body: "\(name)Draft",
      answers: [
        .init(
          status: "201", about: "The record is stored.", schema: name,
          headers: [Self.tag, location],
          links: links)
      ],
      problems: [409, 411, 413, 415, 422]
    ).json
  }

  private var get: JSON {
    OperationDescription(
      id: "get\(name)", tag: name, summary: "Returns a record",
      answers: [.init(status: "200", about: "The record.", schema: name, headers: [Self.tag])],
      problems: [404]
    ).json
  }

  private var replace: JSON {
    OperationDescription(
      id: "replace\(name)", tag: name,
      summary: "Replaces the record; omitted fields are cleared", parameters: [condition],
      body: "\(name)Draft",
      answers: [
        .init(status: "200", about: "The record is stored.", schema: name, headers: [Self.tag])
      ],
      problems: [404, 409, 411, 412, 413, 415, 422, 428]
    ).json
  }

  private var delete: JSON {
    OperationDescription(
      id: "delete\(name)", tag: name, summary: resource.about.deleting, parameters: [condition],
      answers: [
        .init(
          status: "200", about: "The record remains, in another state.", schema: name,
          headers: [Self.tag]),
        .init(status: "204", about: "The record is deleted."),
      ],
      problems: [404, 409, 412, 422, 428]
    ).json
  }

  private static let tag = JSON.Member("ETag", ["$ref": "#/components/headers/ETag"])

  private var condition: JSON {
    [
      "name": "If-Match", "in": "header", "required": true,
      "description": "The ETag of the version to change.",
      "schema": ["type": "string"],
    ]
  }

  /// OpenAPI links from a new record to the operations on it.
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
}
