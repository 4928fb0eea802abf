extension HTML {
  /// One detail of a record, as a name with its value or values.
  ///
  /// The initializers for a text or an optional value return nil if there is none, because a record
  /// shows only its known details. ``Context/facts(_:)`` renders them as a list.
  public struct Fact: Sendable {
    fileprivate let name: Text
    fileprivate let content: Content

    /// The usual length of a fact's markup, in bytes.
    fileprivate static let usualLength = 96

    fileprivate enum Content {
      case text(String)
      case lines(String)
      case value(HTML)
      case valueWithLines(HTML)
      case values(HTML)
    }

    private init(_ name: Text, content: Content) {
      self.name = name
      self.content = content
    }

    /// Creates a fact with several values, each of which is a `dd`.
    public init(_ name: Text, values: HTML) { self.init(name, content: .values(values)) }

    /// Creates a fact with one value; nil if there is none.
    public init?(_ name: Text, _ value: HTML?) {
      guard let value else { return nil }
      self.init(name, value)
    }

    /// Creates a fact with one value.
    public init(_ name: Text, _ value: HTML) { self.init(name, content: .value(value)) }

    /// Creates a fact with a text in any language, on one line; nil if it is empty.
    public init?(_ name: Text, text: String) {
      if text.isEmpty { return nil }
      self.init(name, content: .text(text))
    }

    /// Creates a fact with a text in any language that keeps its line ends; nil if it is empty.
    public init?(_ name: Text, lines: String) {
      if lines.isEmpty { return nil }
      self.init(name, content: .lines(lines))
    }

    /// Creates a fact with one value that keeps its line ends; nil if there is none.
    public init?(_ name: Text, keepingLines value: HTML?) {
      guard let value else { return nil }
      self.init(name, content: .valueWithLines(value))
    }
  }
}

extension Context {
  /// Returns the details of one record as a list, without those that are nil.
  ///
  /// ```swift
  /// context.facts([
  ///   HTML.Fact("field.phone", text: clinic.phone), HTML.Fact("people.state", state),
  /// ])
  /// ```
  public func facts(_ facts: [HTML.Fact?]) -> HTML {
    "<dl class=\"details\">\(facts, in: self)</dl>"
  }
}

extension HTML.StringInterpolation {
  // Each fact is written into the buffer of its list, because a buffer of its own would be
  // allocated and copied.
  fileprivate mutating func appendInterpolation(_ facts: [HTML.Fact?], in context: Context) {
    reserve(facts.count * HTML.Fact.usualLength)
    for case let fact? in facts {
      appendLiteral("<div><dt>")
      appendInterpolation(context.text(fact.name))
      appendLiteral("</dt>")
      appendInterpolation(fact.content)
      appendLiteral("</div>")
    }
  }

  private mutating func appendInterpolation(_ content: HTML.Fact.Content) {
    switch content {
    case .text(let text): append("<dd><bdi>", text, "</bdi></dd>")
    case .lines(let text): append("<dd class=\"lines\"><bdi>", text, "</bdi></dd>")
    case .value(let value): append("<dd>", value, "</dd>")
    case .valueWithLines(let value): append("<dd class=\"lines\">", value, "</dd>")
    case .values(let values): appendInterpolation(values)
    }
  }

  private mutating func append(_ start: StaticString, _ text: String, _ end: StaticString) {
    appendLiteral(start)
    appendInterpolation(text)
    appendLiteral(end)
  }

  private mutating func append(_ start: StaticString, _ value: HTML, _ end: StaticString) {
    appendLiteral(start)
    appendInterpolation(value)
    appendLiteral(end)
  }
}
