/// A text with its folded form, for display, search and sorting.
///
/// Both spellings are slices of one buffer, so that thousands of texts can share the buffer from
/// which they were decoded without an allocation each.
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

  /// Joins texts. Each of them may be as long as a text that is folded can be.
  package init(joining texts: [SearchText]) {
    let blank = " ".utf8
    let original = Array(texts.map(\.original).joined(separator: blank))
    originalEnd = original.count
    foldedStart = original.count
    bytes = (original + texts.map(\.folded).joined(separator: blank))[...]
  }

  /// Decodes a text that ``write(to:)`` encoded; throws if the bytes are malformed.
  @inlinable
  package init(from reader: inout ByteReader) throws {
    let original = try reader.bytes()
    let folded = try reader.bytes()
    originalEnd = original.endIndex
    foldedStart = folded.startIndex
    bytes = reader.buffer[original.startIndex..<folded.endIndex]
  }

  /// Creates a text from a buffer that holds the original spelling before the folded one.
  @inlinable
  package init(in buffer: ArraySlice<UInt8>, original: Range<Int>, folded: Range<Int>) {
    bytes = buffer[original.lowerBound..<folded.upperBound]
    originalEnd = original.upperBound
    foldedStart = folded.lowerBound
  }

  /// Encodes both spellings.
  package func write(to writer: inout ByteWriter) {
    writer.write(original)
    writer.write(folded)
  }

  /// The UTF-8 of the original text.
  public var original: ArraySlice<UInt8> { bytes[..<originalEnd] }
  /// The UTF-8 of the text's folded form, as returned by ``folded(_:)``.
  public var folded: ArraySlice<UInt8> { bytes[foldedStart...] }

  /// The original text.
  public var string: String { String(decoding: original, as: UTF8.self) }

  /// True if a word of the text begins with `prefix`, which must be folded letters and digits.
  ///
  /// A word begins at a letter or digit that follows neither. Hyphens and apostrophes separate
  /// words and are also skipped within them: `bri`, `obr`, and `o` followed by `brien` all find
  /// O'Brien.
  public func hasWord(startingWith prefix: [UInt8]) -> Bool {
    folded.withUnsafeBufferPointer { Self.hasWord(in: $0, startingWith: prefix) }
  }

  /// As ``hasWord(startingWith:)``, for a folded text in a buffer.
  static func hasWord(
    in folded: UnsafeBufferPointer<UInt8>, startingWith prefix: [UInt8]
  ) -> Bool {
    prefix.withUnsafeBufferPointer { prefix in
      guard let first = prefix.first else { return true }
      for start in folded.indices where folded[start] == first {
        // Checked after the first byte, because most bytes differ from it.
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

  /// Orders texts by their folded spellings, and equal ones by their original spellings.
  public static func < (one: SearchText, other: SearchText) -> Bool {
    switch order(one.folded, other.folded) {
    case 0: order(one.original, other.original) < 0
    case let order: order < 0
    }
  }

  /// True if the original spellings are equal, which implies equal folded spellings.
  public static func == (one: SearchText, other: SearchText) -> Bool {
    one.original == other.original
  }

  /// Hashes the original spelling, which ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(original) }

  /// Returns a negative number, zero or a positive number if `one` sorts before, equal to or after
  /// `other`.
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
  /// True for a byte of a word in folded text; beyond ASCII, folded text has no punctuation.
  var isPartOfWord: Bool { self >= 0x80 || isASCIILetterOrDigit }

  /// True for a hyphen or an apostrophe, which separate words and may be omitted.
  fileprivate var isJoiner: Bool { self == UInt8(ascii: "-") || self == UInt8(ascii: "'") }
}
