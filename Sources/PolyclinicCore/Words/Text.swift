/// The key of a sentence in a catalog, with the values for its placeholders.
///
/// Written as a literal, `"list.empty"`; a module's own catalog is asked first, then the shared one.
public struct Text: Sendable, Hashable, ExpressibleByStringLiteral {
  /// What catalogs call the sentence.
  public let key: String
  /// What selects the plural form, and fills `{count}`.
  public var count: Int?
  private var rest = Rest.nothing

  /// What few sentences have, apart from them: all others are copied for nothing, hundreds of times a page.
  private indirect enum Rest: Sendable, Hashable {
    case nothing
    case parts(Parts)
  }

  private struct Parts: Sendable, Hashable {
    var arguments: [String: String] = [:]
    var values: [String: Value] = [:]
    var module: ModuleID?
  }

  /// The literal is used where it lies in the program: nothing is copied.
  public init(stringLiteral key: String) { self.key = key }

  /// A sentence whose key or values are known at run time only.
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

  /// What stands in place of `{name}`, by name.
  public var arguments: [String: String] {
    get { parts.arguments }
    set { parts.arguments = newValue }
  }
  /// What stands in place of `{name}` in the language of whoever reads it, by name.
  public var values: [String: Value] {
    get { parts.values }
    set { parts.values = newValue }
  }
  /// Whose catalog has the sentence, where that is not the module that shows it.
  package var module: ModuleID? {
    get { if case .parts(let parts) = rest { parts.module } else { nil } }
    set { parts.module = newValue }
  }
}
