import Foundation

extension HTML {
  /// Returns the markup whose links and forms lead below `prefix`, where `isBelow` returns true for
  /// their path without its query.
  package func leading(below prefix: Path, where isBelow: (String) -> Bool) -> HTML {
    inserting(prefix, at: paths(where: isBelow))
  }

  /// Returns the markup with `prefix` before each of the paths that begin at these bytes.
  package func inserting(_ prefix: Path, at paths: [Int]) -> HTML {
    if paths.isEmpty { return self }
    return withBytes { bytes in
      var markup = HTML.StringInterpolation(
        literalCapacity: bytes.count + paths.count * prefix.description.utf8.count,
        interpolationCount: 0)
      var copied = 0
      for start in paths {
        markup.append(markup: UnsafeBufferPointer(rebasing: bytes[copied..<start]))
        markup.appendInterpolation(prefix)
        copied = start
      }
      markup.append(markup: UnsafeBufferPointer(rebasing: bytes[copied...]))
      return HTML(stringInterpolation: markup)
    }
  }

  /// Returns where the paths of the portal begin in the attributes `href` of links, `action` and
  /// `formaction`, where `isFound` returns true for the path without its query.
  ///
  /// A link with the attribute `data-as-is` before its address is left out, because it leads to
  /// another person's page; so is what a drawing uses.
  ///
  /// A quotation mark of a value is always escaped, so that `="/` is found in attributes alone.
  package func paths(where isFound: (String) -> Bool) -> [Int] {
    withBytes { bytes in
      var found: [Int] = []
      var index = 0
      while let sign = Self.nextEqualsSign(in: bytes, from: index) {
        let start = sign + 2
        index = start
        guard start < bytes.count, bytes[start] == UInt8(ascii: "/"),
          bytes[sign + 1] == UInt8(ascii: "\""), Self.isLink(endingWith: bytes[..<sign])
        else { continue }
        let path = bytes[start...].prefix { !Self.endsPath($0) }
        if isFound(String(decoding: path, as: UTF8.self)) { found.append(start) }
        index = path.endIndex
      }
      return found
    }
  }

  private static func nextEqualsSign(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let sign = memchr(base + start, Int32(UInt8(ascii: "=")), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(sign) - UnsafeRawPointer(base)
  }

  /// True if the markup before an equals sign ends in the attribute of a link or a form.
  private static func isLink(endingWith markup: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    if markup.suffix(5).elementsEqual(" href".utf8) {
      let before = markup.dropLast(5)
      return !before.suffix(11).elementsEqual(" data-as-is".utf8)
        && !before.suffix(4).elementsEqual("<use".utf8)
    }
    return markup.suffix(6).elementsEqual("action".utf8)
  }

  private static func endsPath(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }
}
