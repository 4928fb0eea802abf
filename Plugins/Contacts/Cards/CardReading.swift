import PolyclinicCore
import PolyclinicFormats

/// A contact read from a card.
struct CardReading {
  private(set) var contact = Contact()
  /// True if a line was too large to be stored, such as a photograph.
  private(set) var hasOmissions = false
  /// The lines that could not be read, the values that no field shows, and the name that the card
  /// lacks.
  private(set) var remarks: [Text] = []
  private var sources: [ContentLine] = []
  private var extras: [ContentLine] = []
  private var parts: ContentLine?
  private var ways: Set<[String]> = []
  /// The first line of each property that may occur once.
  private var firsts: [String: ContentLine] = [:]

  /// The most contact methods that the form takes. Further ones of a card are stored as extra
  /// lines.
  static let mostWays = 50
  /// The longest contact method that the form takes, in Unicode scalars.
  private static let longestWay = 200
  /// The longest UID, in Unicode scalars.
  private static let longestUID = 500

  /// Throws ``CardFault`` if the card cannot become a contact.
  init(_ card: VCard) throws {
    remarks = card.unreadable.map(\.remark)
    for line in card.properties { try take(line) }
    contact.card.uid = try Self.uid(of: card)
    if contact.name.isEmpty {
      nameByOtherMeans(card)
      // A card of version 2.1, or a table, has its name in parts.
      if parts == nil { remarks.append("card.without-name") }
    }
    guard !contact.name.isEmpty else {
      throw CardFault(card.unreadable.first?.remark ?? "card.no-name")
    }
    contact.card.sources = ContactCard.text(sources)
    contact.card.extras = ContactCard.text(keepable())
  }

  private mutating func take(_ line: ContentLine) throws {
    if Self.passing.contains(line.name) { return }
    if ["KIND", "X-ADDRESSBOOKSERVER-KIND"].contains(line.name), line.text.lowercased() == "group" {
      throw CardFault("card.group")
    }
    let field = CardField(line)
    if isRepeated(line, field) { return }
    guard let field else {
      if line.name == "BDAY" { noteBirthday(line) }
      if !line.value.isEmpty { extras.append(Self.modernBirthday(line)) }
      return
    }
    if field == .empty { return }
    if fill(field) { sources.append(line) } else { extras.append(line) }
    if field == .parts, parts == nil { parts = line }
  }

  /// True for a further line of a property that a card has once, and for the same name again. Notes
  /// a value that is thereby left out.
  private mutating func isRepeated(_ line: ContentLine, _ field: CardField?) -> Bool {
    let isBounded = line.name == "FN" || ContactCard.single.contains(line.name)
    guard isBounded, field != .empty, !line.value.isEmpty else { return false }
    guard let first = firsts[line.name] else {
      firsts[line.name] = line
      return false
    }
    if line.name == "FN" { return line == first }
    if line.isAlternative(of: first) { return false }
    if case .birthday? = field, contact.birthday == nil { return false }
    if !line.value.elementsEqual(first.value) {
      remarks.append(Text("card.repeated", ["text": UnreadableLines.beginning(of: line.bytes)]))
    }
    return true
  }

  /// Notes a birthday that the contact does not show, because it is a year alone or no date.
  private mutating func noteBirthday(_ line: ContentLine) {
    if case .yearless = CardDate(line) { return }
    if line.value.isEmpty { return }
    let text = String(decoding: line.value.prefix(Self.longestWay), as: UTF8.self)
    remarks.append(
      Text("card.birthday-not-taken", ["date": String(plainText(text, .line).prefix(40))]))
  }

  /// Properties about the card itself, which each export writes anew.
  private static let passing: Set = ["PRODID", "REV", "UID", "VERSION", "AGENT"]

  /// Sets the field. Returns false if the field already has a value or cannot take this one.
  private mutating func fill(_ field: CardField) -> Bool {
    switch field {
    case .text(let property, let text):
      guard let field = Contact.TextField.byProperty[property], contact[field].isEmpty
      else { return false }
      contact[field] = text
      return true
    case .parts: return parts == nil
    case .birthday(let date):
      guard contact.birthday == nil else { return false }
      contact.birthday = date
      return true
    case .way(let kind, let value): return add(kind, value)
    case .empty: return true
    }
  }

  private mutating func add(_ kind: CommunicationMethod.Kind, _ value: String) -> Bool {
    guard value.unicodeScalars.count <= Self.longestWay, contact.methods.count < Self.mostWays,
      ways.insert([kind.rawValue, value]).inserted
    else { return false }
    contact.methods.append(CommunicationMethod(type: kind, value: value))
    return true
  }

  /// Finds another name, because a card of version 2.1 need not have `FN` and a company's card may
  /// have only `ORG`.
  private mutating func nameByOtherMeans(_ card: VCard) {
    let nickname = card.properties.first { $0.name == "NICKNAME" }?.text ?? ""
    let candidates = [
      parts.map(Self.name) ?? "", plainText(nickname, .line), contact.workplace,
      contact.methods.first?.value ?? "",
    ]
    contact.name = candidates.first { !$0.isEmpty } ?? ""
  }

  /// Joins the components of an `N` line into a full name.
  static func name(of parts: ContentLine) -> String {
    let components = parts.components.map { plainText($0, .line) } + Array(repeating: "", count: 5)
    // In the order prefix, given, additional, family, suffix.
    return [3, 1, 2, 0, 4].map { components[$0] }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func uid(of card: VCard) throws -> String {
    let uid = card.properties.first { $0.name == "UID" }.map { plainText($0.text, .line) } ?? ""
    guard uid.unicodeScalars.count <= longestUID else { throw CardFault("card.long-uid") }
    return uid
  }

  /// Rewrites a birthday for version 4.0, as text if it is not a date. Returns any other line
  /// unchanged.
  private static func modernBirthday(_ line: ContentLine) -> ContentLine {
    guard line.name == "BDAY" else { return line }
    let date = CardDate(line)
    if let written = date.written {
      return ContentLine(group: line.group, "BDAY", value: written.utf8)
    }
    if date == .partial || line.values(of: "VALUE").contains("text") { return line }
    return ContentLine(
      group: line.group, "BDAY", [.init("VALUE", ["text"])], value: ContentLine.escaped(line.text))
  }

  /// Returns the extra lines that fit into the size limits, and notes omissions in
  /// ``hasOmissions``.
  private mutating func keepable() -> [ContentLine] {
    var room = ContactCard.limit - contact.card.sources.utf8.count
    var kept: [ContentLine] = []
    for line in extras {
      if line.bytes.count > ContactCard.lineLimit || line.bytes.count > room {
        hasOmissions = true
      } else {
        kept.append(line)
        room -= line.bytes.count + 1
      }
    }
    return kept
  }
}
