extension Resource {
  /// Values of a module that API clients can read as JSON but not change, such as public
  /// statistics.
  ///
  /// The resource is served below `/api/v1/ID` and described in `/api/v1/openapi.json`, like a
  /// ``Resource``.
  public struct ReadOnly: Sendable {
    /// The path below the module's own; `{name}` matches one segment and becomes a parameter of the
    /// request.
    public let pattern: String
    /// The name of one value in the API description: a singular noun, such as `Country`.
    public let name: String
    /// A sentence in English for the API description.
    public let about: String
    /// The visitors who may read the resource.
    public let access: Access
    /// The JSON Schema of one value.
    package let schema: JSON
    package let answer: Answer

    package enum Answer: Sendable {
      case list(@Sendable (Context) throws -> [JSON])
      case value(@Sendable (Context) throws -> JSON)
    }

    /// Returns a resource with a paged list of values, in the order of `values`.
    public static func list(
      _ pattern: StaticString, of name: StaticString, about: String, schema: JSON,
      access: Access = .signedIn,
      values: @escaping @Sendable (Context) throws -> [JSON]
    ) -> ReadOnly {
      ReadOnly(
        pattern: pattern.description, name: name.description, about: about, access: access,
        schema: schema, answer: .list(values))
    }

    /// Returns a resource with a single value. `value` throws ``Refusal/notFound`` if the
    /// parameters match none.
    public static func value(
      _ pattern: StaticString, of name: StaticString, about: String, schema: JSON,
      access: Access = .signedIn,
      value: @escaping @Sendable (Context) throws -> JSON
    ) -> ReadOnly {
      ReadOnly(
        pattern: pattern.description, name: name.description, about: about, access: access,
        schema: schema, answer: .value(value))
    }
  }
}
