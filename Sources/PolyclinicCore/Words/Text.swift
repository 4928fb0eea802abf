/// The key of a sentence in a catalog, with the values for its placeholders.
///
/// Written as a literal, `"list.empty"`; a module's own catalog is asked first, then the shared one.
public struct Text: Sendable, Hashable, ExpressibleByStringLiteral {
  /// What catalogs call the sentence.
  public let key: String
  /// What stands in place of `{name}`, by name.
  public var arguments: [String: String]
  /// What stands in place of `{name}` in the language of whoever reads it, by name.
  public var values: [String: Value]
  /// What selects the plural form, and fills `{count}`.
  public var count: Int?
  /// Whose catalog has the sentence, where that is not the module that shows it.
  package var module: ModuleID?

  /// The literal is used where it lies in the program: nothing is copied.
  public init(stringLiteral key: String) { self.init(key) }

  /// A sentence whose key or values are known at run time only.
  public init(
    _ key: String, _ arguments: [String: String] = [:], values: [String: Value] = [:],
    count: Int? = nil
  ) {
    self.key = key
    self.arguments = arguments
    self.values = values
    self.count = count
  }
}
