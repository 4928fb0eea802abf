extension HTML {
  /// Returns the markup whose links and forms lead below `prefix`, where `isBelow` returns true for
  /// their path without its query.
  ///
  /// A link with the attribute `data-as-is` before its address is left as it is, because it leads
  /// to another person's page.
  ///
  /// A quotation mark of a value is always escaped, so that `="/` is found in attributes alone.
  package func leading(below prefix: Path, where isBelow: (String) -> Bool) -> HTML {
    withBytes { bytes in
      var markup = HTML.StringInterpolation(
        literalCapacity: bytes.count + bytes.count / 8, interpolationCount: 0)
      var copied = 0
      for start in Self.paths(in: bytes) {
        let rest = bytes[start...]
        let end = rest.firstIndex { Self.endsOfPath.contains($0) } ?? bytes.endIndex
        guard isBelow(String(decoding: bytes[start..<end], as: UTF8.self)) else { continue }
        markup.append(markup: UnsafeBufferPointer(rebasing: bytes[copied..<start]))
        markup.appendInterpolation(prefix)
        copied = start
      }
      markup.append(markup: UnsafeBufferPointer(rebasing: bytes[copied...]))
      return HTML(stringInterpolation: markup)
    }
  }

  /// Returns where the paths of the portal begin in the attributes `href`, `action` and
  /// `formaction`, besides those after `data-as-is`.
  private static func paths(in bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
    var found: [Int] = []
    var index = 8
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "/"), bytes[index - 1] == UInt8(ascii: "\""),
        bytes[index - 2] == UInt8(ascii: "=")
      {
        let name = bytes[..<(index - 2)]
        let isLink = name.suffix(5).elementsEqual(" href".utf8)
        if isLink && !name.dropLast(5).suffix(11).elementsEqual(" data-as-is".utf8)
          || name.suffix(6).elementsEqual("action".utf8)
        {
          found.append(index)
        }
      }
      index += 1
    }
    return found
  }

  /// The bytes at which the path of an attribute's address ends.
  private static let endsOfPath = Set("\"?#".utf8)
}
