/// The address of a page, with at most one value in its path, such as the number of a record.
///
/// Links to the page are made from it, so that its path is written once. A literal is the absolute
/// path with the value's name in braces: `"/contacts/{id}/edit"`.
public struct Address<Value>: Sendable, ExpressibleByStringLiteral {
  /// The path with the value's name in braces. A form that leads to it puts the value of its own
  /// address there.
  public let pattern: Path
  /// The text before the value, the value's name, and the text after it.
  private let (head, name, tail): (String, String, String)

  /// Creates an address from a literal in the source.
  public init(stringLiteral pattern: StaticString) {
    self.pattern = Path(stringLiteral: pattern)
    let text = pattern.description
    let start = text.firstIndex(of: "{") ?? text.endIndex
    let end = text.firstIndex(of: "}") ?? text.endIndex
    head = String(text[..<start])
    name = String(text[start..<end].dropFirst())
    tail = String(text[end...].dropFirst())
  }
}

extension Address where Value == Void {
  /// The path of the page.
  public var path: Path { pattern }
}

extension Address where Value: LosslessStringConvertible {
  /// Returns the path of the page with this value, which is percent-encoded as one segment.
  @inlinable
  public func path(_ value: Value) -> Path { path(segment: value.description) }

  @usableFromInline
  func path(segment: String) -> Path {
    // Short enough to need no memory for most records, of which a list shows many.
    let start = head + percentEncoded(segment)
    return Path(checked: tail.isEmpty ? start : start + tail)
  }

  /// Returns the value in the path of a request; throws ``Refusal/notFound`` if it is none.
  public func value(in context: Context) throws -> Value { try context.value(name) }
}
