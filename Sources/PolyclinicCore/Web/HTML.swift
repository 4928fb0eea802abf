/// Markup in UTF-8 that escapes interpolated values, both in text and in quoted attributes.
///
/// There is no initializer from `String` and no way around the escaping, so that user input cannot
/// become markup. All markup of a page is written as literals in the source.
public struct HTML: Sendable, ExpressibleByStringInterpolation {
  // Unsafe: `+=` must check that the buffer is uniquely referenced before it appends.
  private nonisolated(unsafe) var buffer: MarkupBuffer

  private static let nothing = HTML("")

  /// Creates empty markup.
  public init() { self = Self.nothing }

  /// Creates markup from a literal in the source, without escaping.
  public init(stringLiteral value: StaticString) {
    buffer = .empty(capacity: value.utf8CodeUnitCount)
    MarkupBuffer.append(value, to: &buffer)
  }

  /// Creates markup with the interpolated values escaped.
  public init(stringInterpolation: StringInterpolation) { buffer = stringInterpolation.buffer }

  /// The markup in UTF-8.
  public var bytes: [UInt8] { buffer.withBytes(Array.init) }

  /// Calls `body` with the markup in UTF-8, without copying it.
  package func withBytes<Value>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
  ) rethrows -> Value {
    try buffer.withBytes(body)
  }

  /// The size of the markup in UTF-8.
  package var byteCount: Int { buffer.count }

  /// True if the markup is empty.
  public var isEmpty: Bool { buffer.count == 0 }

  /// Returns the markup of both, one after the other.
  public static func + (one: HTML, other: HTML) -> HTML { "\(one)\(other)" }

  /// Appends markup.
  public static func += (one: inout HTML, other: HTML) {
    if !isKnownUniquelyReferenced(&one.buffer) {
      one.buffer = one.buffer.copy(growingBy: other.buffer.count)
    }
    MarkupBuffer.append(other.buffer, to: &one.buffer)
  }

  /// Collects literals and escaped values in one buffer.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var buffer: MarkupBuffer

    /// Creates an interpolation; called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {
      // Enough for most rows of a list, which thus never grow.
      buffer = .empty(capacity: literalCapacity + 80 * interpolationCount)
    }

    /// Appends a literal in the source, without escaping.
    @inlinable
    public mutating func appendLiteral(_ literal: StaticString) {
      // Skips the empty literal between two adjacent values, so that the compiler removes the call.
      if literal.hasPointerRepresentation && literal.utf8CodeUnitCount == 0 { return }
      append(literal)
    }

    @usableFromInline
    mutating func append(_ literal: StaticString) { MarkupBuffer.append(literal, to: &buffer) }

    /// Appends the text, escaped. Not allowed at the beginning of a URL attribute, where a
    /// `javascript:` URL could be injected: interpolate a ``Path`` or an ``OutsideLink`` instead.
    public mutating func appendInterpolation(_ text: String) {
      assert(!startsAddress, "a String cannot be an address: interpolate a Path or an OutsideLink")
      MarkupBuffer.append(escaping: text, to: &buffer)
    }
    /// Appends a part of a text, escaped.
    public mutating func appendInterpolation(_ text: Substring) {
      appendInterpolation(String(text))
    }
    /// Appends a text in its original spelling, escaped.
    public mutating func appendInterpolation(_ text: SearchText) {
      text.withOriginal { MarkupBuffer.append(escaping: $0, to: &buffer) }
    }
    /// Appends UTF-8 text that this portal has written, escaped.
    public mutating func appendInterpolation(utf8 text: ArraySlice<UInt8>) {
      text.withUnsafeBufferPointer { MarkupBuffer.append(escaping: $0, to: &buffer) }
    }
    /// Appends a text from the source, such as an attribute's value, escaped like any other text.
    public mutating func appendInterpolation(_ text: StaticString) {
      MarkupBuffer.append(escaping: text.description, to: &buffer)
    }
    /// Appends a number in plain decimal digits, for attributes. Use ``Formats`` for numbers that
    /// users read.
    public mutating func appendInterpolation(_ number: Int) {
      MarkupBuffer.append(decimal: Int64(number), to: &buffer)
    }
    /// Appends a number in plain decimal digits if `isPresent` is true.
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
    /// Appends the address of a page of this portal, which must begin with a slash.
    public mutating func appendInterpolation(_ path: Path) {
      assert(path.isAbsolute, "a page's address begins with a slash")
      MarkupBuffer.append(escaping: path.description, to: &buffer)
    }
    /// Appends an address outside of this portal.
    public mutating func appendInterpolation(_ link: OutsideLink) {
      MarkupBuffer.append(escaping: link.description, to: &buffer)
    }
    /// Appends markup.
    public mutating func appendInterpolation(_ part: HTML) {
      MarkupBuffer.append(part.buffer, to: &buffer)
    }
    /// Appends markup; nothing if it is nil.
    public mutating func appendInterpolation(_ part: HTML?) {
      if let part { appendInterpolation(part) }
    }
    /// Appends pieces of markup in order.
    public mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { appendInterpolation(part) }
    }
    /// Appends the markup that `view` returns for each element, in order.
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
    /// Appends an attribute if `isPresent` is true, such as
    /// `\(attribute: " selected", if: isChosen)`.
    public mutating func appendInterpolation(
      attribute: StaticString, if isPresent: Bool
    ) {
      if isPresent { MarkupBuffer.append(attribute, to: &buffer) }
    }

    /// Reserves space for all remaining elements at once, because most are about as long as the
    /// first.
    @usableFromInline
    mutating func append(_ part: HTML, followedBy count: Int) {
      if count > 0 && buffer.room < part.buffer.count {
        buffer = buffer.copy(growingBy: part.buffer.count * (count + 1) * 5 / 4)
      }
      MarkupBuffer.append(part.buffer, to: &buffer)
    }

    /// Appends a part of other markup.
    mutating func append(markup bytes: UnsafeBufferPointer<UInt8>) {
      MarkupBuffer.append(bytes, to: &buffer)
    }

    /// Makes room for `count` more bytes, so that a list of parts grows its buffer once.
    mutating func reserve(_ count: Int) {
      if buffer.room < count { buffer = buffer.copy(growingBy: count) }
    }

    /// Appends nothing, and makes room for `count` bytes of a page whose size is known before it is
    /// assembled.
    package mutating func appendInterpolation(room count: Int) { reserve(count) }

    private var startsAddress: Bool {
      buffer.withBytes { bytes in
        ["href=\"", "src=\"", "action=\""].contains {
          bytes.suffix($0.utf8.count).elementsEqual($0.utf8)
        }
      }
    }
  }
}
