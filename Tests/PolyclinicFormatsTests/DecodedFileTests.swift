import PolyclinicCore
import Testing

@testable import PolyclinicFormats

@Suite struct DecodedFileTests {
  private func text(_ file: DecodedFile) -> String { String(decoding: file.utf8, as: UTF8.self) }

  @Test func `UTF-8 stays as it is in every language`() {
    for language in Language.allCases {
      let file = DecodedFile(Array("\u{FEFF}Вес;משקל".utf8), for: language)
      #expect(text(file) == "\u{FEFF}Вес;משקל" && file.codePage == nil)
    }
  }

  @Test func `UTF-16 is read in the byte order of its mark`() {
    let marks: [[UInt8]] = [[0xFE, 0xFF], [0xFF, 0xFE]]
    for (place, mark) in marks.enumerated() {
      let bytes = "Вес 😀".utf16.flatMap { unit -> [UInt8] in
        let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        return place == 0 ? pair : pair.reversed()
      }
      let file = DecodedFile(mark + bytes, for: .english)
      #expect(text(file) == "Вес 😀" && file.codePage == nil)
    }
  }

  @Test(
    arguments: [
      (Language.russian, [0xC2, 0xE5, 0xF1], "Вес", "Windows-1251"),
      (.hebrew, [0xEE, 0xF9, 0xF7, 0xEC], "משקל", "Windows-1255"),
      (.english, [0x5A, 0x6F, 0xEB], "Zoë", "Windows-1252"),
    ] as [(Language, [UInt8], String, String)])
  func `other bytes are read in the code page of the reader's language`(
    _ language: Language, _ bytes: [UInt8], _ expected: String, _ codePage: String
  ) {
    let file = DecodedFile(bytes, for: language)
    #expect(text(file) == expected && file.codePage == codePage)
  }

  @Test(
    arguments: [
      (Language.english, [0x61, 0x9D]), (.russian, [0xE0, 0x98]), (.hebrew, [0xE0, 0x8A]),
      (.hebrew, [0xE0, 0xFF]), (.english, [0xFF, 0xFE, 0x00]), (.russian, [0xFF, 0xFE, 0, 0xD8]),
    ] as [(Language, [UInt8])])
  func `bytes that are no text in the encoding stay as they are, so that they are refused`(
    _ language: Language, _ bytes: [UInt8]
  ) {
    let file = DecodedFile(bytes, for: language)
    #expect(file.utf8 == bytes && file.codePage == nil)
    #expect(throws: CSVFault(line: 1, .encoding)) { try CSVTable(file.utf8) }
  }
}
