import PolyclinicCore
import PolyclinicFormats

/// One card of a file, converted to version 4.0 (RFC 6350).
struct VCard: Sendable {
  /// The line of the file on which the card begins.
  let line: Int
  /// All readable lines of the card except its borders and its version.
  let properties: [ContentLine]
  /// The lines that could not be read.
  let unreadable: [UnreadableLines]

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
  /// A card with its end. Some of its lines may be unreadable.
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

/// Reads the cards of a file one by one. An invalid card does not affect the others, and an invalid
/// line not the rest of its card.
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
  /// The limit exists because each telephone number becomes a row, and other writers wait while the
  /// rows of a file are stored.
  static let mostLines = 200_000

  init(_ file: [UInt8]) { lines = ContentLineReader(file) }

  /// Reads the next card, valid or not; nil at the end. Holds only one card in memory at a time.
  ///
  /// Throws ``Refusal/invalid(_:_:)`` for the field `file` if it has no card, or more cards or
  /// lines than the limits.
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
    var lines = CardLines()
    // Skips a nested card (the `AGENT` of version 2.1).
    var depth = 0
    while let line = try line() {
      switch Self.border(line.bytes) {
      case .begin where depth > 0 || lines.lastName == "AGENT": depth += 1
      case .begin:
        pending = line
        return .broken(line: start, title: lines.title, "card.no-end")
      case .end where depth > 0: depth -= 1
      case .end:
        do throws(CardFault) { return .whole(try lines.card(beginningIn: start)) } catch {
          return .broken(line: start, title: lines.title, error.reason)
        }
      case nil where depth > 0: continue
      case nil: lines.append(line)
      }
    }
    return .broken(line: start, title: lines.title, "card.no-end")
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
