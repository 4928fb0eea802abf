import PolyclinicCore
import PolyclinicFormats

/// A table of contacts, as Google Contacts and Outlook export it: comma-separated values, read as
/// cards, so that the same rules hold for both kinds of files.
struct ContactTable {
  /// The contacts as cards, in the order of the file.
  let cards: [VCard]

  /// Returns nil for a file that is no such table. Throws ``Refusal/invalid(_:_:)`` for the field
  /// `file` if the table is damaged or has more contacts or values than a file of cards may have.
  init?(_ file: [UInt8]) throws {
    guard !Self.hasCards(file), let text = Self.utf8(file) else { return nil }
    let table: CSVTable
    do throws(CSVFault) {
      table = try CSVTable(export: text, limit: VCardReader.mostCards, isHeading: Self.isHeading)
    } catch {
      throw Refusal.invalid("file", Self.text(of: error))
    }
    let columns = table.columns.map(ContactColumn.init)
    var lines = 0
    cards = try table.records.map { record in
      let properties = Self.properties(of: record, columns)
      lines += properties.count
      guard lines <= VCardReader.mostLines else {
        let arguments = ["line": String(record.line), "limit": String(VCardReader.mostLines)]
        throw Refusal.invalid("file", Text("card.too-many-lines", arguments))
      }
      return VCard(line: record.line, properties: properties, unreadable: [])
    }
  }

  private static func text(of fault: CSVFault) -> Text {
    if case .tooManyRecords(let limit) = fault.reason {
      return Text("card.too-many", ["limit": String(limit)])
    }
    return Text("card.table-fault", ["line": String(fault.line)])
  }

  // MARK: Recognising a table

  /// True for a line with the columns of a name and of a way to reach somebody.
  private static func isHeading(_ values: [String]) -> Bool {
    let columns = values.compactMap(ContactColumn.init)
    return columns.contains(where: \.isName) && columns.contains(where: \.isWay)
  }

  /// The bytes at the beginning of a file in which its headings stand.
  private static let headingReach = 16_384

  private static func hasCards(_ file: [UInt8]) -> Bool {
    String(decoding: file.prefix(headingReach), as: UTF8.self).uppercased().contains("BEGIN:VCARD")
  }

  /// Returns the table in UTF-8; nil for a file without the headings of contacts. Outlook writes the
  /// encoding of Windows, which its headings give away; English ones stand before Latin letters.
  private static func utf8(_ file: [UInt8]) -> [UInt8]? {
    if IncomingText(file).text != nil { return hasHeading(file) ? file : nil }
    for charset in ["windows-1251", "windows-1255", "windows-1252"] {
      guard let text = String(file, charset: charset).map({ Array($0.utf8) }), hasHeading(text)
      else { continue }
      let isPlain = file.prefix { $0 != UInt8(ascii: "\n") }.allSatisfy { $0 < 0x80 }
      if !isPlain || charset == "windows-1252" { return text }
    }
    return nil
  }

  private static func hasHeading(_ text: [UInt8]) -> Bool {
    var isFound = false
    let beginning = Array(text.prefix(headingReach))
    // A value that is cut off after the headings is no fault here.
    _ = try? CSVTable(export: beginning) { values in
      isFound = isFound || isHeading(values)
      return isHeading(values)
    }
    return isFound
  }

  // MARK: Reading a contact

  private static func properties(
    of record: CSVTable.Record, _ columns: [ContactColumn?]
  ) -> [ContentLine] {
    var properties: [ContentLine] = []
    var name = Array(repeating: "", count: 5)
    var addresses: [String: [String]] = [:]
    for (place, column) in columns.enumerated() {
      let value = CSVText.plain(record[place])
      guard let column, !value.isEmpty else { continue }
      switch column {
      case .name(let component): name[component] = value
      case .address(let group, let component):
        addresses[group, default: Array(repeating: "", count: 7)][component] = value
      case .formattedAddress(let group): addresses[group] = ["", "", value, "", "", "", ""]
      case .birthday:
        // Outlook writes a missing day as zeros.
        if value.contains(where: { $0 != "0" && $0 != "/" }) {
          properties.append(ContentLine("BDAY", value: value.utf8))
        }
      case .property(let property):
        // Google joins several values of a column.
        for part in parts(of: value) {
          properties.append(ContentLine(property, value: ContentLine.escaped(part)))
        }
      }
    }
    if name.contains(where: { !$0.isEmpty }) { properties.insert(line("N", name), at: 0) }
    for (_, components) in addresses.sorted(by: { $0.key < $1.key }) {
      properties.append(line("ADR", components))
    }
    return properties
  }

  private static func parts(of value: String) -> [String] {
    var parts: [String] = []
    var rest = value[...]
    while let border = rest.firstRange(of: " ::: ") {
      parts.append(String(rest[..<border.lowerBound]))
      rest = rest[border.upperBound...]
    }
    return parts + [String(rest)]
  }

  private static func line(_ name: String, _ components: [String]) -> ContentLine {
    ContentLine(
      name, value: components.map(ContentLine.escaped).joined(separator: [UInt8(ascii: ";")]))
  }
}

/// The meaning of a column of a table of contacts.
private enum ContactColumn {
  /// A component of the name (`N`).
  case name(Int)
  /// A component of an address (`ADR`); columns of one group belong together.
  case address(String, Int)
  case formattedAddress(String)
  case birthday
  /// A vCard property with this value.
  case property(String)

  var isName: Bool {
    switch self {
    case .name, .property("FN"): true
    default: false
    }
  }

  var isWay: Bool {
    switch self {
    case .property("TEL"), .property("EMAIL"): true
    default: false
    }
  }

  /// Returns nil for a column that no contact has a field for.
  init?(_ heading: String) {
    let words = heading.lowercased()
    if let known = Self.known[words] {
      self = known
      return
    }
    func has(_ parts: [String]) -> Bool { parts.contains { words.contains($0) } }
    if has(Self.besides) { return nil }
    if has(["e-mail", "email", "эл. почт", "электронной почты", "דואר אלקטרוני", "דוא\"ל"]) {
      self = .property("EMAIL")
    } else if has(["phone", "mobile", "телефон", "טלפון"]) {
      self = .property("TEL")
    } else if has(["website", "web page", "веб-страница", "דף אינטרנט"]) {
      self = .property("URL")
    } else if let part = Self.addressParts.first(where: { has($0.words) }) {
      let group = Self.group(of: words)
      self = part.component.map { .address(group, $0) } ?? .formattedAddress(group)
    } else {
      return nil
    }
  }

  /// The columns of Google Contacts and of Outlook in the portal's languages.
  private static let known: [String: ContactColumn] = [
    "name": .property("FN"), "display name": .property("FN"), "first name": .name(1),
    "given name": .name(1), "middle name": .name(2), "additional name": .name(2),
    "last name": .name(0), "family name": .name(0), "name prefix": .name(3),
    "name suffix": .name(4),
    "suffix": .name(4), "title": .name(3), "nickname": .property("NICKNAME"),
    "company": .property("ORG"),
    "organization name": .property("ORG"), "organization 1 - name": .property("ORG"),
    "job title": .property("TITLE"), "organization title": .property("TITLE"),
    "organization 1 - title": .property("TITLE"), "birthday": .birthday,
    "notes": .property("NOTE"),
    "имя": .name(1), "отчество": .name(2), "фамилия": .name(0), "организация": .property("ORG"),
    "должность": .property("TITLE"), "день рождения": .birthday, "заметки": .property("NOTE"),
    "שם פרטי": .name(1), "שם אמצעי": .name(2), "שם משפחה": .name(0), "חברה": .property("ORG"),
    "תפקיד": .property("TITLE"), "יום הולדת": .birthday, "הערות": .property("NOTE"),
  ]

  /// The words of columns that say something about the value beside them.
  private static let besides = [
    "label", "type", "phonetic", "assistant", "display name", "тип", "краткое имя", "סוג",
    "שם תצוגה",
  ]

  private static let addressParts: [(words: [String], component: Int?)] = [
    (["address 1 - formatted", "address 2 - formatted", "address 3 - formatted"], nil),
    (["po box", "почтовый ящик", "תיבת דואר"], 0), (["extended address"], 1),
    (["street", "улица", "רחוב"], 2), (["postal code", "индекс", "מיקוד"], 5),
    (["country", "страна", "ארץ"], 6), (["city", "город", "עיר"], 3),
    (["region", "state", "область", "מחוז"], 4),
  ]

  private static func group(of words: String) -> String {
    if let digit = words.first(where: \.isWholeNumber) { return String(digit) }
    for (group, parts) in [
      ("business", ["business", "work", "раб", "עבוד", "עסק"]),
      ("other", ["other", "друг", "אחר"]),
    ] where parts.contains(where: { words.contains($0) }) { return group }
    return "home"
  }
}
