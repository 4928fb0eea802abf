/// Named values in the order in which they were sent: a query string or the fields of a form.
public struct Fields: Sendable, Equatable {
  /// All names with their values, in the order in which they were sent.
  public private(set) var pairs: [Pair]

  /// One name and its value.
  public struct Pair: Sendable, Equatable {
    /// The name, which may occur more than once.
    public let name: String
    /// The decoded value.
    public let value: String

    func isNamed(_ name: String) -> Bool { self.name.isIdentical(to: name) }
  }

  /// Creates fields from names and values; by default there are none.
  public init(_ pairs: KeyValuePairs<String, String> = [:]) {
    self.pairs = pairs.map { Pair(name: $0.key, value: $0.value) }
  }

  /// The first value with that name; empty if there is none.
  public subscript(name: String) -> String {
    pairs.first { $0.isNamed(name) }?.value ?? ""
  }

  /// Returns true if a value with that name was sent, even an empty one.
  public func contains(_ name: String) -> Bool { pairs.contains { $0.isNamed(name) } }

  /// Returns all values with that name, in order.
  public func all(_ name: String) -> [String] {
    pairs.lazy.filter { $0.isNamed(name) }.map(\.value)
  }

  /// Appends a value.
  public mutating func append(_ name: String, _ value: String) {
    pairs.append(Pair(name: name, value: value))
  }

  /// Replaces the first value with that name; does nothing if there is none.
  mutating func replace(_ name: String, _ value: String) {
    guard let place = pairs.firstIndex(where: { $0.isNamed(name) }) else { return }
    pairs[place] = Pair(name: name, value: value)
  }

  /// Removes the value at `index` of each of the names.
  mutating func remove(_ index: Int, from names: [String]) {
    for name in names {
      let places = pairs.indices.filter { pairs[$0].isNamed(name) }
      if places.indices.contains(index) { pairs.remove(at: places[index]) }
    }
  }

  /// Returns the fields without those named.
  public func without(_ names: Set<String>) -> Fields {
    var rest = self
    rest.pairs.removeAll { pair in names.contains { pair.isNamed($0) } }
    return rest
  }

  /// The page number from the field `page`, from 1; 1 if the field is missing or not a number.
  public var page: Int {
    guard let number = Int(self["page"]), (1...10_000_000).contains(number) else { return 1 }
    return number
  }

  /// Parses `application/x-www-form-urlencoded` (WHATWG URL, 5.1) strictly.
  ///
  /// Returns nil for an invalid percent escape, for text that ``IncomingText`` refuses, for a name
  /// of more than 200 bytes, and for more than `limit` pairs. A value with too many combining marks
  /// is shortened, and U+0000 becomes U+0001, so that its field refuses it.
  public init?(urlencoded bytes: [UInt8], limit: Int = 1_000) {
    pairs = []
    for part in bytes.split(separator: UInt8(ascii: "&")) {
      guard pairs.count < limit else { return nil }
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      guard let name = Self.decoded(part[..<equals])?.text,
        name.utf8.count <= IncomingText.nameLimit,
        let value = Self.decoded(
          equals < part.endIndex ? part[equals...].dropFirst() : part[equals...])?.value
      else { return nil }
      pairs.append(Pair(name: name, value: value))
    }
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> IncomingText? {
    if !bytes.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) {
      return IncomingText(bytes)
    }
    let spaced = bytes.lazy.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return undoPercent(spaced).map { IncomingText($0) }
  }
}

/// Returns the text with percent escapes decoded (RFC 3986, 2.1); nil if an escape is invalid or
/// ``IncomingText`` refuses the result.
public func percentDecoded(_ text: String) -> String? {
  undoPercent(text.utf8).flatMap { IncomingText($0).text }
}

/// Returns the bytes with percent escapes decoded; nil if an escape is invalid.
private func undoPercent(_ bytes: some Sequence<UInt8>) -> [UInt8]? {
  var plain: [UInt8] = []
  plain.reserveCapacity(bytes.underestimatedCount)
  var rest = bytes.makeIterator()
  while let byte = rest.next() {
    guard byte == UInt8(ascii: "%") else {
      plain.append(byte)
      continue
    }
    guard let high = rest.next().flatMap(hexadecimal), let low = rest.next().flatMap(hexadecimal)
    else { return nil }
    plain.append(high << 4 | low)
  }
  return plain
}

/// Returns the value of a hexadecimal digit; nil for any other byte.
func hexadecimal(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}
