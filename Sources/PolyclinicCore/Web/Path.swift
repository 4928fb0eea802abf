/// The path of a page in this portal. Interpolated values are percent-encoded as one segment.
///
/// `"/contacts/\(id)"` is absolute; `"\(id)/edit"` and `""` are relative to the module that uses
/// them.
public struct Path: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The percent-encoded path.
  public let description: String

  private init(unchecked description: String) { self.description = description }

  /// Creates a path from a literal in the source.
  public init(stringLiteral value: StaticString) { description = value.description }

  /// Creates a path with the interpolated values percent-encoded.
  public init(stringInterpolation: StringInterpolation) {
    description = stringInterpolation.text
  }

  /// Creates a path from a browser's request, such as `?next=`. Returns nil unless the path is
  /// local.
  ///
  /// A local path begins with exactly one slash and contains no backslash and no control character
  /// (OWASP, unvalidated redirects).
  public init?(local text: String) {
    guard text.hasPrefix("/"), !text.hasPrefix("//"), text.utf8.count <= 2_000,
      text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0 != "\\" && $0.value < 0x7F })
    else { return nil }
    description = text
  }

  /// Creates a path from a request that the router has matched; it needs no further checks.
  package init(checked path: String) { description = path }

  /// True if the path begins with a slash and is therefore not relative to a module.
  public var isAbsolute: Bool { description.utf8.first == UInt8(ascii: "/") }

  /// Returns the absolute path; a relative path is resolved below the module.
  public func resolved(in module: ModuleID) -> Path {
    if isAbsolute { return self }
    let isModuleItself = description.isEmpty || description.hasPrefix("?")
    return Path(unchecked: "/\(module)\(isModuleItself ? "" : "/")\(description)")
  }

  /// Returns this path with each `{name}` replaced by its value.
  package func filled(with parameters: [String: String]) -> Path {
    var text = description
    for (name, value) in parameters {
      text = text.replacing("{\(name)}", with: percentEncoded(value))
    }
    return Path(unchecked: text)
  }

  /// Returns this path with percent-encoded pairs as its query, or after the query that it has.
  public func query(_ pairs: KeyValuePairs<String, String>) -> Path { query(Fields(pairs)) }

  /// Returns this path with the fields as its query, in order, or after the query that it has.
  public func query(_ fields: Fields) -> Path {
    var bytes = Array(description.utf8)
    bytes.reserveCapacity(bytes.count + 32 * fields.pairs.count)
    var separator = bytes.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?")
    for pair in fields.pairs {
      bytes.append(separator)
      separator = UInt8(ascii: "&")
      bytes.append(percentEncoding: pair.name.utf8)
      bytes.append(UInt8(ascii: "="))
      bytes.append(percentEncoding: pair.value.utf8)
    }
    return Path(unchecked: String(decoding: bytes, as: UTF8.self))
  }

  /// Collects literals and percent-encoded segments.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    /// Creates an interpolation; called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 8 * interpolationCount)
    }

    /// Appends a literal in the source, without encoding.
    public mutating func appendLiteral(_ literal: StaticString) { text += literal.description }
    /// Appends a number.
    public mutating func appendInterpolation(_ number: Int) { text += String(number) }
    /// Appends a number.
    public mutating func appendInterpolation(_ number: Int64) { text += String(number) }
    /// Appends the number of a record.
    public mutating func appendInterpolation<Record>(_ id: ID<Record>) { text += id.description }
    /// Appends the name of a module.
    public mutating func appendInterpolation(_ id: ModuleID) { text += id.rawValue }
    /// Appends a text as one segment, with its slashes percent-encoded too.
    public mutating func appendInterpolation(_ segment: String) { text += percentEncoded(segment) }
    /// Appends a date as `YYYY-MM-DD`.
    public mutating func appendInterpolation(_ date: CalendarDate) { text += date.description }
    /// Appends a time of day as `HH:MM`.
    public mutating func appendInterpolation(_ time: TimeOfDay) { text += time.description }
    /// Appends a path unchanged.
    public mutating func appendInterpolation(_ path: Path) { text += path.description }
  }
}

/// Returns the text with all characters percent-encoded except RFC 3986's unreserved ones.
public func percentEncoded(_ text: String) -> String {
  text.utf8.allSatisfy(\.isUnreserved) ? text : percentEncoded(text.utf8)
}

private func percentEncoded(_ text: some Collection<UInt8>) -> String {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(3 * text.count)
  bytes.append(percentEncoding: text)
  return String(decoding: bytes, as: UTF8.self)
}

extension [UInt8] {
  fileprivate mutating func append(percentEncoding text: some Collection<UInt8>) {
    if text.allSatisfy(\.isUnreserved) { return append(contentsOf: text) }
    for byte in text {
      if byte.isUnreserved {
        append(byte)
      } else {
        append(UInt8(ascii: "%"))
        append((byte >> 4).hexadecimalDigit)
        append((byte & 15).hexadecimalDigit)
      }
    }
  }
}

extension UInt8 {
  /// True for an unreserved character (RFC 3986, 2.3).
  fileprivate var isUnreserved: Bool {
    isASCIILetterOrDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
      || self == UInt8(ascii: "_") || self == UInt8(ascii: "~")
  }

  fileprivate var hexadecimalDigit: UInt8 {
    self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10
  }
}

/// A URL outside of the portal with a scheme that cannot run code: `https:`, `http:`, `webcal:`,
/// `tel:`, `mailto:` or `geo:`.
public struct OutsideLink: Sendable, Hashable, CustomStringConvertible {
  /// The whole URL.
  public let description: String

  /// Creates a link to a URL that the caller has checked.
  package init(description: String) { self.description = description }

  /// Returns the first telephone number in a text as a `tel:` URL (RFC 3966) with its extension;
  /// nil if the text has none, or does not show where it ends.
  ///
  /// The link holds less than the text, so show the whole text beside it.
  public static func telephone(_ text: String) -> OutsideLink? {
    TelephoneNumber(text).map { OutsideLink(description: $0.url) }
  }

  /// The host of a web address, such as `www.who.int`; empty for other schemes.
  public var host: String {
    let parts = description.utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].last == UInt8(ascii: ":"), parts[1].isEmpty else { return "" }
    return String(Substring(parts[2].prefix { !"/?#".utf8.contains($0) }))
  }

  /// Returns an e-mail address as a `mailto:` URL (RFC 6068); nil unless one `@` separates two
  /// parts.
  public static func mail(_ address: String) -> OutsideLink? {
    let at = UInt8(ascii: "@")
    guard let middle = address.utf8.firstIndex(of: at), middle > address.startIndex else {
      return nil
    }
    let (name, domain) = (address.utf8[..<middle], address.utf8[middle...].dropFirst())
    guard !domain.isEmpty, !domain.contains(at) else { return nil }
    return OutsideLink(description: "mailto:\(percentEncoded(name))@\(percentEncoded(domain))")
  }

  /// Returns an address that begins with `https://` or `http://` and contains no space or control
  /// character. An address without a scheme gets `https://`. Returns nil for anything else.
  public static func web(_ address: String) -> OutsideLink? {
    let lowered = address.lowercased()
    let hasScheme = lowered.hasPrefix("https://") || lowered.hasPrefix("http://")
    guard hasScheme || (address.contains(".") && !address.contains(":")),
      address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && $0 != "\\" })
    else { return nil }
    return OutsideLink(description: hasScheme ? address : "https://" + address)
  }
}
