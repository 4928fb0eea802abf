import PolyclinicCore

/// A contact as a card tells of it.
struct CardReading {
  private(set) var contact = Contact()
  /// Whether there was something too large to be kept, such as a photograph.
  private(set) var hasOmissions = false
  private var sources: [ContentLine] = []
  private var extras: [ContentLine] = []
  private var parts: ContentLine?
  private var ways: Set<[String]> = []

  /// How many ways of reaching somebody the form takes; the card may have more, which are kept.
  static let mostWays = 50
  /// The longest way that the form takes.
  private static let longestWay = 200
  /// The longest name by which other programs may know a contact.
  private static let longestUID = 500

  /// Throws ``CardFault`` for a card that cannot be a contact, whatever else is in it.
  init(_ card: VCard) throws {
    for line in card.properties { try take(line) }
    contact.card.uid = try Self.uid(of: card)
    if contact.details.name.isEmpty { nameByOtherMeans(card) }
    guard !contact.details.name.isEmpty else { throw CardFault("card.no-name") }
    contact.card.sources = ContactCard.text(sources)
    contact.card.extras = ContactCard.text(keepable())
  }

  private mutating func take(_ line: ContentLine) throws {
    if Self.passing.contains(line.name) { return }
    if ["KIND", "X-ADDRESSBOOKSERVER-KIND"].contains(line.name), line.text.lowercased() == "group" {
      throw CardFault("card.group")
    }
    guard let field = CardField(line) else {
      if !line.value.isEmpty { extras.append(Self.modernBirthday(line)) }
      return
    }
    if field == .empty { return }
    if fill(field) { sources.append(line) } else { extras.append(line) }
    if field == .parts, parts == nil { parts = line }
  }

  /// What is said of the card and not of the contact, and is said anew by whoever writes it.
  private static let passing: Set = ["PRODID", "REV", "UID", "VERSION", "AGENT"]

  /// Puts it into its field; false where that has something already, or cannot take it.
  private mutating func fill(_ field: CardField) -> Bool {
    switch field {
    case .name(let name): return set(\.name, name)
    case .parts: return parts == nil
    case .address(let address): return set(\.address, address)
    case .workplace(let workplace): return set(\.workplace, workplace)
    case .notes(let notes): return set(\.notes, notes)
    case .birthday(let date):
      guard contact.details.birthday == nil else { return false }
      contact.details.birthday = date
      return true
    case .way(let kind, let value): return add(kind, value)
    case .empty: return true
    }
  }

  private mutating func set(
    _ field: WritableKeyPath<Contact.Details, String>, _ text: String
  ) -> Bool {
    guard contact.details[keyPath: field].isEmpty else { return false }
    contact.details[keyPath: field] = text
    return true
  }

  private mutating func add(_ kind: CommunicationMethod.Kind, _ value: String) -> Bool {
    guard value.unicodeScalars.count <= Self.longestWay, contact.methods.count < Self.mostWays,
      ways.insert([kind.rawValue, value]).inserted
    else { return false }
    contact.methods.append(CommunicationMethod(type: kind, value: value))
    return true
  }

  /// A card of version 2.1 need not have the whole name; a company's has its own alone.
  private mutating func nameByOtherMeans(_ card: VCard) {
    let nickname = card.properties.first { $0.name == "NICKNAME" }?.text ?? ""
    let candidates = [
      parts.map(Self.name) ?? "", plainText(nickname, .line), contact.details.workplace,
      contact.methods.first?.value ?? "",
    ]
    contact.details.name = candidates.first { !$0.isEmpty } ?? ""
  }

  /// The name that is made of its parts.
  static func name(of parts: ContentLine) -> String {
    let components = parts.components.map { plainText($0, .line) } + Array(repeating: "", count: 5)
    // Prefix, given, additional, family, suffix.
    return [3, 1, 2, 0, 4].map { components[$0] }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func uid(of card: VCard) throws -> String {
    let uid = card.properties.first { $0.name == "UID" }.map { plainText($0.text, .line) } ?? ""
    guard uid.utf8.count <= longestUID else { throw CardFault("card.long-uid") }
    return uid
  }

  /// A birthday as version 4.0 writes it, as text if it is not a date; any other line as it is.
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

  /// The extras that are not too large.
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
