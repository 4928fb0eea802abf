import PolyclinicCore
import Testing

@testable import Contacts

/// Conversion of a card of any version to a contact.
@Suite struct CardReadingTests {
  private func contact(_ lines: String..., version: String = "3.0") throws -> Contact {
    let file = vCard(lines, version: version)
    guard case .whole(let card) = try #require(VCardReader.cards(of: Array(file.utf8)).first)
    else { throw CardFault("broken") }
    return try CardReading(card).contact
  }

  private func ways(_ contact: Contact) -> [String] {
    contact.methods.map { "\($0.type.rawValue) \($0.value)" }
  }

  @Test func `a card of version 4.0 fills all fields`() throws {
    let vera = try contact(
      "FN:Vera Green", "N:Green;Vera;;;", "TEL;VALUE=uri;TYPE=\"voice,home\":tel:+375-29-1112233",
      "EMAIL:vera@example.org", "IMPP:xmpp:vera@example.org", "URL:https://example.org/vera",
      "ADR;LABEL=\"x\":;;Main Street 1;Town;Region;220000;Belarus", "BDAY:19850412",
      "ORG:School\\, No. 5;Library", "NOTE:Likes tea\\nand cake", version: "4.0")
    #expect(vera.name == "Vera Green" && vera.workplace == "School, No. 5, Library")
    #expect(vera.birthday == CalendarDate("1985-04-12"))
    #expect(vera.address == "Main Street 1\n220000 Town\nRegion\nBelarus")
    #expect(vera.notes == "Likes tea\nand cake")
    #expect(
      ways(vera) == [
        "phone +375-29-1112233", "email vera@example.org", "messenger xmpp:vera@example.org",
        "web https://example.org/vera",
      ])
    #expect(vera.card.extras.isEmpty)
  }

  @Test(arguments: ["a", "ж", "א"])
  func `a UID of 500 characters of any alphabet is taken, a longer one refused`(_ letter: String)
    throws
  {
    let longest = String(repeating: letter, count: 500)
    #expect(try contact("FN:Vera", "UID:\(longest)").name == "Vera")
    #expect(throws: CardFault.self) { try contact("FN:Vera", "UID:\(longest)a") }
  }

  @Test func `a card of version 2.1 is decoded from quoted-printable`() throws {
    let vera = try contact(
      "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=9F=D0=B5=D1=82=D1=80=D0=BE=D0=B2=D0=B0;=D0=92=\r\n"
        + "=D0=B5=D1=80=D0=B0;;;",
      "FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=92=D0=B5=D1=80=D0=B0", "TEL;CELL;PREF:111",
      "TEL;HOME:222", "NOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0Atwo, three",
      "X-CUSTOM;HOME:kept", version: "2.1")
    #expect(vera.name == "Вера" && vera.notes == "one\ntwo, three")
    #expect(ways(vera) == ["phone 111", "phone 222"])
    #expect(vera.card.sources.contains("TEL;TYPE=CELL;PREF=1:111"))
    #expect(vera.card.extras == "X-CUSTOM;TYPE=HOME:kept")
  }

  @Test(arguments: [
    ("windows-1251", [0xC2, 0xE5, 0xF0, 0xE0] as [UInt8], "Вера"),
    ("ISO-8859-1", [0x5A, 0x6F, 0xEB], "Zoë"), ("windows-1255", [0xF9, 0xF8, 0xE4], "שרה"),
  ])
  func `a name in an older character set is decoded`(
    _ charset: String, _ bytes: [UInt8], _ name: String
  ) throws {
    let head = Array("BEGIN:VCARD\r\nVERSION:2.1\r\nFN;CHARSET=\(charset):".utf8)
    let file = head + bytes + Array("\r\nEND:VCARD\r\n".utf8)
    guard case .whole(let card) = try #require(VCardReader.cards(of: file).first) else {
      throw CardFault("broken")
    }
    #expect(try CardReading(card).contact.name == name)
  }

  @Test func `Apple's groups, labels and omitted years are kept`() throws {
    let vera = try contact(
      "FN:Vera", "N:;Vera;;;", "item1.TEL:111", "item1.X-ABLabel:_$!<Mobile>!$_",
      "URL;type=WORK:http\\://example.org", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-15")
    #expect(ways(vera) == ["phone 111", "web http://example.org"])
    #expect(vera.card.sources.contains("item1.TEL:111"))
    #expect(vera.card.extras == "item1.X-ABLabel:_$!<Mobile>!$_\nBDAY:--0415")
    #expect(
      vera.birthday == nil && vera.card.birthday == CalendarDate.MonthDay(month: 4, day: 15)
    )
  }

  @Test(
    arguments: [
      ("1985-04-12T00:00:00Z", "1985-04-12", nil), ("19850412", "1985-04-12", nil),
      ("--0415", nil, "BDAY:--0415"), ("--04-15", nil, "BDAY:--0415"),
      ("--0229", nil, "BDAY:--0229"), ("19900229", nil, "BDAY:--0229"),
      ("1990-02-29", nil, "BDAY:--0229"),
      ("1985-04", nil, "BDAY:1985-04"), ("1985", nil, "BDAY:1985"),
      ("---12", nil, "BDAY:---12"), ("banana", nil, "BDAY;VALUE=text:banana"),
      ("1985-02-30", nil, "BDAY;VALUE=text:1985-02-30"), ("--0230", nil, "BDAY;VALUE=text:--0230"),
      ("", nil, nil), ("T", nil, "BDAY;VALUE=text:T"), (";", nil, nil),
    ] as [(String, String?, String?)])
  func `a complete birthday fills the field, and any other is kept in the card`(
    _ written: String, _ day: String?, _ kept: String?
  ) throws {
    let vera = try contact("FN:Vera", "BDAY:\(written)")
    #expect(vera.birthday == day.flatMap { CalendarDate($0) })
    #expect(vera.card.extras == kept ?? "")
  }

  @Test func `a missing full name is taken from name parts, company or number`() throws {
    #expect(try contact("N:Green;Vera;Ann;Dr.;Jr.").name == "Dr. Vera Ann Green Jr.")
    #expect(try contact("N:;;;;", "ORG:Pharmacy").name == "Pharmacy")
    #expect(try contact("TEL:112").name == "112")
    #expect(throws: CardFault.self) { try contact("NOTE:nobody") }
  }

  @Test func `invisible direction marks around names and numbers are removed`() throws {
    let vera = try contact("FN:\u{202A}Vera\u{202C}", "TEL:\u{202A}+972 50-1112233\u{202C}")
    #expect(vera.name == "Vera" && ways(vera) == ["phone +972 50-1112233"])
  }

  @Test func `properties without a field are kept unchanged`() throws {
    let lines = [
      "TITLE:Head nurse", "CATEGORIES:Family,Doctors", "x-Custom;X-P=\"a;b\":1\\,2;3",
      "item2.X-ABDATE;type=pref:2020-01-01",
    ]
    let vera = try contact(
      "FN:Vera", lines[0], lines[1], lines[2], lines[3], "ADR:;;First;;;;", "ADR:;;Second;;;;")
    #expect(vera.address == "First")
    #expect(vera.card.extras == (lines + ["ADR:;;Second;;;;"]).joined(separator: "\n"))
  }

  @Test(arguments: [
    ("GEO:37.386013;-122.082932", "GEO:geo:37.386013,-122.082932"),
    ("item1.GEO;TYPE=home:1;2", "item1.GEO;TYPE=home:geo:1,2"),
    ("GEO:geo:1,2", "GEO:geo:1,2"), ("GEO:91;2", "GEO:91;2"), ("GEO:1;2;3", "GEO:1;2;3"),
  ])
  func `a position of version 3.0 is kept as a URI`(_ written: String, _ kept: String) throws {
    #expect(try contact("FN:Vera", written).card.extras == kept)
  }

  @Test func `a photograph is kept as a data URL, and one too large is omitted`() throws {
    let vera = try contact("FN:Vera", "PHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\n BBBB")
    #expect(vera.card.extras == "PHOTO:data:image/jpeg;base64,AAAABBBB")
    let large = String(repeating: "A", count: ContactCard.lineLimit)
    let file = vCard(["FN:Vera", "PHOTO;ENCODING=b;TYPE=PNG:\(large)", "TITLE:x"], version: "3.0")
    guard case .whole(let whole) = try #require(VCardReader.cards(of: Array(file.utf8)).first)
    else { throw CardFault("broken") }
    let reading = try CardReading(whole)
    #expect(reading.hasOmissions && reading.contact.card.extras == "TITLE:x")
  }

  @Test func `a contact shows fifty ways, and the rest is kept in the card`() throws {
    let numbers = (100..<170).map { "TEL:\($0)" }
    let file = vCard(["FN:Vera"] + numbers + ["TEL:100"], version: "3.0")
    guard case .whole(let whole) = try #require(VCardReader.cards(of: Array(file.utf8)).first)
    else { throw CardFault("broken") }
    let vera = try CardReading(whole).contact
    #expect(vera.methods.count == 50 && ContactCard.lines(vera.card.extras).count == 21)
  }

  @Test func `each broken card is reported with its line, and the others are read`() throws {
    let file = """
      BEGIN:VCARD
      VERSION:3.0
      FN:One
      END:VCARD
      garbage
      more garbage
      BEGIN:VCARD
      VERSION:3.0
      FN:Two
      no property
      END:VCARD
      BEGIN:VCARD
      VERSION:3.0
      FN:Three
      BEGIN:VCARD
      VERSION:9.9
      FN:Four
      END:VCARD
      BEGIN:VCARD
      VERSION:2.1
      FN:Five
      AGENT:
      BEGIN:VCARD
      FN:Within
      END:VCARD
      TEL:5
      END:VCARD
      BEGIN:VCARD
      FN:Six
      """
    let cards = try VCardReader.cards(of: Array(file.utf8))
    let found = cards.map { card in
      switch card {
      case .whole(let card): "\(card.line) whole"
      case .broken(let line, let title, let reason):
        "\(line) \(title) \(reason.key) \(reason.arguments["line"] ?? "")"
      }
    }
    #expect(
      found == [
        "1 whole", "5  card.stray ", "7 whole", "12 Three card.no-end ",
        "15 Four card.version ", "19 whole", "28 Six card.no-end ",
      ])
  }

  @Test func `a group of contacts is refused`() {
    #expect(throws: CardFault.self) {
      try contact("FN:Friends", "X-ADDRESSBOOKSERVER-KIND:group")
    }
  }

  @Test(
    arguments: [[0xFF, 0xC2], [0x41, 0x00]] as [[UInt8]], ["2.1", "3.0", "4.0"])
  func `a card that is not UTF-8, or holds U+0000, is refused`(
    _ name: [UInt8], _ version: String
  ) throws {
    let file =
      Array("BEGIN:VCARD\nVERSION:\(version)\nFN:".utf8) + name + Array("\nEND:VCARD".utf8)
    guard case .broken(1, _, "card.letters") = try #require(VCardReader.cards(of: file).first)
    else {
      Issue.record("taken for whole")
      return
    }
  }

  @Test func `a file without a card and a file with too many cards are refused`() {
    let card = "BEGIN:VCARD\nEND:VCARD\n"
    let many = String(repeating: card, count: VCardReader.mostCards + 1)
    for (file, reason) in [
      ("name,phone\nVera,1\n", "card.none"), ("", "card.none"), (many, "card.too-many"),
    ] {
      #expect { try VCardReader.cards(of: Array(file.utf8)) } throws: { error in
        guard case Refusal.invalid("file", let text) = error else { return false }
        return text.key == reason
      }
    }
  }

  @Test func `a file with too many lines is refused with the line where reading stopped`() {
    let card = ["BEGIN:VCARD", "FN:c"] + Array(repeating: "X:", count: 1_990) + ["END:VCARD"]
    let file = String(repeating: card.joined(separator: "\n") + "\n", count: 200)
    #expect { try VCardReader.cards(of: Array(file.utf8)) } throws: { error in
      guard case Refusal.invalid("file", let text) = error else { return false }
      return text.key == "card.too-many-lines"
        && text.arguments["line"] == String(VCardReader.mostLines + 1)
    }
  }

  @Test(arguments: [
    ("FN;ENCODING=QUOTED-PRINTABLE:=C3=91andu", "Ñandu"),
    ("N;QUOTED-PRINTABLE:Cort=C3=A9s;=C3=91andu", "Cortés Ñandu"),
    ("FN;CHARSET=windows-1251;QUOTED-PRINTABLE:=C2=E5=F0=E0", "Вера"),
    ("FN;QUOTED-PRINTABLE:=D1andu", "\u{FFFD}andu"),
  ])
  func `the name of a refused card is shown decoded`(_ line: String, _ name: String) throws {
    let file = vCard([line], version: "9.9")
    guard
      case .broken(_, let title, _) = try #require(VCardReader.cards(of: Array(file.utf8)).first)
    else {
      Issue.record("it was taken")
      return
    }
    #expect(title == name)
  }

  @Test func `a file with CR CR LF line endings is read`() throws {
    let file = vCard(
      [
        "N;QUOTED-PRINTABLE:=D0=9F;=D0=\r\n=92;;;", "PHOTO;ENCODING=BASE64:AAAA\r\n BBBB",
        "FN:Vera",
      ],
      version: "2.1")
    let cards = try VCardReader.cards(of: Array(file.replacing("\r\n", with: "\r\r\n").utf8))
    guard case .whole(let card) = try #require(cards.first) else {
      Issue.record("it was refused")
      return
    }
    #expect(try CardReading(card).contact.name == "Vera")
    #expect(card.properties.map { String(decoding: $0.value, as: UTF8.self) }.first == "П;В;;;")
  }

  /// Reads the only card of a file.
  private func reading(_ lines: String..., version: String = "3.0") throws -> CardReading {
    try reading(Array(vCard(lines, version: version).utf8))
  }

  private func reading(_ file: [UInt8]) throws -> CardReading {
    guard case .whole(let card) = try #require(VCardReader.cards(of: file).first) else {
      throw CardFault("broken")
    }
    return try CardReading(card)
  }

  @Test(arguments: [
    // Each line with the number of lines that it costs and the beginning that is shown.
    ("PHOTO:https://example.org/a\r\nb/c.jpg", 3, 2, "PHOTO:https://example.org/a"),
    ("LOGO;VALUE=uri:http://example.org/\r\nlogo?x=1", 3, 2, "LOGO;VALUE=uri:http://example.org/"),
    ("NOTE:bring the card\r\nand the referral", 4, 1, "and the referral"),
    ("ADR:;;Mill Lane 3\r\nStair B;Town;;;", 4, 1, "Stair B;Town;;;"),
    ("LABEL;TYPE=HOME:Mill Lane 3\r\nTown\r\nLand", 4, 2, "Town"),
    ("X-AIM;TYPE=\"home:vera", 3, 1, "X-AIM;TYPE=\"home:vera"),
    ("TEL +375 17 222-33-44", 3, 1, "TEL +375 17 222-33-44"),
    ("ROLE;CHARSET=x-unknown:Doctor", 3, 1, "ROLE: Doctor"),
    ("TITLE;ENCODING=QUOTED-PRINTABLE:=FF=FE", 3, 1, "TITLE: \u{FFFD}\u{FFFD}"),
  ])
  func `a line that cannot be read costs that line and is named`(
    _ broken: String, _ number: Int, _ count: Int, _ shown: String
  ) throws {
    let reading = try reading(broken, "FN:Vera", "TEL:111", "EMAIL:v@example.org")
    #expect(reading.contact.name == "Vera")
    #expect(ways(reading.contact) == ["phone 111", "email v@example.org"])
    let remark = try #require(reading.remarks.first)
    #expect(reading.remarks.count == 1 && remark.arguments["line"] == String(number))
    #expect(remark.arguments["text"] == shown)
    #expect(remark.key == (count == 1 ? "card.line-left-out" : "card.lines-left-out"))
    #expect(!reading.contact.card.extras.contains("PHOTO"))
  }

  @Test(arguments: [
    "PHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\nBBBB \r\nCC==",
    "PHOTO;BASE64:\r\n AAAA\r\nBBBB\r\nCC==\r\n",
    "PHOTO;TYPE=JPEG;ENCODING=BASE64:AAAA\r\nBBBBCC==",
    "PHOTO:data:image/jpeg;base64,AAAA\r\nBBBB\r\nCC==",
  ])
  func `a picture in base64 without folds is read whole`(_ lines: String) throws {
    let reading = try reading(lines, "FN:Vera", "TEL:111")
    #expect(reading.remarks.isEmpty)
    #expect(
      reading.contact.card.extras.filter { $0 != "\\" }
        == "PHOTO:data:image/jpeg;base64,AAAABBBBCC==")
  }

  @Test func `a card names at most ten places that cannot be read`() throws {
    let lines = (1...30).flatMap { ["TITLE:\($0)", "broken \($0)"] }
    let reading = try reading(Array(vCard(["FN:Vera"] + lines).utf8))
    #expect(reading.remarks.count == 10)
    #expect(reading.remarks[0].arguments["text"] == "broken 1")
    #expect(reading.remarks[9].key == "card.lines-left-out")
  }

  @Test func `a card whose only name cannot be read is refused with that line`() throws {
    let broken = try VCardReader.cards(
      of: Array("BEGIN:VCARD\nN:".utf8) + [0xFF] + Array("\nTEL:111\nEND:VCARD".utf8))
    guard case .broken(1, "\u{FFFD}", "card.letters")? = broken.first else {
      Issue.record("it was taken")
      return
    }
    let other = try reading(
      Array("BEGIN:VCARD\nFN:".utf8) + [0xFF] + Array("\nN:Green;Vera;;;\nEND:VCARD".utf8))
    #expect(other.contact.name == "Vera Green" && other.remarks.count == 1)
    #expect {
      try reading("FN Vera", "TITLE:Nurse")
    } throws: { error in
      (error as? CardFault)?.reason.arguments["text"] == "FN Vera"
    }
  }

  @Test(arguments: [
    ("1990-07-09;", "1990-07-09"), ("19900709;;", "1990-07-09"),
    ("1990-07-09T00:00:00Z;", "1990-07-09"),
  ])
  func `a birthday with semicolons behind it is read`(_ written: String, _ day: String) throws {
    let reading = try reading("FN:Vera", "BDAY:\(written)")
    #expect(reading.contact.birthday == CalendarDate(day) && reading.remarks.isEmpty)
    #expect(try self.reading("FN:Vera", "BDAY:;").remarks.isEmpty)
  }

  @Test func `a second value of a property that a card has once is left out and named`() throws {
    let doubled = try reading(
      "FN:Ivan Twice", "N:;Ivan Twice;;;", "FN:Ivan Twice", "N:Twice;Ivan;;;", "GENDER:M",
      "GENDER:M",
      "ANNIVERSARY:20100101", "ANNIVERSARY:20110101", "BDAY:1980", "BDAY:19800203",
      "FN;LANGUAGE=be:Іван Двойчы")
    #expect(doubled.contact.birthday == CalendarDate("1980-02-03"))
    #expect(
      doubled.remarks.compactMap { $0.arguments["text"] } == [
        "N:Twice;Ivan;;;", "ANNIVERSARY:20110101",
      ])
    #expect(
      doubled.contact.card.extras.split(separator: "\n").map { String($0) } == [
        "GENDER:M", "ANNIVERSARY:20100101", "BDAY:1980", "FN;LANGUAGE=be:Іван Двойчы",
      ])
  }

  @Test(arguments: [
    ("TEL;VALUE=uri:tel:+1-555-010-7777;ext=21", "+1-555-010-7777 ext. 21"),
    ("TEL;VALUE=uri:TEL:7042;PHONE-CONTEXT=example.org;EXT=3", "7042 ext. 3"),
    ("TEL;VALUE=uri:tel:+1-555-010-7777;isub=1", "+1-555-010-7777"),
    ("TEL:+1 555 010 7777 x21", "+1 555 010 7777 x21"),
    ("TEL:+15550107777\\,\\,21#", "+15550107777,,21#"),
  ])
  func `a telephone number is shown with its extension`(_ line: String, _ shown: String) throws {
    let vera = try contact("FN:Vera", line, version: "4.0")
    #expect(ways(vera) == ["phone \(shown)"] && vera.card.sources.contains(line))
  }

  @Test func `a card with too many lines is refused, and the next card is read`() throws {
    let lines = Array(repeating: "A:b", count: VCardReader.mostProperties + 1)
    let cards = try VCardReader.cards(of: Array((vCard(lines) + vCard(["FN:Vera"])).utf8))
    guard case .broken(1, _, let reason) = cards[0], case .whole = cards[1] else {
      Issue.record("\(cards.count) cards, read otherwise")
      return
    }
    #expect(reason.key == "card.too-long")
  }

  @Test func `a randomly changed card is read or refused without a crash`() throws {
    let seed = Array(
      vCard(
        [
          "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=9F;=D0=\r\n=92;;;", "FN:Vera",
          "item1.TEL;TYPE=home:+1 (2) 3", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-15",
          "PHOTO;ENCODING=BASE64:AAAA\r\n BBBB", "ADR:;;a\\;b\\nc;d;e;f;g", "IMPP:im:a%40b",
        ], version: "2.1"
      ).utf8)
    var state: UInt64 = 11
    func roll(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<2_000 {
      var bytes = seed
      for _ in 0...roll(10) { bytes[roll(bytes.count)] = UInt8(roll(256)) }
      for found in (try? VCardReader.cards(of: bytes)) ?? [] {
        guard case .whole(let card) = found, let reading = try? CardReading(card) else { continue }
        let again = reading.contact.properties
        #expect(again.allSatisfy { String(validating: $0.bytes, as: UTF8.self) != nil })
      }
    }
  }
}

/// Returns a card with these lines.
func vCard(_ lines: [String], version: String = "3.0") -> String {
  (["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
}
