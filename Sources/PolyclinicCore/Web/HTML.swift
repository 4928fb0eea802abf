/// Markup in UTF-8 whose interpolated values are escaped, in text and in quoted attributes alike.
///
/// There is no initializer from `String` and nothing that skips the escaping: what a person typed
/// cannot become markup. Only what reads like HTML in the source is HTML on the page.
public struct HTML: Sendable, ExpressibleByStringInterpolation {
  /// The markup in UTF-8.
  public private(set) var bytes: [UInt8]

  /// No markup at all.
  public init() { bytes = [] }

  /// Markup that stands in the source as it is.
  public init(stringLiteral value: StaticString) {
    bytes = []
    bytes.append(value)
  }

  /// Markup with the values that were interpolated, escaped.
  public init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }

  /// Whether there is no markup at all.
  public var isEmpty: Bool { bytes.isEmpty }

  /// The markup of both, one behind the other.
  public static func + (one: HTML, other: HTML) -> HTML {
    var sum = one
    sum.bytes += other.bytes
    return sum
  }

  /// Appends markup behind what is there.
  public static func += (one: inout HTML, other: HTML) { one.bytes += other.bytes }

  /// Collects literals and escaped values in one buffer.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var bytes: [UInt8] = []

    /// Called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + 24 * interpolationCount)
    }

    /// Appends markup as it stands in the source.
    public mutating func appendLiteral(_ literal: StaticString) { bytes.append(literal) }

    /// Appends the text, escaped. Not allowed where an address begins: there a ``Path`` or an
    /// ``OutsideLink`` stands, which cannot be a `javascript:` one.
    public mutating func appendInterpolation(_ text: String) {
      assert(!startsAddress, "a String cannot be an address: interpolate a Path or an OutsideLink")
      bytes.append(escaping: text)
    }
    /// Appends a part of a text, escaped.
    public mutating func appendInterpolation(_ text: Substring) {
      appendInterpolation(String(text))
    }
    /// Appends a text of the source, such as an attribute's value, escaped like any other.
    public mutating func appendInterpolation(_ text: StaticString) {
      bytes.append(escaping: text.description)
    }
    /// Appends a number in plain decimal digits: for attributes, not for people.
    public mutating func appendInterpolation(_ number: Int) {
      bytes.append(decimal: Int64(number))
    }
    /// Appends a number in plain decimal digits.
    public mutating func appendInterpolation(_ number: Int64) { bytes.append(decimal: number) }
    /// Appends the number of a record.
    public mutating func appendInterpolation<Record>(_ id: ID<Record>) {
      bytes.append(decimal: id.rawValue)
    }
    /// Appends the address of a page here; it begins with a slash.
    public mutating func appendInterpolation(_ path: Path) {
      assert(path.isAbsolute, "a page's address begins with a slash")
      bytes.append(escaping: path.description)
    }
    /// Appends an address elsewhere.
    public mutating func appendInterpolation(_ link: OutsideLink) {
      bytes.append(escaping: link.description)
    }
    /// Appends markup.
    public mutating func appendInterpolation(_ part: HTML) { bytes += part.bytes }
    /// Appends markup, or nothing.
    public mutating func appendInterpolation(_ part: HTML?) {
      if let part { bytes += part.bytes }
    }
    /// Appends pieces of markup in their order.
    public mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { bytes += part.bytes }
    }
    /// Appends what `view` makes of each element, in order.
    @inlinable
    public mutating func appendInterpolation<Elements: Sequence>(
      each elements: Elements, _ view: (Elements.Element) throws -> HTML
    ) rethrows {
      for element in elements { append(try view(element)) }
    }
    /// Appends the attribute with its name, or nothing: `<option\(attribute: " selected", if: chosen)>`.
    public mutating func appendInterpolation(
      attribute: StaticString, if isPresent: Bool
    ) {
      if isPresent { bytes.append(attribute) }
    }

    @usableFromInline
    mutating func append(_ part: HTML) { bytes += part.bytes }

    private var startsAddress: Bool {
      bytes.suffix(6).elementsEqual("href=\"".utf8) || bytes.suffix(5).elementsEqual("src=\"".utf8)
        || bytes.suffix(8).elementsEqual("action=\"".utf8)
    }
  }
}

extension [UInt8] {
  /// Appends the text with `& < > " '` as character references, and without NUL.
  mutating func append(escaping text: String) {
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      for index in bytes.indices {
        let reference: StaticString
        switch bytes[index] {
        case UInt8(ascii: "&"): reference = "&amp;"
        case UInt8(ascii: "<"): reference = "&lt;"
        case UInt8(ascii: ">"): reference = "&gt;"
        case UInt8(ascii: "\""): reference = "&quot;"
        case UInt8(ascii: "'"): reference = "&#39;"
        case 0: reference = ""
        default: continue
        }
        append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
        append(reference)
        start = index + 1
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
    }
  }
}
