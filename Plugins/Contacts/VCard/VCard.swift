import PolyclinicCore
import PolyclinicFormats

/// One card of a file, converted to version 4.0 (RFC 6350).
struct VCard: Sendable {
  /// The line of the file on which the card begins.
  let line: Int
  /// All lines of the card except its borders and its version.
  let properties: [ContentLine]

  /// The most characters of a refused card's name that are shown.
  static let shownOfTitle = 200

  /// The supported versions.
  enum Version: String, Sendable {
    /// vCard 2.1 of 1996, by versit.
    case two = "2.1"
    /// RFC 2426.
    case three = "3.0"
    /// RFC 6350.
    case four = "4.0"
  }

  /// A short name for a card that cannot be read, as far as its lines have one; empty otherwise.
  static func title(of properties: [ContentLine]) -> String {
    let line = properties.first { $0.name == "FN" } ?? properties.first { $0.name == "N" }
    guard let line = line?.withoutEncoding else { return "" }
    let name = line.components.lazy.map { $0.prefix(shownOfTitle) }.joined(separator: " ")
    return String(plainText(String(name.prefix(shownOfTitle)), .line))
  }
}

/// The reason for which a card is refused, as a text for the user.
struct CardFault: Error {
  let reason: Text

  init(_ reason: Text) { self.reason = reason }
}

/// A card as the reader found it.
enum FoundCard: Sendable {
  /// A complete card.
  case whole(VCard)
  /// An unreadable card, with its first line, its likely name and the reason.
  case broken(line: Int, title: String, Text)

  /// The line of the file on which the card begins.
  var line: Int {
    switch self {
    case .whole(let card): card.line
    case .broken(let line, _, _): line
    }
  }
}

/// Reads the cards of a file one by one. An invalid card does not affect the others.
struct VCardReader {
  private var lines: ContentLineReader
  /// A line that was read ahead and belongs to the next card.
  private var pending: ContentLineReader.Line?
  private var isAmongStrayLines = false
  private var cardCount = 0
  private var lineCount = 0

  /// The most cards that are read from one file.
  static let mostCards = 20_000
  /// The most properties of one card.
  static let mostProperties = 2_000
  /// The most unfolded lines that are read from one file: 20,000 cards of ten lines each.
  ///
  /// The limit exists because each telephone number becomes a row, and other writers wait while the rows
  /// of a file are stored.
  static let mostLines = 200_000

  init(_ file: [UInt8]) { lines = ContentLineReader(file) }

  /// Reads the next card, valid or not; nil at the end. Holds only one card in memory at a time.
  ///
  /// Throws ``Refusal/invalid(_:_:)`` for the field `file` if it has no card, or more cards or lines than
  /// the limits.
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
    // Skips a nested card (the `AGENT` of version 2.1).
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
      // Assumes version 3.0, because most cards without a version are of that one.
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

  /// Returns the border of a card that this line is, if any.
  private static func border(_ line: [UInt8]) -> Border? {
    // Returns early for lines longer than any border, which most lines are.
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
