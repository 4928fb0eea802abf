/// A phrase taken apart once, so that filling it is only joining.
struct Template: Sendable, Equatable {
  enum Segment: Sendable, Equatable {
    case literal(String)
    case placeholder(String)
  }

  let segments: [Segment]

  /// Says nothing and asks for nothing.
  static let empty = Template(segments: [])

  private init(segments: [Segment]) { self.segments = segments }

  /// The names between braces, in order of appearance.
  var placeholders: [String] {
    segments.compactMap { if case .placeholder(let name) = $0 { name } else { nil } }
  }

  /// Takes `{name}` for a placeholder: a letter, then letters, digits, `_` or `-`.
  ///
  /// Throws what is wrong where a brace stands alone, is nested, or holds anything else.
  init(_ text: String) throws(TemplateFault) {
    let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    var segments: [Segment] = []
    // By bytes: all words of all modules are read at each start.
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

/// Why a text is no template.
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

extension UInt8 {
  /// Whether it is one of `A–Z`, `a–z`, `0–9`.
  package var isASCIILetterOrDigit: Bool {
    isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  /// Whether it is one of `0–9`.
  package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
