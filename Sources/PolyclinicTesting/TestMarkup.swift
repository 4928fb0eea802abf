/// A reader of the portal's own markup, which closes its tags and quotes its attributes.
struct TestMarkup {
  private var rest: Substring.UTF8View
  private var open = [TestElement(name: "", attributes: [:])]

  /// Returns the document as an element without a name.
  static func document(_ html: String) -> TestElement {
    var markup = TestMarkup(rest: Substring(html).utf8)
    while !markup.rest.isEmpty { markup.readNext() }
    while markup.open.count > 1 { markup.closeLast() }
    return markup.open[0]
  }

  private init(rest: Substring.UTF8View) { self.rest = rest }

  private mutating func readNext() {
    guard rest.first == UInt8(ascii: "<") else {
      return append(.text(Self.decoded(take { $0 != UInt8(ascii: "<") })))
    }
    rest.removeFirst()
    switch rest.first {
    case UInt8(ascii: "!"): _ = readUntilTagEnds()
    case UInt8(ascii: "/"): close(readUntilTagEnds().dropFirst())
    default: readElement()
    }
  }

  /// Reads a tag with its attributes, and the text of a script or a style as it is.
  private mutating func readElement() {
    let name = take { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ">") && $0 != 10 }
    var element = TestElement(name: String(name), attributes: [:])
    var isClosed = false
    while let byte = rest.first, byte != UInt8(ascii: ">") {
      isClosed = byte == UInt8(ascii: "/")
      if isClosed || byte == UInt8(ascii: " ") || byte == 10 {
        rest.removeFirst()
      } else {
        let (name, value) = readAttribute()
        element.attributes[name] = value
      }
    }
    if !rest.isEmpty { rest.removeFirst() }
    if isClosed || Self.void.contains(element.name) { return append(.element(element)) }
    open.append(element)
    guard element.name == "script" || element.name == "style" else { return }
    let end = rest.indices.first { rest[$0...].starts(with: "</\(element.name)".utf8) }
    append(.text(String(Substring(rest[..<(end ?? rest.endIndex)]))))
    rest = rest[(end ?? rest.endIndex)...]
  }

  private mutating func readAttribute() -> (String, String) {
    let ends = Array(" =>\n/".utf8)
    let name = String(take { !ends.contains($0) })
    guard rest.first == UInt8(ascii: "=") else { return (name, "") }
    rest.removeFirst()
    guard rest.first == UInt8(ascii: "\"") else {
      return (name, Self.decoded(take { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ">") }))
    }
    rest.removeFirst()
    let value = take { $0 != UInt8(ascii: "\"") }
    if !rest.isEmpty { rest.removeFirst() }
    return (name, Self.decoded(value))
  }

  private mutating func take(while isWanted: (UInt8) -> Bool) -> Substring {
    let taken = rest.prefix(while: isWanted)
    rest = rest.dropFirst(taken.count)
    return Substring(taken)
  }

  private mutating func readUntilTagEnds() -> Substring {
    let tag = take { $0 != UInt8(ascii: ">") }
    if !rest.isEmpty { rest.removeFirst() }
    return tag
  }

  private mutating func append(_ node: TestElement.Node) {
    open[open.count - 1].children.append(node)
  }

  /// Closes the innermost open element with this tag, and those inside it.
  private mutating func close(_ name: Substring) {
    guard let index = open.lastIndex(where: { $0.name == name }), index > 0 else { return }
    while open.count > index { closeLast() }
  }

  private mutating func closeLast() {
    let element = open.removeLast()
    append(.element(element))
  }

  /// Replaces the character references that the portal's HTML writes.
  private static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
    var decoded = ""
    for (index, piece) in text.split(separator: "&", omittingEmptySubsequences: false).enumerated()
    {
      let reference = references.first { piece.hasPrefix($0.name + ";") }
      if index == 0 {
        decoded += piece
      } else if let reference {
        decoded += reference.character + piece.dropFirst(reference.name.count + 1)
      } else {
        decoded += "&" + piece
      }
    }
    return decoded
  }

  private static let references: [(name: String, character: String)] = [
    ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("#39", "'"), ("nbsp", "\u{A0}"),
  ]
  private static let void: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr",
  ]
}
