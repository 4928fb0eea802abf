/// Markup in UTF-8 whose interpolated values are escaped, in text and in quoted attributes alike.
///
/// There is no initializer from `String` and nothing that skips the escaping: what a person typed
/// cannot become markup. Only what reads like HTML in the source is HTML on the page.
public struct HTML: Sendable, ExpressibleByStringInterpolation {
  // Unsafe: who appends makes sure first that nobody else holds the buffer.
  private nonisolated(unsafe) var buffer: MarkupBuffer

  private static let nothing = HTML("")

  /// No markup at all.
  public init() { self = Self.nothing }

  /// Markup that stands in the source as it is.
  public init(stringLiteral value: StaticString) {
    buffer = .empty(capacity: value.utf8CodeUnitCount)
    MarkupBuffer.append(value, to: &buffer)
  }

  /// Markup with the values that were interpolated, escaped.
  public init(stringInterpolation: StringInterpolation) { buffer = stringInterpolation.buffer }

  /// The markup in UTF-8.
  public var bytes: [UInt8] { buffer.withBytes(Array.init) }

  /// Lends the markup in UTF-8.
  package func withBytes<Value>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
  ) rethrows -> Value {
    try buffer.withBytes(body)
  }

  /// Whether there is no markup at all.
  public var isEmpty: Bool { buffer.count == 0 }

  /// The markup of both, one behind the other.
  public static func + (one: HTML, other: HTML) -> HTML { "\(one)\(other)" }

  /// Appends markup behind what is there.
  public static func += (one: inout HTML, other: HTML) {
    if !isKnownUniquelyReferenced(&one.buffer) {
      one.buffer = one.buffer.copy(growingBy: other.buffer.count)
    }
    MarkupBuffer.append(other.buffer, to: &one.buffer)
  }

  /// Collects literals and escaped values in one buffer.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var buffer: MarkupBuffer

    /// Called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {
      buffer = .empty(capacity: literalCapacity + 24 * interpolationCount)
    }

    /// Appends markup as it stands in the source.
    @inlinable
    public mutating func appendLiteral(_ literal: StaticString) {
      // Nothing stands between two values that follow one another: the compiler leaves it out.
      if literal.hasPointerRepresentation && literal.utf8CodeUnitCount == 0 { return }
      append(literal)
    }

    @usableFromInline
    mutating func append(_ literal: StaticString) { MarkupBuffer.append(literal, to: &buffer) }

    /// Appends the text, escaped. Not allowed where an address begins: there a ``Path`` or an
    /// ``OutsideLink`` stands, which cannot be a `javascript:` one.
    public mutating func appendInterpolation(_ text: String) {
      assert(!startsAddress, "a String cannot be an address: interpolate a Path or an OutsideLink")
      MarkupBuffer.append(escaping: text, to: &buffer)
    }
    /// Appends a part of a text, escaped.
    public mutating func appendInterpolation(_ text: Substring) {
      appendInterpolation(String(text))
    }
    /// Appends a text in the spelling in which it was written, escaped.
    public mutating func appendInterpolation(_ text: SearchText) {
      text.withOriginal { MarkupBuffer.append(escaping: $0, to: &buffer) }
    }
    /// Appends the first character of a text, escaped.
    public mutating func appendInterpolation(initialOf text: SearchText) {
      text.withInitial { MarkupBuffer.append(escaping: $0, to: &buffer) }
    }
    /// Appends a text that was read as UTF-8 from what this portal has written, escaped.
    public mutating func appendInterpolation(utf8 text: ArraySlice<UInt8>) {
      text.withUnsafeBufferPointer { MarkupBuffer.append(escaping: $0, to: &buffer) }
    }
    /// Appends a text of the source, such as an attribute's value, escaped like any other.
    public mutating func appendInterpolation(_ text: StaticString) {
      MarkupBuffer.append(escaping: text.description, to: &buffer)
    }
    /// Appends a number in plain decimal digits: for attributes, not for people.
    public mutating func appendInterpolation(_ number: Int) {
      MarkupBuffer.append(decimal: Int64(number), to: &buffer)
    }
    /// Appends a number in plain decimal digits, or nothing.
    public mutating func appendInterpolation(_ number: Int, if isPresent: Bool) {
      if isPresent { appendInterpolation(number) }
    }
    /// Appends a number in plain decimal digits.
    public mutating func appendInterpolation(_ number: Int64) {
      MarkupBuffer.append(decimal: number, to: &buffer)
    }
    /// Appends the number of a record.
    public mutating func appendInterpolation<Record>(_ id: ID<Record>) {
      MarkupBuffer.append(decimal: id.rawValue, to: &buffer)
    }
    /// Appends the address of a page here; it begins with a slash.
    public mutating func appendInterpolation(_ path: Path) {
      assert(path.isAbsolute, "a page's address begins with a slash")
      MarkupBuffer.append(escaping: path.description, to: &buffer)
    }
    /// Appends an address elsewhere.
    public mutating func appendInterpolation(_ link: OutsideLink) {
      MarkupBuffer.append(escaping: link.description, to: &buffer)
    }
    /// Appends markup.
    public mutating func appendInterpolation(_ part: HTML) {
      MarkupBuffer.append(part.buffer, to: &buffer)
    }
    /// Appends markup, or nothing.
    public mutating func appendInterpolation(_ part: HTML?) {
      if let part { appendInterpolation(part) }
    }
    /// Appends pieces of markup in their order.
    public mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { appendInterpolation(part) }
    }
    /// Appends what `view` makes of each element, in order.
    @inlinable
    public mutating func appendInterpolation<Elements: Sequence>(
      each elements: Elements, _ view: (Elements.Element) throws -> HTML
    ) rethrows {
      var count = elements.underestimatedCount
      for element in elements {
        append(try view(element), followedBy: count - 1)
        count -= 1
      }
    }
    /// Appends the attribute with its name, or nothing: `<option\(attribute: " selected", if: chosen)>`.
    public mutating func appendInterpolation(
      attribute: StaticString, if isPresent: Bool
    ) {
      if isPresent { MarkupBuffer.append(attribute, to: &buffer) }
    }

    /// Most elements are about as long as the first: room is made once for all of them.
    @usableFromInline
    mutating func append(_ part: HTML, followedBy count: Int) {
      if count > 0 && buffer.room < part.buffer.count {
        buffer = buffer.copy(growingBy: part.buffer.count * (count + 1) * 5 / 4)
      }
      MarkupBuffer.append(part.buffer, to: &buffer)
    }

    private var startsAddress: Bool {
      buffer.withBytes { bytes in
        ["href=\"", "src=\"", "action=\""].contains {
          bytes.suffix($0.utf8.count).elementsEqual($0.utf8)
        }
      }
    }
  }
}
