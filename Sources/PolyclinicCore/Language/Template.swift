/// A phrase that is parsed once, so that filling it in only joins strings.
struct Template: Sendable, Equatable {
  enum Segment: Sendable, Equatable {
    case literal(String)
    case placeholder(String)
  }

  let segments: [Segment]

  /// An empty text without placeholders.
  static let empty = Template(segments: [])

  private init(segments: [Segment]) { self.segments = segments }

  /// The names of the placeholders, in order of appearance.
  var placeholders: [String] {
    segments.compactMap { if case .placeholder(let name) = $0 { name } else { nil } }
  }

  /// Parses a text with placeholders such as `{name}`: a letter, then letters, digits, `_` or `-`.
  ///
  /// Throws ``TemplateFault`` if a brace is unpaired or nested, or encloses anything else.
  init(_ text: String) throws(TemplateFault) {
    let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    var segments: [Segment] = []
    // Parsed as bytes, because all phrases of all modules are parsed at each start.
    var rest = text.utf8[...]
    while let brace = rest.firstIndex(where: { $0 == open || $0 == close }) {
      guard rest[brace] == open else { throw .strayBrace }
      if brace > rest.startIndex {
        segments.append(.literal(String(text[rest.startIndex..<brace])))
      }
      let start = rest.index(after: brace)
      guard let end = rest[start...].firstIndex(of: close) else { throw .strayBrace }
      let name = String(text[start..<end])
      guard Self.isName(name) else { throw .badName(name) }
      segments.append(.placeholder(name))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { segments.append(.literal(String(text[rest.startIndex...]))) }
    self.segments = segments
  }

  /// Joins the segments; a placeholder without a value stays visible as `⟦name⟧`.
  func filled(by value: (String) -> String?) -> String {
    var result = ""
    for segment in segments {
      switch segment {
      case .literal(let text): result += text
      case .placeholder(let name): result += value(name) ?? "⟦\(name)⟧"
      }
    }
    return result
  }

  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first.isASCIILetterOrDigit, !first.isASCIIDigit else {
      return false
    }
    return name.utf8.allSatisfy {
      $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
    }
  }
}

/// The reason for which a text is not a valid template.
enum TemplateFault: Error, Equatable, CustomStringConvertible {
  case strayBrace
  case badName(String)

  var description: String {
    switch self {
    case .strayBrace: "a brace stands alone; placeholders are written {name}"
    case .badName(let name): "“{\(name)}” is no placeholder; they are written {name}"
    }
  }
}
