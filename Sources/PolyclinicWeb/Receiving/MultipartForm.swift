import Glibc
import PolyclinicCore

/// A form with files in the encoding `multipart/form-data` (RFC 7578). It is parsed strictly, in
/// the form that browsers send.
package struct MultipartForm: Equatable {
  /// The fields in order. The value of a file's field is its file name.
  package private(set) var fields = Fields()
  /// The content of the files, by field name.
  package private(set) var files: [String: [UInt8]] = [:]

  /// Creates a form from a request's body. Returns nil if:
  ///
  /// - a part has no name or no end,
  /// - two files have the same field name,
  /// - there are more than `limit` parts, or
  /// - ``IncomingText`` refuses a text.
  ///
  /// A value with too many combining marks is shortened, so that its field refuses it.
  package init?(_ body: [UInt8], contentType: String, limit: Int = 1_000) {
    guard let boundary = Self.boundary(in: contentType) else { return nil }
    // A line end is put before the body, so that the first boundary is found like every other.
    let bytes = Self.lineEnd + body
    let mark = Self.lineEnd + Self.dashes + Array(boundary.utf8)
    guard bytes.starts(with: mark) else { return nil }
    var place = mark.count
    for _ in 0...limit {
      if bytes[place...].starts(with: Self.dashes) { return }
      guard bytes[place...].starts(with: Self.lineEnd),
        let headEnd = Self.find(
          Self.lineEnd + Self.lineEnd, in: bytes[place...].prefix(Self.longestHead)),
        let end = Self.find(mark, in: bytes[(headEnd + 2)...]),
        let head = IncomingText(bytes[place..<headEnd]).text,
        take(bytes[(headEnd + 4)..<max(end, headEnd + 4)], under: head)
      else { return nil }
      place = end + mark.count
    }
    return nil
  }

  /// The longest head of a part, in bytes: the names of a field and a file.
  private static let longestHead = 8_192
  private static let lineEnd = Array("\r\n".utf8)
  private static let dashes = Array("--".utf8)

  private mutating func take(_ content: ArraySlice<UInt8>, under head: String) -> Bool {
    let lines = head.split(separator: "\r\n")
    guard let line = lines.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
      let name = Self.parameter("name", of: line),
      (1...IncomingText.nameLimit).contains(name.utf8.count)
    else { return false }
    guard let file = Self.parameter("filename", of: line) else {
      guard let text = IncomingText(content).value else { return false }
      fields.append(name, text)
      return true
    }
    guard files[name] == nil else { return false }
    // Browsers send an empty file name if the user chose no file.
    if file.isEmpty && content.isEmpty {
      fields.append(name, "")
      return true
    }
    fields.append(name, file.isEmpty ? name : file)
    files[name] = Array(content)
    return true
  }

  /// Returns a quoted parameter. Browsers write quotation marks and line ends in it as percent
  /// codes (WHATWG HTML, 4.10.21.8).
  private static func parameter(_ name: String, of line: Substring) -> String? {
    guard let start = line.range(of: "; \(name)=\"")?.upperBound else { return nil }
    let rest = line[start...]
    guard let end = rest.firstIndex(of: "\"") else { return nil }
    return String(rest[..<end])
      .replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
  }

  /// Returns the boundary, quoted or not, of at most 70 characters (RFC 2046, 5.1.1).
  private static func boundary(in contentType: String) -> String? {
    guard let start = contentType.range(of: "boundary=")?.upperBound else { return nil }
    let text = contentType[start...].prefix { $0 != ";" }.trimming { $0 == "\"" || $0 == " " }
    return (1...70).contains(text.utf8.count) ? String(text) : nil
  }

  /// Returns the index of `needle`, which begins with a CR. It uses `memchr`, the fastest search
  /// for that byte.
  private static func find(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return nil }
      let end = buffer.count
      var place = 0
      while place + needle.count <= end {
        guard let found = memchr(base + place, Int32(needle[0]), end - place) else { return nil }
        place = UnsafeRawPointer(found) - base
        guard place + needle.count <= end else { return nil }
        if memcmp(found, needle, needle.count) == 0 { return bytes.startIndex + place }
        place += 1
      }
      return nil
    }
  }
}

extension Substring {
  fileprivate func trimming(_ isDropped: (Character) -> Bool) -> Substring {
    var rest = drop(while: isDropped)
    while let last = rest.last, isDropped(last) { rest.removeLast() }
    return rest
  }
}
