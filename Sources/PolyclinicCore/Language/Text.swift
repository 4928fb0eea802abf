/// The key of a translatable sentence, with values for its placeholders.
///
/// A literal such as `"list.empty"` is a key. It is looked up in the module's own catalog first,
/// then in the shared one.
public struct Text: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The sentence's key in the catalogs.
  public let key: String
  /// The number that selects the plural form and replaces `{count}`.
  public var count: Int?
  private var rest = Rest.nothing

  /// The rarely used fields, stored indirectly because most texts lack them and are copied hundreds
  /// of times a page.
  private indirect enum Rest: Sendable, Hashable {
    case nothing
    case parts(Parts)
  }

  private struct Parts: Sendable, Hashable {
    var arguments: [String: String] = [:]
    var values: [String: Value] = [:]
    var module: ModuleID?
  }

  /// Creates a text from a literal key, without copying the literal.
  public init(stringLiteral key: String) { self.key = key }

  /// Creates a text with a key or values that are known only at run time.
  public init(
    _ key: String, _ arguments: [String: String] = [:], values: [String: Value] = [:],
    count: Int? = nil
  ) {
    self.key = key
    self.count = count
    if !arguments.isEmpty || !values.isEmpty {
      rest = .parts(Parts(arguments: arguments, values: values))
    }
  }

  private var parts: Parts {
    get { if case .parts(let parts) = rest { parts } else { Parts() } }
    set { rest = newValue == Parts() ? .nothing : .parts(newValue) }
  }

  /// The values of placeholders, by the placeholder's name.
  public var arguments: [String: String] {
    get { parts.arguments }
    set { parts.arguments = newValue }
  }
  /// The values of placeholders that are formatted in the reader's language, by the placeholder's
  /// name.
  public var values: [String: Value] {
    get { parts.values }
    set { parts.values = newValue }
  }
  /// The module whose catalog has the sentence; nil for the module that shows it.
  package var module: ModuleID? {
    get { if case .parts(let parts) = rest { parts.module } else { nil } }
    set { parts.module = newValue }
  }
}

extension Text {
  /// Returns the same text, looked up in the catalog of `module`, for a text that one module passes
  /// to another.
  public func spoken(by module: ModuleID) -> Text {
    var text = self
    text.module = module
    return text
  }
}
