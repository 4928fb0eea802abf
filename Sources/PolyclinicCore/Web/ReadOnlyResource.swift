/// Values of a module that programs read over JSON and no request changes, such as public figures.
///
/// It stands below `/api/v1/ID` and is described by `/api/v1/openapi.json`, as a ``Resource`` is.
public struct ReadOnlyResource: Sendable {
  /// The path below the module's own; `{name}` stands for one segment, which the context's request has
  /// among its parameters.
  public let pattern: String
  /// The name of one value in the description: a singular noun, such as `Country`.
  public let name: String
  /// A sentence in English for the description.
  public let about: String
  /// Who may read it.
  public let access: Access
  /// The JSON Schema of one value.
  package let schema: JSON
  package let answer: Answer

  package enum Answer: Sendable {
    case list(@Sendable (Context, Connection) throws -> [JSON])
    case value(@Sendable (Context, Connection) throws -> JSON)
  }

  /// Values that are listed a part at a time, in the order in which `values` returns them.
  public static func list(
    _ pattern: StaticString, of name: StaticString, about: String, schema: JSON,
    access: Access = .signedIn,
    values: @escaping @Sendable (Context, Connection) throws -> [JSON]
  ) -> ReadOnlyResource {
    ReadOnlyResource(
      pattern: pattern.description, name: name.description, about: about, access: access,
      schema: schema, answer: .list(values))
  }

  /// One value; `value` throws ``Refusal/notFound`` where there is none of these parameters.
  public static func value(
    _ pattern: StaticString, of name: StaticString, about: String, schema: JSON,
    access: Access = .signedIn,
    value: @escaping @Sendable (Context, Connection) throws -> JSON
  ) -> ReadOnlyResource {
    ReadOnlyResource(
      pattern: pattern.description, name: name.description, about: about, access: access,
      schema: schema, answer: .value(value))
  }
}
