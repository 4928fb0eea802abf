import PolyclinicCore
import PolyclinicFormats
import PolyclinicImports

/// The import of a file of cards, or of a table, into an address book.
struct ContactImport {
  /// A contact that is ready to be stored.
  struct Item: Sendable {
    /// The existing contact to update; nil for a new one.
    let id: ID<Contact>?
    let contact: Contact
    /// True if the card had a line that was too large to be stored.
    let hasOmissions: Bool
  }

  /// Translates a text into the language of the user who imports the file.
  typealias Voice = (Text) -> String

  private let work: Work
  private let say: Voice
  private let known: KnownContacts
  /// The line number of each UID that the file has contained so far.
  private var linesOfUIDs: [String: Int] = [:]
  // Hashes, because the lines themselves would take many times the file's size in memory.
  private var contents: Set<Int> = []
  private var contentsOfNames: [String: Set<Int>] = [:]

  /// Reads all cards of a file and decides for each if it is new, an update, a duplicate or
  /// invalid. Throws the errors of ``VCardReader/next()``.
  static func read(
    _ file: [UInt8], in work: Work, saying say: @escaping Voice
  ) throws -> [ImportRow<Item>] {
    let known = try KnownContacts(in: work)
    var reading = ContactImport(work: work, say: say, known: known)
    if let table = try ContactTable(file) {
      return try table.cards.map { try reading.row(of: .whole($0)) }
    }
    var reader = VCardReader(file)
    var rows: [ImportRow<Item>] = []
    while let card = try reader.next() { rows.append(try reading.row(of: card)) }
    // A contact can change in one way only.
    var changed = Set(rows.compactMap(\.updatedContact))
    for place in rows.indices {
      guard let id = rows[place].alternative?.item.id else { continue }
      if !changed.insert(id).inserted { rows[place].alternative = nil }
    }
    return rows
  }

  private mutating func row(of found: FoundCard) throws -> ImportRow<Item> {
    switch found {
    case .broken(let line, let title, let reason):
      return ImportRow(line: line, title: title, .refused(reason))
    case .whole(let card):
      do {
        let reading = try CardReading(card)
        let name = reading.contact.name
        let outcome = try outcome(of: reading, in: card.line)
        var row = ImportRow(
          line: card.line, title: String(name.prefix(VCard.shownOfTitle)), outcome)
        row.detail = reading.contact.waysInShort
        row.remarks = remarks(on: reading, outcome)
        if case .new = outcome, let same = known.same(as: reading.contact) {
          row.alternative = try merge(reading, into: same)
          if row.alternative == nil { row.remarks.append(Text("card.may-be-same", same.words)) }
        }
        return row
      } catch let fault as CardFault {
        let title = VCard.title(of: card.properties)
        return ImportRow(line: card.line, title: title, .refused(fault.reason))
      }
    }
  }

  /// Returns the alternative that merges the card into an existing contact; nil if the result would
  /// break a rule of the form.
  private func merge(
    _ reading: CardReading, into known: KnownContacts.Known
  ) throws -> ImportRow<Item>.Alternative? {
    guard let stored = try stored(known.id) else { return nil }
    let merged = stored.merged(with: reading.contact, .addingToTheFirst)
    guard try merged.problem(saying: say) == nil else { return nil }
    return .init(
      known.id.description, Text("card.merge-with", known.words), item(known.id, merged, reading))
  }

  /// Returns the remarks on a contact that is imported: the values that no field takes.
  private func remarks(on reading: CardReading, _ outcome: ImportRow<Item>.Outcome) -> [Text] {
    switch outcome {
    case .new, .update: reading.remarks
    case .duplicate, .refused: []
    }
  }

  /// Decides if the contact is new, an update or a duplicate. Throws ``CardFault`` if it is
  /// invalid.
  private mutating func outcome(
    of reading: CardReading, in line: Int
  ) throws -> ImportRow<Item>.Outcome {
    let contact = reading.contact
    if let problem = try contact.problem(saying: say) { throw CardFault(problem) }
    let (uid, properties) = (contact.card.uid, contact.properties)
    let isRepeated = !contents.insert(([.uid(uid)] + properties).hashValue).inserted
    if isRepeated { return .duplicate }
    if uid.isEmpty {
      let isKnown = try storedContents(of: contact.name).contains(properties.hashValue)
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

  /// The hashes of the stored contacts of a name. Cached, so that each contact is opened once for
  /// all cards of that name.
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
    try Contact.records.find(id, in: work)
  }
}

extension ContactImport {
  /// Seals the imported contacts and returns a closure that stores them all. The path that the
  /// closure returns carries the counts for the notice.
  static func save(_ items: [Item], _ context: Context) throws -> (Context) throws -> Path {
    let new = items.filter { $0.id == nil }.map(\.contact)
    let changes = items.compactMap { item in item.id.map { (id: $0, record: item.contact) } }
    let sealed = try Contact.records.seal(
      new: new, changed: changes, in: context, numberedIn: context.portal.database
    ) { contact, id, work in
      try contact.card.store(for: id, in: work)
    }
    let omissions = items.filter(\.hasOmissions).count
    return { context in
      try Contact.records.store(sealed, in: context)
      try MergeMemory.outdate(in: context)
      return ContactList.path.query([
        "new": String(new.count), "updated": String(changes.count), "omissions": String(omissions),
      ])
    }
  }
}

extension Contact {
  /// Returns the first validation error of the form, so that its rules also hold for imports and
  /// merges.
  func problem(saying say: ContactImport.Voice) throws -> Text? {
    let (_, problems) = try Contact.form.draft(from: Contact.form.fields(of: self))
    return problems.first.map { problem in
      let name = String(problem.field.prefix { $0 != "-" })
      return Text(
        "card.problem", ["field": say(Text("field.\(name)")), "problem": say(problem.text)])
    }
  }
}

/// The existing contacts, by UID, by name and by the keys of likely duplicates.
private struct KnownContacts {
  private var byUID: [String: ID<Contact>] = [:]
  private var byName: [String: [ID<Contact>]] = [:]
  /// The first contact with a key and the number of contacts with it, by the key's hash.
  private var byMark: [Int: (known: Known, count: Int)] = [:]

  /// An existing contact.
  struct Known {
    let id: ID<Contact>
    let name: String

    /// The name as an argument of a sentence.
    var words: [String: String] { ["name": String(name.prefix(VCard.shownOfTitle))] }
  }

  init(in work: Work) throws {
    for (id, uid) in try ContactCard.uids(in: work) {
      // Takes the older of two contacts with the same UID, which occur if the user restored a
      // deleted one.
      byUID[uid] = min(byUID[uid] ?? id, id)
    }
    try Contact.index.forEach(in: work) { entry in
      let name = entry.name.string
      byName[name, default: []].append(entry.id)
      let known = Known(id: entry.id, name: name)
      for mark in entry.marks { byMark[mark.hashValue, default: (known, 0)].count += 1 }
    }
  }

  /// Returns the existing contact that a new one may be; nil if none shares its name, a telephone
  /// number or an e-mail address. Many contacts share the number of a household or a practice,
  /// which tells nothing.
  func same(as contact: Contact) -> Known? {
    let marks = Contact.Entry(contact, id: ID(0)).marks
    return marks.lazy.compactMap { mark in
      byMark[mark.hashValue].flatMap { found in
        mark.kind == .name || found.count <= MarkedGroups.largest ? found.known : nil
      }
    }.first
  }

  func id(of uid: String) -> ID<Contact>? { byUID[uid] }

  func named(_ name: String) -> [ID<Contact>] { byName[name] ?? [] }
}

extension ImportRow<ContactImport.Item> {
  /// The contact that the record updates; nil for any other outcome.
  fileprivate var updatedContact: ID<Contact>? {
    if case .update(let item) = outcome { item.id } else { nil }
  }
}

extension ContentLine {
  fileprivate static func uid(_ uid: String) -> ContentLine {
    ContentLine("UID", value: uid.utf8)
  }
}
