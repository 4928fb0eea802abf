import PolyclinicCore

/// Splits a file of content lines into unfolded lines.
///
/// It accepts any bytes and reads each byte once:
///
/// - Line ends: CRLF, LF, CR and CR CR LF. The last comes from programs that turn each LF of a file
///   into CRLF.
/// - Encodings: UTF-8 with or without a byte order mark, and UTF-16 with one.
/// - vCard 2.1: quoted-printable values continue after a line that ends with `=`, also where a
///   program has folded the next line as well. Base64 values, of any version, continue without a
///   fold.
public struct ContentLineReader: Sendable {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 0

  /// One unfolded line of the file.
  public struct Line: Sendable, Equatable {
    /// The line number in the file at which it begins, from 1.
    public let number: Int
    /// The line's bytes, without line ends and folds.
    public let bytes: [UInt8]
  }

  /// Creates a reader at the first line of a file.
  public init(_ file: [UInt8]) { bytes = Self.inUTF8(file) }

  /// Returns the next line that is not empty; nil at the end.
  public mutating func next() -> Line? {
    while let first = physicalLine() {
      if first.isEmpty { continue }
      let number = line
      var whole = Array(first)
      let encoding = Encoding(ofLineBeginningWith: first)
      var softBreaks: [Int] = []
      while let more = continuation(of: whole, in: encoding) {
        if encoding == .quotedPrintable, whole.last == UInt8(ascii: "=") {
          whole.removeLast()
          softBreaks.append(whole.count)
        }
        whole += more
      }
      return Line(number: number, bytes: SoftBreaks(softBreaks, in: whole).unfolded)
    }
    return nil
  }

  /// The encoding of a value, which determines its end.
  private enum Encoding {
    case plain, quotedPrintable, base64

    init(ofLineBeginningWith line: ArraySlice<UInt8>) {
      let head = line.prefix { $0 != UInt8(ascii: ":") }.prefix(200)
      let words = String(decoding: head, as: UTF8.self).uppercased().split { ";=".contains($0) }
      if words.contains("QUOTED-PRINTABLE") {
        self = .quotedPrintable
      } else if words.contains("BASE64") || words.dropFirst().contains("B")
        || Self.isData(line.dropFirst(head.count + 1))
      {
        self = .base64
      } else {
        self = .plain
      }
    }

    /// True for the beginning of a `data:` URL in base64 (RFC 2397).
    private static func isData(_ value: ArraySlice<UInt8>) -> Bool {
      let scheme = value.prefix(5).map { $0 | 0x20 }
      guard scheme.elementsEqual("data:".utf8) else { return false }
      return value.prefix(100).prefix { $0 != UInt8(ascii: ",") }.suffix(7).elementsEqual(
        ";base64".utf8)
    }
  }

  /// Returns the next physical line's bytes if they continue `line`; nil if they do not.
  private mutating func continuation(
    of line: [UInt8], in encoding: Encoding
  ) -> ArraySlice<UInt8>? {
    guard position < bytes.count else { return nil }
    if encoding == .quotedPrintable, line.last == UInt8(ascii: "=") { return physicalLine() }
    if bytes[position] == UInt8(ascii: " ") || bytes[position] == UInt8(ascii: "\t") {
      return physicalLine()?.dropFirst()
    }
    guard encoding == .base64, Self.isBase64(bytes[position...].prefix { !Self.isLineEnd($0) })
    else { return nil }
    return physicalLine()
  }

  /// Consumes the next physical line and its line end, and returns its bytes; nil at the end of the
  /// file.
  private mutating func physicalLine() -> ArraySlice<UInt8>? {
    guard position < bytes.count else { return nil }
    let start = position
    while position < bytes.count, !Self.isLineEnd(bytes[position]) { position += 1 }
    let found = bytes[start..<position]
    if position < bytes.count {
      let end = bytes[position...].prefix(3)
      position += end == [0x0D, 0x0D, 0x0A] ? 3 : end.starts(with: [0x0D, 0x0A]) ? 2 : 1
    }
    line += 1
    return found
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  private static func isBase64(_ line: ArraySlice<UInt8>) -> Bool {
    let text = line.reversed().drop { $0 == UInt8(ascii: " ") }
    return !text.isEmpty
      && text.allSatisfy {
        $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
          || $0 == UInt8(ascii: "=")
      }
  }

  private static func inUTF8(_ file: [UInt8]) -> [UInt8] {
    if file.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(file.dropFirst(3)) }
    if file.starts(with: [0xFF, 0xFE]) { return fromUTF16(file) { UInt16($1) << 8 | UInt16($0) } }
    if file.starts(with: [0xFE, 0xFF]) { return fromUTF16(file) { UInt16($0) << 8 | UInt16($1) } }
    return file
  }

  private static func fromUTF16(
    _ file: [UInt8], _ unit: (UInt8, UInt8) -> UInt16
  ) -> [UInt8] {
    let units = stride(from: 2, to: file.count - 1, by: 2).map { unit(file[$0], file[$0 + 1]) }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}

/// The soft line breaks of a quoted-printable value (RFC 2045, 6.7), after which a blank stands
/// that belongs to the value, or to a fold that some programs write besides.
private struct SoftBreaks {
  private let places: [Int]
  private let line: [UInt8]

  /// Takes the places in the joined line at which a physical line began.
  init(_ places: [Int], in line: [UInt8]) {
    self.places = places
    self.line = line
  }

  /// The line without the blanks of folds.
  var unfolded: [UInt8] {
    guard !places.isEmpty, isFolded else { return line }
    let blanks = Set(places)
    return line.indices.compactMap { blanks.contains($0) ? nil : line[$0] }
  }

  /// True if each break is followed by a blank, and one of them stands within a letter, or the
  /// value has no other blanks: a program that folds so writes them as `=20`.
  private var isFolded: Bool {
    guard places.allSatisfy({ $0 < line.count && Self.isBlank(line[$0]) }) else { return false }
    let value = line.drop { $0 != UInt8(ascii: ":") }
    let hasOwnBlanks = value.lazy.filter(Self.isBlank).count > places.count
    return places.contains(where: isWithinLetter)
      || !hasOwnBlanks && !places.contains(where: isBetweenWords)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  /// True if the escape of a byte, or the bytes of a letter in UTF-8, go on behind this place.
  private func isWithinLetter(_ place: Int) -> Bool {
    let end = line[..<place]
    if end.suffix(2).contains(UInt8(ascii: "=")) { return true }
    guard let next = Self.escaped(line[(place + 1)...]), UTF8.isContinuation(next) else {
      return false
    }
    return Self.escaped(end.suffix(3)).map { $0 >= 0x80 } ?? false
  }

  /// True if a capital follows a small letter, as in the only blank of `Anna=` and ` Brown`.
  private func isBetweenWords(_ place: Int) -> Bool {
    let (before, after) = (line[..<place].suffix(6), line[(place + 1)...].prefix(6))
    return Self.text(of: before).last?.isLowercase == true
      && Self.text(of: after).first?.isUppercase == true
  }

  /// Returns the text with its escapes decoded.
  private static func text(of encoded: ArraySlice<UInt8>) -> String {
    var bytes: [UInt8] = []
    var rest = encoded
    while let byte = rest.first {
      let escaped = escaped(rest)
      bytes.append(escaped ?? byte)
      rest = rest.dropFirst(escaped == nil ? 1 : 3)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the byte of the escape, such as `=D0`, with which the text begins.
  private static func escaped(_ text: ArraySlice<UInt8>) -> UInt8? {
    guard text.first == UInt8(ascii: "="), text.count >= 3 else { return nil }
    return UInt8(String(decoding: text.dropFirst().prefix(2), as: UTF8.self), radix: 16)
  }
}
