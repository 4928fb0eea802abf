import PolyclinicCore

/// Splits a file of content lines into unfolded lines.
///
/// It accepts any bytes and reads each byte once:
///
/// - Line ends: CRLF, LF, CR and CR CR LF. The last comes from programs that turn each LF of a file
///   into CRLF.
/// - Encodings: UTF-8 with or without a byte order mark, and UTF-16 with one.
/// - vCard 2.1: quoted-printable values continue after a line that ends with `=`, base64 values
///   without a fold.
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
      while let more = continuation(of: whole, in: encoding) {
        if encoding == .quotedPrintable, whole.last == UInt8(ascii: "=") { whole.removeLast() }
        whole += more
      }
      return Line(number: number, bytes: whole)
    }
    return nil
  }

  /// The encoding of a vCard 2.1 value, which determines its end.
  private enum Encoding {
    case plain, quotedPrintable, base64

    init(ofLineBeginningWith line: ArraySlice<UInt8>) {
      let head = line.prefix { $0 != UInt8(ascii: ":") }.prefix(200)
      guard head.contains(UInt8(ascii: ";")) else {
        self = .plain
        return
      }
      let words = String(decoding: head, as: UTF8.self).uppercased().split { ";=".contains($0) }
      if words.contains("QUOTED-PRINTABLE") {
        self = .quotedPrintable
      } else {
        self = words.contains("BASE64") ? .base64 : .plain
      }
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
    !line.isEmpty
      && line.allSatisfy {
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
