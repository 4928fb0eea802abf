import PolyclinicCore

/// What the cards of a file would make of an address book.
struct ContactImport {
  /// A contact as it is to be stored.
  struct Item: Sendable {
    /// The one that is updated; nil for a new one.
    let id: ID<Contact>?
    let contact: Contact
    /// Whether the card had something too large to be kept.
    let hasOmissions: Bool
  }

  /// Says a sentence in the language of whoever brought the file.
  typealias Voice = (Text) -> String

  private let keys: Keys
  private let connection: Connection
  private let say: Voice
  private let known: KnownContacts
  /// The lines in which the UIDs of the file's cards so far stand.
  private var linesOfUIDs: [String: Int] = [:]
  // Hashes, because the lines themselves would take many times the file's size in memory.
  private var contents: Set<Int> = []
  private var contentsOfNames: [String: Set<Int>] = [:]

  /// Reads all cards of a file, each with what becomes of it; throws as ``VCardReader/next()``.
  static func read(
    _ file: [UInt8], by keys: Keys, on connection: Connection, saying say: @escaping Voice
  ) throws -> [Arrival<Item>] {
    let known = try KnownContacts(by: keys, on: connection)
    var reading = ContactImport(keys: keys, connection: connection, say: say, known: known)
    var reader = VCardReader(file)
    var arrivals: [Arrival<Item>] = []
    while let card = try reader.next() { arrivals.append(try reading.arrival(of: card)) }
    return arrivals
  }

  private mutating func arrival(of found: FoundCard) throws -> Arrival<Item> {
    switch found {
    case .broken(let line, let title, let reason):
      return Arrival(line: line, title: title, .refused(reason))
    case .whole(let card):
      do {
        let reading = try CardReading(card)
        let name = reading.contact.details.name
        return Arrival(
          line: card.line, title: String(name.prefix(VCard.shownOfTitle)),
          try fate(of: reading, in: card.line))
      } catch let fault as CardFault {
        let title = VCard.title(of: card.properties)
        return Arrival(line: card.line, title: title, .refused(fault.reason))
      }
    }
  }

  /// Whether it is new, or which one it is of those that are known.
  private mutating func fate(
    of reading: CardReading, in line: Int
  ) throws -> Arrival<Item>.Fate {
    let contact = reading.contact
    if let problem = try contact.problem(saying: say) { throw CardFault(problem) }
    let (uid, properties) = (contact.card.uid, contact.properties)
    let isRepeated = !contents.insert(([.uid(uid)] + properties).hashValue).inserted
    if isRepeated { return .duplicate }
    if uid.isEmpty {
      let isKnown = try storedContents(of: contact.details.name).contains(properties.hashValue)
      return isKnown ? .duplicate : .new(item(nil, contact, reading))
    }
    if let earlier = linesOfUIDs.updateValue(line, forKey: uid) {
      throw CardFault(Text("card.same-uid", ["line": String(earlier)]))
    }
    guard let id = known.id(of: uid), let stored = try stored(id) else {
      return .new(item(nil, contact, reading))
    }
    let updated = stored.updated(by: contact)
    if updated.properties == stored.properties { return .duplicate }
    if let problem = try updated.problem(saying: say) { throw CardFault(problem) }
    return .update(item(id, updated, reading))
  }

  /// What the contacts of a name say that are stored: each is opened once for all cards of that name.
  private mutating func storedContents(of name: String) throws -> Set<Int> {
    if let contents = contentsOfNames[name] { return contents }
    let contents = Set(try known.named(name).compactMap { try stored($0)?.properties.hashValue })
    contentsOfNames[name] = contents
    return contents
  }

  private func item(_ id: ID<Contact>?, _ contact: Contact, _ reading: CardReading) -> Item {
    Item(id: id, contact: contact, hasOmissions: reading.hasOmissions)
  }

  private func stored(_ id: ID<Contact>) throws -> Contact? {
    try Contact.records.find(id, by: keys, on: connection)
  }
}

extension ContactImport {
  /// Seals what a file brought, and returns what stores all of it; where it leads to says how much that
  /// was.
  static func save(
    _ items: [Item], at now: Instant, by keys: Keys, in database: any Database
  ) throws -> (Connection) throws -> Path {
    let new = items.filter { $0.id == nil }.map(\.contact)
    let changes = items.compactMap { item in item.id.map { (id: $0, record: item.contact) } }
    let sealed = try Contact.records.seal(
      new: new, changed: changes, at: now, by: keys, in: database
    ) { contact, id, keys, connection in
      try contact.card.store(for: id, by: keys, on: connection)
    }
    let omissions = items.filter(\.hasOmissions).count
    let path: Path = ""
    return { connection in
      try Contact.records.store(sealed, by: keys, on: connection)
      try MergeMemory.outdate(by: keys, on: connection)
      return path.query([
        "new": String(new.count), "updated": String(changes.count), "omissions": String(omissions),
      ])
    }
  }
}

extension Contact {
  /// What the form would not take: the rules of the page hold for files and for merging as well.
  func problem(saying say: ContactImport.Voice) throws -> Text? {
    let (_, problems) = try Contact.form.draft(from: Contact.form.fields(of: self))
    return problems.first.map { problem in
      let name = String(problem.field.prefix { $0 != "-" })
      return Text(
        "card.problem", ["field": say(Text("field.\(name)")), "problem": say(problem.text)])
    }
  }
}

/// The contacts that are there before a file is taken in, by what tells that a card is one of them.
private struct KnownContacts {
  private var byUID: [String: ID<Contact>] = [:]
  private var byName: [String: [ID<Contact>]] = [:]

  init(by keys: Keys, on connection: Connection) throws {
    for (id, uid) in try ContactCard.uids(by: keys, on: connection) {
      // Of two that somebody has taken back, the older one.
      byUID[uid] = min(byUID[uid] ?? id, id)
    }
    try Contact.index.forEach(by: keys, on: connection) {
      byName[$0.name.string, default: []].append($0.id)
    }
  }

  func id(of uid: String) -> ID<Contact>? { byUID[uid] }

  func named(_ name: String) -> [ID<Contact>] { byName[name] ?? [] }
}

extension ContentLine {
  fileprivate static func uid(_ uid: String) -> ContentLine {
    ContentLine("UID", value: uid.utf8)
  }
}
