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

    /// The function that reads the resource.
    public enum Answer: Sendable {
      /// Returns all values in their order; the API divides them into pages.
      case list(@Sendable (Context) throws -> [JSON])
      /// Returns a single value. Throws ``Refusal/notFound`` if the parameters match none.
      case value(@Sendable (Context) throws -> JSON)
    }

    /// Creates a resource of one value or a paged list.
    public init(
      _ pattern: StaticString, of name: StaticString, about: String, schema: JSON,
      access: Access = .signedIn, _ answer: Answer
    ) {
      self.pattern = pattern.description
      self.name = name.description
      self.about = about
      self.schema = schema
      self.access = access
      self.answer = answer
    }
  }
}
