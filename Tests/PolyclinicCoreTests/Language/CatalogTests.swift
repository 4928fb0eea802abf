import Testing

@testable import PolyclinicCore

@Suite struct CatalogTests {
  private func catalog(_ en: String, ru: String = "{}", he: String = "{}") -> Catalog {
    Catalog(en: [Array(en.utf8)], ru: [Array(ru.utf8)], he: [Array(he.utf8)])
  }

  @Test(arguments: [
    ("", "a value is missing"),
    ("[]", "“{” is missing"),
    (#"{"a": "b""#, "“}” is missing"),
    (#"{"a": "b",}"#, "quotation marks"),
    (#"{"a" "b"}"#, "“:” is missing"),
    (#"{"a": 1}"#, "quotation marks"),
    (#"{"a": null}"#, "quotation marks"),
    (#"{"a": "b"} {}"#, "follows the value"),
    (#"{"a": "b}"#, "does not end"),
    ("{\"a\": \"b\nc\"}", "line break"),
    (#"{"a": "\x"}"#, "backslash"),
    (#"{"a": "\"#, "does not end"),
    (#"{"a": "\u12"}"#, "four hexadecimal"),
    (#"{"a": "\u+123"}"#, "four hexadecimal"),
    (#"{"a": "\ud83d"}"#, "surrogate"),
    (#"{"a": "\ud83d\u0041"}"#, "surrogate"),
    (#"{"a": "\udc00"}"#, "surrogate"),
    (#"{"a": {"one": {"x": "y"}}}"#, "quotation marks"),
    (#"{"a": ["b"]}"#, "quotation marks"),
    (#"{"a": "b", "a": "c"}"#, "there twice"),
    (#"{"": "b"}"#, "a key is"),
    (#"{"a b": "c"}"#, "a key is"),
    (#"{"a": {"one": "b", "others": "c"}}"#, "no plural category"),
    (#"{"a": {"one": "b", "one": "c", "other": "d"}}"#, "there twice"),
    (#"{"a": {"other": "c"}}"#, "exactly one, other"),
    (#"{"a": {"one": "b", "few": "b", "other": "c"}}"#, "exactly one, other"),
    (#"{"a": {}}"#, "exactly one, other"),
    (#"{"a": "b {"}"#, "brace stands alone"),
    (#"{"a": "b }"}"#, "brace stands alone"),
    (#"{"a": "{}"}"#, "is no placeholder"),
    (#"{"a": "{{name}}"}"#, "is no placeholder"),
    (#"{"a": "{a b}"}"#, "is no placeholder"),
    (#"{"a": "{1}"}"#, "is no placeholder"),
    (#"{"a": "{имя}"}"#, "is no placeholder"),
  ])
  func `a malformed catalog is refused with the reason`(json: String, reason: String) {
    let error = #expect(throws: CatalogError.self) { try Phrasebook(catalog(json)) }
    #expect(error?.reason.contains(reason) == true, "\(error?.description ?? "nothing")")
    #expect(error?.language == .english)
  }

  @Test func `an error names the language, file, line and key`() {
    let catalog = Catalog(ru: [Array("{}".utf8), Array("{\n\n\"a\": \"{\"}".utf8)])
    let error = #expect(throws: CatalogError.self) { try Phrasebook(catalog) }
    #expect(
      error?.description
        == "catalog “ru”, file 2, line 3, “a”: a brace stands alone; placeholders are written {name}"
    )
  }

  @Test func `the line of a faulty phrase is that of its key, not of a text that equals it`() {
    let faulty = catalog(
      #"""
      {"title": "list.empty",
       "list.empty": "none",
       "note": "\"bad\": see below",
       "bad" :
         "{"}
      """#)
    let error = #expect(throws: CatalogError.self) { try Phrasebook(faulty) }
    #expect(error?.line == 4 && error?.key == "bad")
  }

  @Test func `text that is not UTF-8 is refused`() {
    let bytes = Array(#"{"a": ""#.utf8) + [0xFF] + Array(#""}"#.utf8)
    #expect(throws: CatalogError.self) { try Phrasebook(Catalog(en: [bytes])) }
  }

  @Test func `a key in two files of one language is refused`() {
    let one = catalog(#"{"a": "b"}"#)
    #expect(throws: CatalogError.self) { try Phrasebook(one + one) }
  }

  @Test func `JSON escapes are decoded`() throws {
    let book = try Phrasebook(catalog(#" { "a" : "\"\\\/\n\u05d0\ud83d\ude00" } "#))
    #expect(book.string("a", in: .english) == "\"\\/\nא😀")
  }

  @Test func `catalogs with the same keys, forms and placeholders have no differences`() {
    let same = catalog(
      #"{"t": "Hi {name}", "n": {"one": "one of {owner}", "other": "{count} of {owner}"}}"#,
      ru: """
        {"t": "{name}, привет", "n": {"one": "{count} у {owner}", "few": "{count} у {owner}",
         "many": "{count} у {owner}", "other": "{count} у {owner}"}}
        """,
      he: """
        {"t": "שלום {name}",
         "n": {"one": "של {owner}", "two": "שניים של {owner}", "other": "{count} של {owner}"}}
        """)
    #expect(same.differences() == [])
  }

  @Test func `each difference between the languages is reported`() {
    let uneven = catalog(
      #"{"a": "x", "b": "{name}", "c": "y", "n": {"one": "one", "other": "{count}"}}"#,
      ru: """
        {"b": "{nom}", "c": {"one": "1", "few": "2", "many": "3", "other": "4"}, "d": "z",
         "n": {"one": "один", "few": "{count}", "many": "{count}", "other": "{count}"}}
        """,
      he: #"{"a": "x", "b": "{name}", "c": "y", "n": {"one": "1", "two": "2", "other": "3"}}"#)
    #expect(
      uneven.differences() == [
        "“a” in “ru” is missing",
        "“b” in “ru” has the placeholders {nom}, not {name}",
        "“c” in “ru” has plural forms, unlike “en”",
        "“d” in “ru” is not in “en”",
        "“n” in “ru”, form “one” has the placeholders (none), not {count}",
        "“n” in “he”, form “other” has the placeholders (none), not {count}",
      ])
    #expect(catalog("{").differences().count == 1)
  }
}
