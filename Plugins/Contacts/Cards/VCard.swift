import PolyclinicCore

/// One card of a file, in the shape that version 4.0 gives it (RFC 6350), whatever it came in.
struct VCard: Sendable {
  /// The line of the file in which it begins.
  let line: Int
  /// All that stands in it between its version and its end.
  let properties: [ContentLine]

  /// How much of a name is shown of a card that is not taken, in characters.
  static let shownOfTitle = 200

  /// The versions that are read.
  enum Version: String, Sendable {
    /// Of 1996, by versit.
    case two = "2.1"
    /// RFC 2426.
    case three = "3.0"
    /// RFC 6350.
    case four = "4.0"
  }

  /// What the name of a card that cannot be read would be, as far as it can be told: a few words.
  static func title(of properties: [ContentLine]) -> String {
    let line = properties.first { $0.name == "FN" } ?? properties.first { $0.name == "N" }
    guard let line = line?.withoutEncoding else { return "" }
    let name = line.components.lazy.map { $0.prefix(shownOfTitle) }.joined(separator: " ")
    return String(plainText(String(name.prefix(shownOfTitle)), .line))
  }
}

/// Why a card is not taken in, in words.
struct CardFault: Error {
  let reason: Text

  init(_ reason: Text) { self.reason = reason }
}

/// What a file has in the place of one card.
enum FoundCard: Sendable {
  /// A card that is whole.
  case whole(VCard)
  /// One that is not, where it begins, what it seems to be called, and why.
  case broken(line: Int, title: String, Text)

  /// The line of the file in which it begins.
  var line: Int {
    switch self {
    case .whole(let card): card.line
    case .broken(let line, _, _): line
    }
  }
}

/// Reads the cards of a file one by one: whatever is wrong with one leaves the others alone.
struct VCardReader {
  private var lines: ContentLineReader
  /// A line that was read and belongs to what comes next.
  private var pending: ContentLineReader.Line?
  private var isAmongStrayLines = false
  private var cardCount = 0
  private var lineCount = 0

  /// The most cards that are read of one file.
  static let mostCards = 20_000
  /// The most properties that a card may have.
  static let mostProperties = 2_000
  /// The most lines that are read of one file, folded ones counted once: 20,000 cards of ten lines each.
  ///
  /// Each telephone number becomes a row, and everybody else waits while the rows of a file are stored.
  static let mostLines = 200_000

  init(_ file: [UInt8]) { lines = ContentLineReader(file) }

  /// Reads the next card, whole or broken; nil at the end. Only one card is in memory at a time.
  ///
  /// Throws ``Refusal/invalid(_:_:)`` for the field `file` when it has no card at all, or more cards or
  /// lines than are read at once.
  mutating func next() throws -> FoundCard? {
    while let line = try pending ?? line() {
      pending = nil
      if Self.border(line.bytes) == .begin {
        isAmongStrayLines = false
        return try card(beginningIn: line.number)
      }
      if isAmongStrayLines { continue }
      isAmongStrayLines = true
      return .broken(line: line.number, title: "", "card.stray")
    }
    guard cardCount > 0 else { throw Refusal.invalid("file", "card.none") }
    return nil
  }

  private mutating func line() throws -> ContentLineReader.Line? {
    guard let line = lines.next() else { return nil }
    guard lineCount < Self.mostLines else {
      let arguments = ["line": String(line.number), "limit": String(Self.mostLines)]
      throw Refusal.invalid("file", Text("card.too-many-lines", arguments))
    }
    lineCount += 1
    return line
  }

  private mutating func card(beginningIn start: Int) throws -> FoundCard {
    guard cardCount < Self.mostCards else {
      throw Refusal.invalid("file", Text("card.too-many", ["limit": String(Self.mostCards)]))
    }
    cardCount += 1
    var properties: [ContentLine] = []
    var fault: Text?
    // A card within a card, the AGENT of version 2.1, is passed over.
    var depth = 0
    while let line = try line() {
      switch Self.border(line.bytes) {
      case .begin where depth > 0 || properties.last?.name == "AGENT": depth += 1
      case .begin:
        pending = line
        return .broken(line: start, title: VCard.title(of: properties), "card.no-end")
      case .end where depth > 0: depth -= 1
      case .end: return Self.finished(start, properties, fault)
      case nil where depth > 0: continue
      case nil:
        if properties.count == Self.mostProperties {
          fault = Text("card.too-long", ["limit": String(Self.mostProperties)])
        } else if let property = ContentLine(line.bytes) {
          properties.append(property)
        } else if fault == nil {
          fault = Text("card.no-property", ["line": String(line.number)])
        }
      }
    }
    return .broken(line: start, title: VCard.title(of: properties), "card.no-end")
  }

  private static func finished(
    _ line: Int, _ properties: [ContentLine], _ fault: Text?
  ) -> FoundCard {
    do {
      if let fault { throw CardFault(fault) }
      // Version 3.0 is what most of those mean that do not say.
      let said = properties.first { $0.name == "VERSION" }?.text ?? VCard.Version.three.rawValue
      guard let version = VCard.Version(rawValue: plainText(said, .line)) else {
        throw CardFault("card.version")
      }
      let modern = try properties.filter { $0.name != "VERSION" }.map {
        try $0.modern(from: version)
      }
      return .whole(VCard(line: line, properties: modern))
    } catch let fault as CardFault {
      return .broken(line: line, title: VCard.title(of: properties), fault.reason)
    } catch {
      return .broken(line: line, title: VCard.title(of: properties), "card.unreadable")
    }
  }

  private enum Border { case begin, end }

  /// Whether a card begins or ends in that line.
  private static func border(_ line: [UInt8]) -> Border? {
    // Longer than any that does, and most lines are.
    guard line.count < 40, let property = ContentLine(line),
      plainText(property.text, .line).uppercased() == "VCARD"
    else { return nil }
    switch property.name {
    case "BEGIN": return .begin
    case "END": return .end
    default: return nil
    }
  }
}
