import PolyclinicCore

/// The part of the OpenAPI document about one read-only resource.
struct ReadOnlyDescription {
  let entry: APIDirectory.ReadOnlyEntry
  private var resource: Resource.ReadOnly { entry.resource }

  /// The schemas of a value and, for a list, of a page of values.
  var schemas: [JSON.Member] {
    let value = JSON.Member(resource.name, resource.schema)
    guard isList else { return [value] }
    return [
      value, JSON.Member("\(resource.name)List", OperationDescription.list(of: resource.name)),
    ]
  }

  private var isList: Bool { if case .list = resource.answer { true } else { false } }

  var path: JSON.Member {
    let names = entry.segments.compactMap(APIDirectory.ReadOnlyEntry.parameter)
    let parameters: [JSON] = names.map { name in
      [
        "name": .string(name), "in": "path", "required": true, "schema": ["type": "string"],
      ]
    }
    let get = OperationDescription(
      id: "\(isList ? "list" : "get")\(resource.name)", tag: resource.name, summary: resource.about,
      parameters: isList ? OperationDescription.listParameters : [],
      answers: [
        .init(
          status: "200", about: isList ? "A part of the list." : "The value.",
          schema: isList ? "\(resource.name)List" : resource.name)
      ],
      problems: isList ? [422] : [404, 422])
    return JSON.Member(entry.path, ["parameters": .array(parameters), "get": get.json])
  }
}
