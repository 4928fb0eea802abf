import PolyclinicCore
import Testing

@Suite struct CatalogPhrasebookTests {
  private let book: Phrasebook

  init() throws {
    let shared = Catalog(
      en: [Array(#"{"save": "Save", "title": "Portal"}"#.utf8)],
      ru: [Array(#"{"save": "Сохранить", "title": "Портал"}"#.utf8)],
      he: [Array(#"{"save": "שמירה", "title": "פורטל"}"#.utf8)])
    let own = Catalog(
      en: [
        Array(
          """
          {"title": "Contacts", "of": "Card of {name}",
           "n": {"one": "{count} contact", "other": "{count} contacts"}}
          """.utf8)
      ],
      ru: [
        Array(
          """
          {"title": "Контакты", "of": "Карточка: {name}",
           "n": {"one": "{count} контакт", "few": "{count} контакта",
                 "many": "{count} контактов", "other": "{count} контакта"}}
          """.utf8)
      ],
      he: [
        Array(
          """
          {"title": "אנשי קשר", "of": "כרטיס של {name}",
           "n": {"one": "איש קשר אחד", "two": "שני אנשי קשר", "other": "{count} אנשי קשר"}}
          """.utf8)
      ])
    book = try Phrasebook(shared).preceded(by: own)
  }

  @Test func `a module's own texts take precedence over the shared ones`() {
    #expect(book.string("title", in: .russian) == "Контакты")
    #expect(book.string("save", in: .hebrew) == "שמירה")
    #expect(book.contains("save", in: .english))
  }

  @Test func `a missing key or value is shown in brackets`() {
    #expect(book.string("nothing", in: .english) == "⟦nothing⟧")
    #expect(book.string("of", in: .english) == "Card of ⟦name⟧")
    #expect(book.string("n", in: .english) == "⟦count⟧ contacts")
    #expect(!book.contains("nothing", in: .english))
  }

  @Test(arguments: [
    (Language.english, 1, "1 contact"), (.english, 0, "0 contacts"),
    (.english, 1_234, "1,234 contacts"),
    (.russian, 1, "1 контакт"), (.russian, 3, "3 контакта"), (.russian, 11, "11 контактов"),
    (.russian, 21, "21 контакт"), (.russian, 12_000, "12\u{A0}000 контактов"),
    (.hebrew, 1, "איש קשר אחד"), (.hebrew, 2, "שני אנשי קשר"), (.hebrew, 20, "20 אנשי קשר"),
  ])
  func `a count selects the plural form and is formatted for the language`(
    language: Language, count: Int, sentence: String
  ) {
    #expect(book.string(Text("n", count: count), in: language) == sentence)
  }

  @Test(arguments: [
    (Language.english, "Anna", "Card of Anna"),
    (.english, "Анна", "Card of Анна"),
    (.english, "חנה", "Card of \u{2068}חנה\u{2069}"),
    (.english, "{count}", "Card of {count}"),
    (.english, "a\u{202E}b", "Card of ab"),
    (.english, "ח\u{2069}נה", "Card of \u{2068}חנה\u{2069}"),
    (.hebrew, "חנה לוי", "כרטיס של חנה לוי"),
    (.hebrew, "Anna", "כרטיס של \u{2068}Anna\u{2069}"),
    (.hebrew, "+375 29", "כרטיס של \u{2068}+375 29\u{2069}"),
    (.russian, "سلمى", "Карточка: \u{2068}سلمى\u{2069}"),
    (.russian, "", "Карточка: "),
  ])
  func `a value in the opposite writing direction is isolated`(
    language: Language, name: String, sentence: String
  ) {
    let said = book.string(Text("of", ["name": name]), in: language)
    #expect(Array(said.unicodeScalars) == Array(sentence.unicodeScalars))
  }

  @Test func `a sentence within a sentence keeps the isolates of its values`() throws {
    let catalog = Catalog(
      en: [Array(#"{"gone": "{name} was deleted.", "sugar": "{amount}, {time}"}"#.utf8)],
      ru: [Array(#"{"gone": "Удалено: {name}.", "sugar": "{amount}, {time}"}"#.utf8)],
      he: [Array(#"{"gone": "{name} נמחק.", "sugar": "{amount}, {time}"}"#.utf8)])
    let book = try Phrasebook(catalog)
    let day = try #require(CalendarDate("2026-11-26"))
    let name = Text(
      "sugar",
      values: ["amount": .quantity(9.7, fractionDigits: 1, unit: "mmol/L"), "time": .day(day)])
    let gone = Text("gone", values: ["name": .text(name)])
    #expect(book.string(gone, in: .english) == "9.7\u{A0}mmol/L, 26 November 2026 was deleted.")
    let hebrew = book.string(gone, in: .hebrew)
    let amount = "\u{2068}9.7\u{A0}mmol/L\u{2069}"
    #expect(hebrew.hasPrefix("\u{2068}\(amount), \u{2068}26 "))
    #expect(hebrew.hasSuffix("2026\u{2069}\u{2069} נמחק."))
  }
}
