/// A text that can be shown, searched and put in order.
///
/// Both spellings are parts of one buffer, so that thousands of texts can lie in the buffer that they
/// were read from, without an allocation each.
public struct SearchText: Sendable, Hashable, Comparable {
  @usableFromInline let bytes: ArraySlice<UInt8>
  @usableFromInline let originalEnd: Int
  @usableFromInline let foldedStart: Int

  /// Folds a text, which takes about a microsecond.
  public init(_ text: String) {
    let original = Array(text.utf8)
    originalEnd = original.count
    foldedStart = original.count
    bytes = (original + foldedBytes(text))[...]
  }

  /// Reads what ``write(to:)`` wrote.
  @inlinable
  public init(from reader: inout ByteReader) throws {
    let original = try reader.bytes()
    let folded = try reader.bytes()
    originalEnd = original.endIndex
    foldedStart = folded.startIndex
    bytes = reader.buffer[original.startIndex..<folded.endIndex]
  }

  /// A text whose spellings stand in a buffer, the folded one behind the original.
  @inlinable
  public init(in buffer: ArraySlice<UInt8>, original: Range<Int>, folded: Range<Int>) {
    bytes = buffer[original.lowerBound..<folded.upperBound]
    originalEnd = original.upperBound
    foldedStart = folded.lowerBound
  }

  /// Writes both spellings.
  public func write(to writer: inout ByteWriter) {
    writer.write(original)
    writer.write(folded)
  }

  /// The UTF-8 of the text as it was written.
  public var original: ArraySlice<UInt8> { bytes[..<originalEnd] }
  /// The UTF-8 of ``folded(_:)`` of it.
  public var folded: ArraySlice<UInt8> { bytes[foldedStart...] }

  /// The text as it was written.
  public var string: String { String(decoding: original, as: UTF8.self) }

  /// Whether one of its words begins with a prefix, which is folded letters and digits.
  ///
  /// A word begins with any letter or digit that follows none. Hyphens and apostrophes part words and
  /// are skipped within them: O'Brien is found by `bri`, `obr`, and `o` followed by `brien`.
  public func hasWord(startingWith prefix: [UInt8]) -> Bool {
    folded.withUnsafeBufferPointer { Self.hasWord(in: $0, startingWith: prefix) }
  }

  /// The same, of a folded text in a buffer.
  static func hasWord(
    in folded: UnsafeBufferPointer<UInt8>, startingWith prefix: [UInt8]
  ) -> Bool {
    prefix.withUnsafeBufferPointer { prefix in
      guard let first = prefix.first else { return true }
      for start in folded.indices where folded[start] == first {
        // Looked at only here, since most bytes are not the first of what is searched.
        if start > 0 && folded[start - 1].isPartOfWord { continue }
        if bytes(folded, from: start, startWith: prefix) { return true }
      }
      return false
    }
  }

  private static func bytes(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int,
    startWith prefix: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var position = start
    for wanted in prefix {
      while position < bytes.count, bytes[position].isJoiner { position += 1 }
      guard position < bytes.count, bytes[position] == wanted else { return false }
      position += 1
    }
    return true
  }

  func withOriginal<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    bytes.withUnsafeBufferPointer { all in
      body(UnsafeBufferPointer(rebasing: all[..<(originalEnd - bytes.startIndex)]))
    }
  }

  /// Lends the first character, as a person counts them.
  func withInitial<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    withOriginal { bytes in
      // Between two of ASCII's letters or digits there is always a boundary (UAX #29); nearly all
      // names begin so.
      if let first = bytes.first, first.isASCIILetterOrDigit, bytes.dropFirst().first ?? 0 < 0x80 {
        return body(UnsafeBufferPointer(rebasing: bytes[..<1]))
      }
      let length = String(decoding: bytes, as: UTF8.self).prefix(1).utf8.count
      return body(UnsafeBufferPointer(rebasing: bytes[..<min(length, bytes.count)]))
    }
  }

  /// In the order of the folded texts, equal ones in that of what was written.
  public static func < (one: SearchText, other: SearchText) -> Bool {
    switch order(one.folded, other.folded) {
    case 0: order(one.original, other.original) < 0
    case let order: order < 0
    }
  }

  /// Whether both are written the same: their folded spellings then are too.
  public static func == (one: SearchText, other: SearchText) -> Bool {
    one.original == other.original
  }

  /// Feeds the hasher what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(original) }

  /// Below, at or above zero, as the bytes of the one come before or after the other's.
  private static func order(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Int {
    one.withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { other in
        for index in 0..<min(one.count, other.count) where one[index] != other[index] {
          return Int(one[index]) - Int(other[index])
        }
        return one.count - other.count
      }
    }
  }
}

extension UInt8 {
  /// Whether a folded text has it within a word; what is beyond ASCII there is no punctuation.
  var isPartOfWord: Bool { self >= 0x80 || isASCIILetterOrDigit }

  /// Whether it parts words and may as well be left out: hyphen and apostrophe.
  fileprivate var isJoiner: Bool { self == UInt8(ascii: "-") || self == UInt8(ascii: "'") }
}
