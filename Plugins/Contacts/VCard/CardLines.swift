import PolyclinicCore
import PolyclinicFormats

/// Adjacent lines of a card that cannot be read and are left out of it.
struct UnreadableLines: Sendable {
  /// The first line's number in the file.
  let number: Int
  var count = 1
  /// The beginning of the first line.
  let text: String

  /// The longest beginning that is shown, in characters.
  private static let shown = 40

  init(_ number: Int, _ line: some Collection<UInt8>) {
    self.number = number
    text = Self.beginning(of: line)
  }

  /// Returns the beginning of a line, to show it.
  static func beginning(of line: some Collection<UInt8>) -> String {
    let start = plainText(String(decoding: line.prefix(8 * shown), as: UTF8.self), .line)
    return start.count > shown ? "\(start.prefix(shown))…" : start
  }

  /// The sentence that names the lines.
  var remark: Text {
    let arguments = ["line": String(number), "text": text]
    return count == 1
      ? Text("card.line-left-out", arguments)
      : Text("card.lines-left-out", arguments, count: count)
  }
}

/// The lines of a card while it is read, in the version in which it is written.
struct CardLines {
  private var properties: [(number: Int, line: ContentLine)] = []
  private var unreadable: [UnreadableLines] = []
  /// True if the line before this one could not be read.
  private var isBehindUnreadable = false
  private var isTooLong = false

  /// The most remarks on one card. The last counts all further lines.
  private static let mostRemarks = 10
  /// The properties that are worth nothing without the line that continues them.
  private static let indivisible: Set = ["PHOTO", "LOGO", "SOUND", "KEY"]

  /// The name of the last property.
  var lastName: String? { properties.last?.line.name }
  /// A short name for the card if it is refused.
  var title: String { VCard.title(of: properties.map(\.line)) }

  /// Adds a line, or notes that it cannot be read.
  mutating func append(_ line: ContentLineReader.Line) {
    guard let property = ContentLine(line.bytes) else { return leaveOut(line) }
    isBehindUnreadable = false
    if properties.count == VCardReader.mostProperties {
      isTooLong = true
    } else {
      properties.append((line.number, property))
    }
  }

  private mutating func leaveOut(_ line: ContentLineReader.Line) {
    if isBehindUnreadable {
      unreadable[unreadable.count - 1].count += 1
      return
    }
    isBehindUnreadable = true
    guard let last = properties.last, Self.indivisible.contains(last.line.name) else {
      return note(UnreadableLines(line.number, line.bytes))
    }
    properties.removeLast()
    var lines = UnreadableLines(last.number, last.line.bytes)
    lines.count += 1
    note(lines)
  }

  private mutating func note(_ lines: UnreadableLines) {
    if unreadable.count < Self.mostRemarks {
      unreadable.append(lines)
    } else {
      unreadable[unreadable.count - 1].count += lines.count
    }
  }

  /// Converts the lines to version 4.0. A line whose characters cannot be decoded is left out.
  ///
  /// Throws ``CardFault`` if the card is too long, of an unknown version, or has only a name that
  /// cannot be decoded.
  func card(beginningIn start: Int) throws(CardFault) -> VCard {
    if isTooLong {
      throw CardFault(Text("card.too-long", ["limit": String(VCardReader.mostProperties)]))
    }
    let version = try version
    var rest = self
    var modern: [ContentLine] = []
    var nameFault: CardFault?
    for (number, line) in properties where line.name != "VERSION" {
      do throws(CardFault) { modern.append(try line.modern(from: version)) } catch {
        rest.note(UnreadableLines(number, "\(line.name): \(line.withoutEncoding.text)".utf8))
        if Self.isName(line) { nameFault = error }
      }
    }
    if let nameFault, !modern.contains(where: Self.isName) { throw nameFault }
    return VCard(
      line: start, properties: modern,
      unreadable: rest.unreadable.sorted { $0.number < $1.number })
  }

  private static func isName(_ line: ContentLine) -> Bool {
    ["FN", "N"].contains(line.name)
      && !plainText(line.text, .line).allSatisfy { $0 == ";" || $0.isWhitespace }
  }

  private var version: VCard.Version {
    get throws(CardFault) {
      let line = properties.first { $0.line.name == "VERSION" }?.line
      // Assumes version 3.0, because most cards without a version are of that one.
      let said = line?.text ?? VCard.Version.three.rawValue
      guard let version = VCard.Version(rawValue: plainText(said, .line)) else {
        throw CardFault("card.version")
      }
      return version
    }
  }
}
