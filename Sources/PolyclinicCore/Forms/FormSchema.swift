/// The form as a JSON Schema (2020-12), the dialect of OpenAPI 3.1, for requests and responses.
extension Form {
  /// Returns the schema of the object that ``fields(from:ignoring:)`` accepts. `words`
  /// translates labels into the language of the document.
  func schemaOfSent(_ words: (Text) -> String, also ignored: [JSON.Member] = []) -> JSON {
    var members: [JSON.Member] = []
    var required: [JSON] = []
    for leaf in leaves {
      switch leaf {
      case .single(let single):
        let control = single.control
        let blank = single.text(blank)
        members.append(JSON.Member(control.name, control.schemaOfSent(words, blank: blank)))
        if control.isRequired && blank.isEmpty { required.append(.string(control.name)) }
      case .rows(let rows): members.append(rows.schema { $0.schemaOfSent(words, blank: $1) })
      case .group: break
      }
    }
    return objectSchema(members + ignored, required: required)
  }

  /// Returns the schemas of the members of ``json(_:)``.
  func membersOfAnswered(_ words: (Text) -> String) -> [JSON.Member] {
    leaves.compactMap { leaf in
      switch leaf {
      case .single(let single) where single.control.isPassword: nil
      case .single(let single):
        JSON.Member(single.control.name, single.control.schemaOfAnswered(words))
      case .rows(let rows): rows.schema { control, _ in control.schemaOfAnswered(words) }
      case .group: nil
      }
    }
  }
}

/// Returns the schema of an object with these members and no others.
package func objectSchema(_ members: [JSON.Member], required: [JSON]) -> JSON {
  var schema: [JSON.Member] = [
    JSON.Member("type", "object"), JSON.Member("properties", .object(members)),
  ]
  if !required.isEmpty { schema.append(JSON.Member("required", .array(required))) }
  schema.append(JSON.Member("additionalProperties", false))
  return .object(schema)
}

extension Field.Rows {
  fileprivate func schema(_ column: (Control, String) -> JSON) -> JSON.Member {
    let members = zip(columns, blank).map { JSON.Member($0.name, column($0, $1)) }
    let required = zip(columns, blank).filter { $0.isRequired && $1.isEmpty }
      .map { JSON.string($0.0.name) }
    return JSON.Member(
      name + "s",
      [
        "type": "array", "maxItems": .integer(Int64(limit)),
        "items": objectSchema(members, required: required),
      ])
  }
}

extension Control {
  /// Returns the schema of the values that may be sent. An optional field also accepts null.
  fileprivate func schemaOfSent(_ words: (Text) -> String, blank: String) -> JSON {
    var schema = [JSON.Member("title", .string(words(label)))]
    if let hint { schema.append(JSON.Member("description", .string(words(hint)))) }
    let mayLack = !isRequired
    func add(_ types: JSON..., rest: [JSON.Member]) -> JSON {
      let all = mayLack ? types + ["null"] : types
      let type = all.count == 1 ? all[0] : .array(all)
      return .object([JSON.Member("type", type)] + schema + rest)
    }
    switch kind {
    case .check:
      if isRequired { schema.append(JSON.Member("const", true)) }
      return .object([JSON.Member("type", "boolean")] + schema)
    case .date: return add("string", rest: [JSON.Member("format", "date")])
    case .dateTime: return add("string", rest: [JSON.Member("format", "date-time")])
    case .time: return add("string", rest: [JSON.Member("pattern", .string(Self.timePattern))])
    case .number, .unseen: return add("number", "string", rest: bounds + lengths)
    case .integer: return add("integer", "string", rest: bounds + lengths)
    case .choice:
      guard let values else { return add("string", rest: lengths) }
      schema.append(JSON.Member("enum", .array(values.map { .string($0) })))
      if !blank.isEmpty { schema.append(JSON.Member("default", .string(blank))) }
      return .object([JSON.Member("type", "string")] + schema)
    default:
      return add("string", rest: lengths)
    }
  }

  /// Returns the schema of the values in responses.
  fileprivate func schemaOfAnswered(_ words: (Text) -> String) -> JSON {
    func schema(_ type: JSON, _ rest: [JSON.Member] = []) -> JSON {
      .object(
        [JSON.Member("type", type), JSON.Member("title", .string(words(label)))] + rest)
    }
    switch kind {
    case .check: return schema("boolean")
    case .date: return schema(["string", "null"], [JSON.Member("format", "date")])
    case .dateTime: return schema(["string", "null"], [JSON.Member("format", "date-time")])
    case .time: return schema(["string", "null"])
    case .number, .unseen: return schema(["number", "null"])
    case .integer: return schema(["integer", "null"])
    default:
      return schema("string")
    }
  }

  private static let timePattern = "^([01]?[0-9]|2[0-3]):[0-5][0-9]$"

  /// The bounds of a JSON number. They do not limit a string, in which a number may be written in
  /// any form.
  private var bounds: [JSON.Member] {
    guard let range else { return [] }
    return [
      JSON.Member("minimum", bound(range.lowerBound)),
      JSON.Member("maximum", bound(range.upperBound)),
    ]
  }

  private func bound(_ value: Double) -> JSON {
    Int64(exactly: value).map { .integer($0) } ?? .number(value)
  }

  private var lengths: [JSON.Member] {
    let least = isRequired ? [JSON.Member("minLength", 1)] : []
    return least + [JSON.Member("maxLength", .integer(Int64(limit)))]
  }
}
