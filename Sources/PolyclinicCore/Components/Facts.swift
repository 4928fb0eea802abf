extension HTML {
  /// One detail of a record, as a name with its value or values.
  ///
  /// The initializers for a text or an optional value return nil if there is none, because a record
  /// shows only its known details. ``Context/facts(_:)`` renders them as a list.
  public struct Fact: Sendable {
    fileprivate let name: Text
    fileprivate let values: HTML

    /// Creates a fact with several values, each of which is a `dd`.
    public init(_ name: Text, values: HTML) {
      self.name = name
      self.values = values
    }

    /// Creates a fact with one value; nil if there is none.
    public init?(_ name: Text, _ value: HTML?) {
      guard let value else { return nil }
      self.init(name, value)
    }

    /// Creates a fact with one value.
    public init(_ name: Text, _ value: HTML) { self.init(name, values: "<dd>\(value)</dd>") }

    /// Creates a fact with a text in any language, on one line; nil if it is empty.
    public init?(_ name: Text, text: String) {
      if text.isEmpty { return nil }
      self.init(name, "<bdi>\(text)</bdi>")
    }

    /// Creates a fact with a text in any language that keeps its line ends; nil if it is empty.
    public init?(_ name: Text, lines: String) {
      if lines.isEmpty { return nil }
      self.init(name, keepingLines: "<bdi>\(lines)</bdi>")
    }

    /// Creates a fact with one value that keeps its line ends; nil if there is none.
    public init?(_ name: Text, keepingLines value: HTML?) {
      guard let value else { return nil }
      self.init(name, values: "<dd class=\"lines\">\(value)</dd>")
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
    """
    <dl class="details">\(each: facts.compactMap(\.self), {
      "<div><dt>\(text($0.name))</dt>\($0.values)</div>"
    })</dl>
    """
  }
}
