import PolyclinicCore
import Testing

@testable import Contacts

/// The index entry of a contact, for lists, searches and the birthday card.
@Suite struct EntryTests {
  private static func entry(
    _ name: String, _ methods: [(CommunicationMethod.Kind, String)] = [], id: Int64 = 1,
    birthday: String = ""
  ) -> Contact.Entry {
    var contact = Contact()
    contact.name = name
    contact.birthday = CalendarDate(birthday)
    contact.methods = methods.map { CommunicationMethod(type: $0.0, value: $0.1) }
    return Contact.Entry(contact, id: ID(id))
  }

  private static func found(_ words: String, _ entry: Contact.Entry) throws -> Bool {
    var bytes = ByteWriter()
    entry.write(to: &bytes)
    var reader = ByteReader(bytes.bytes)
    return try Contact.Entry.isMeant(by: SearchText.Query(words), from: &reader)
  }

  @Test(arguments: [
    entry(
      "Вера Браун", [(.email, "v@example.org"), (.phone, "+375 29 111")], birthday: "2000-02-29"),
    entry("", [], id: .max), entry("O’Neil-Петров", [(.phone, "(1)"), (.phone, "22")]),
  ])
  func `an entry is decoded as it was encoded`(_ entry: Contact.Entry) throws {
    var bytes = ByteWriter()
    entry.write(to: &bytes)
    var reader = ByteReader(bytes.bytes)
    let read = try Contact.Entry(from: &reader)
    #expect(read == entry && read.name.folded == entry.name.folded && reader.isAtEnd)
  }

  @Test func `fields that a newer release adds to an entry are skipped`() throws {
    var bytes = ByteWriter()
    Self.entry("Vera").write(to: &bytes)
    bytes.write("from the future")
    var reader = ByteReader(bytes.bytes)
    #expect(try Contact.Entry(from: &reader) == Self.entry("Vera"))
  }

  @Test func `a truncated entry is refused`() {
    var bytes = ByteWriter()
    Self.entry("Vera").write(to: &bytes)
    var reader = ByteReader(Array(bytes.bytes.dropLast(3)))
    #expect(throws: DecodingFailure.self) { try Contact.Entry(from: &reader) }
  }

  @Test(arguments: ["ver", "VERA", "brown", "bro ver", "Véra", "  b  ", "annm", "mar"])
  func `the beginning of any word of the name finds the contact`(_ words: String) throws {
    #expect(try Self.found(words, Self.entry("Vera Ann-Marie Brown")))
  }

  @Test(arguments: ["era", "rown", "vera b c", "verab"])
  func `the middle of a word, or another word, does not find the contact`(_ words: String) throws {
    #expect(try !Self.found(words, Self.entry("Vera Ann-Marie Brown")))
  }

  @Test(arguments: [
    ("ёлк", "Елена Елкина"), ("елк", "Елена Ёлкина"), ("zoe", "Zoë"), ("stra", "Straße"),
    ("שרה", "שָׂרָה כהן"), ("istan", "İstanbul"),
  ])
  func `a search ignores case and diacritics`(_ words: String, _ name: String) throws {
    #expect(try Self.found(words, Self.entry(name)))
  }

  @Test(arguments: ["29 111", "291112", "+375 29", "(29) 111-22", "233", "vera 111"])
  func `three or more digits of a telephone number find the contact`(_ words: String) throws {
    #expect(try Self.found(words, Self.entry("Vera", [(.phone, "+375 (29) 111-22-33")])))
  }

  @Test func `two digits, or digits of an e-mail address, do not find the contact`() throws {
    #expect(try !Self.found("29", Self.entry("Vera", [(.phone, "+375 29 111-22-33")])))
    #expect(try !Self.found("1985", Self.entry("Vera", [(.email, "vera1985@example.org")])))
  }

  @Test func `digits are not matched across two numbers`() throws {
    let entry = Self.entry("Vera", [(.phone, "111222"), (.phone, "333444")])
    #expect(try !Self.found("222333", entry))
    #expect(try Self.found("333", entry))
  }

  @Test func `digits of another script are matched`() throws {
    #expect(try Self.found("2911", Self.entry("Vera", [(.phone, "٠٢٩١١١")])))
  }

  @Test func `names are sorted without regard to case`() {
    let names = ["bob", "Alice", "Bea", "alan", "Émile", "Eva"].map { Self.entry($0) }
    #expect(names.sorted().map(\.name.string) == ["alan", "Alice", "Bea", "bob", "Émile", "Eva"])
  }
}
