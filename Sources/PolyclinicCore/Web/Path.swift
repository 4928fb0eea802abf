/// A place in this portal; interpolated values are percent-encoded as one segment.
///
/// `"/contacts/\(id)"` is absolute; `"\(id)/edit"` and `""` belong to the module that says it.
public struct Path: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The path as it stands in an address, percent-encoded.
  public let description: String

  private init(unchecked description: String) { self.description = description }

  /// A path that stands in the source as it is.
  public init(stringLiteral value: StaticString) { description = value.description }

  /// A path with the values that were interpolated, percent-encoded.
  public init(stringInterpolation: StringInterpolation) {
    description = stringInterpolation.text
  }

  /// Takes a path that a browser sent back, such as `?next=`: only a local one, else nil.
  ///
  /// It begins with one slash, holds no backslash and no control character (OWASP, unvalidated redirects).
  public init?(local text: String) {
    guard text.hasPrefix("/"), !text.hasPrefix("//"), text.utf8.count <= 2_000,
      text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0 != "\\" && $0.value < 0x7F })
    else { return nil }
    description = text
  }

  /// Takes the path of a request for which a route was found: it is plain by then.
  package init(checked path: String) { description = path }

  /// Whether it begins with a slash, and so belongs to no module.
  public var isAbsolute: Bool { description.utf8.first == UInt8(ascii: "/") }

  /// The absolute path of what a module calls by a relative one.
  public func resolved(in module: ModuleID) -> Path {
    if isAbsolute { return self }
    let isModuleItself = description.isEmpty || description.hasPrefix("?")
    return Path(unchecked: "/\(module)\(isModuleItself ? "" : "/")\(description)")
  }

  /// This path with each `{name}` replaced by its value.
  package func filled(with parameters: [String: String]) -> Path {
    var text = description
    for (name, value) in parameters {
      text = text.replacing("{\(name)}", with: percentEncoded(value))
    }
    return Path(unchecked: text)
  }

  /// This path with a query of percent-encoded pairs.
  public func query(_ pairs: KeyValuePairs<String, String>) -> Path { query(Fields(pairs)) }

  /// This path with those fields, in their order, as its query.
  public func query(_ fields: Fields) -> Path {
    var bytes = Array(description.utf8)
    bytes.reserveCapacity(bytes.count + 32 * fields.pairs.count)
    for (index, pair) in fields.pairs.enumerated() {
      bytes.append(index == 0 ? UInt8(ascii: "?") : UInt8(ascii: "&"))
      bytes.append(percentEncoding: pair.name.utf8)
      bytes.append(UInt8(ascii: "="))
      bytes.append(percentEncoding: pair.value.utf8)
    }
    return Path(unchecked: String(decoding: bytes, as: UTF8.self))
  }

  /// Collects literals and percent-encoded segments.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    /// Called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 8 * interpolationCount)
    }

    /// Appends a part of the path as it stands in the source.
    public mutating func appendLiteral(_ literal: StaticString) { text += literal.description }
    /// Appends a number.
    public mutating func appendInterpolation(_ number: Int) { text += String(number) }
    /// Appends the number of a record.
    public mutating func appendInterpolation<Record>(_ id: ID<Record>) { text += id.description }
    /// Appends the name of a module.
    public mutating func appendInterpolation(_ id: ModuleID) { text += id.rawValue }
    /// Appends a text as one segment: its slashes are percent-encoded too.
    public mutating func appendInterpolation(_ segment: String) { text += percentEncoded(segment) }
    /// Appends a path as it is.
    public mutating func appendInterpolation(_ path: Path) { text += path.description }
  }
}

/// The text with all but RFC 3986's unreserved characters percent-encoded.
public func percentEncoded(_ text: String) -> String { percentEncoded(text.utf8) }

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
  /// RFC 3986, 2.3.
  fileprivate var isUnreserved: Bool {
    isASCIILetterOrDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
      || self == UInt8(ascii: "_") || self == UInt8(ascii: "~")
  }

  fileprivate var hexadecimalDigit: UInt8 {
    self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10
  }
}

/// An address outside the portal of a kind that cannot run anything: `https:`, `http:`, `tel:`,
/// `mailto:`, `geo:`.
public struct OutsideLink: Sendable, Hashable, CustomStringConvertible {
  /// The whole address.
  public let description: String

  /// A telephone number as `tel:` (RFC 3966), of its digits and a leading plus or star; nil without a digit.
  public static func telephone(_ number: String) -> OutsideLink? {
    let digits = number.utf8.filter(\.isASCIIDigit)
    guard !digits.isEmpty else { return nil }
    // Israel's short numbers begin with a star, which is dialled.
    let mark = number.first { !$0.isWhitespace }.flatMap { "+*".contains($0) ? String($0) : nil }
    return OutsideLink(description: "tel:\(mark ?? "")" + String(decoding: digits, as: UTF8.self))
  }

  /// The host of a web address, such as `www.who.int`; empty for any other kind.
  public var host: String {
    let parts = description.utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].last == UInt8(ascii: ":"), parts[1].isEmpty else { return "" }
    return String(Substring(parts[2].prefix { !"/?#".utf8.contains($0) }))
  }

  /// A mail address as `mailto:` (RFC 6068); nil when it has no `@` between two parts.
  public static func mail(_ address: String) -> OutsideLink? {
    let at = UInt8(ascii: "@")
    guard let middle = address.utf8.firstIndex(of: at), middle > address.startIndex else {
      return nil
    }
    let (name, domain) = (address.utf8[..<middle], address.utf8[middle...].dropFirst())
    guard !domain.isEmpty, !domain.contains(at) else { return nil }
    return OutsideLink(description: "mailto:\(percentEncoded(name))@\(percentEncoded(domain))")
  }

  /// An address that begins with `https://` or `http://` and holds no space or control character;
  /// one without a scheme is taken for `https`. Nil for anything else.
  public static func web(_ address: String) -> OutsideLink? {
    let lowered = address.lowercased()
    let hasScheme = lowered.hasPrefix("https://") || lowered.hasPrefix("http://")
    guard hasScheme || (address.contains(".") && !address.contains(":")),
      address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && $0 != "\\" })
    else { return nil }
    return OutsideLink(description: hasScheme ? address : "https://" + address)
  }

  /// A place as `geo:` (RFC 5870): telephones open it in the map that their owner has chosen.
  public static func map(_ place: Coordinates) -> OutsideLink {
    OutsideLink(description: "geo:" + place.written(separator: ","))
  }
}
