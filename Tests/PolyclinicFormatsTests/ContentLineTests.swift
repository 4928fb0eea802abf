import PolyclinicCore
import PolyclinicFormats
import Testing

/// The content lines of iCalendar and vCard files.
@Suite struct ContentLineTests {
  private func lines(_ text: String) -> [ContentLineReader.Line] { lines(Array(text.utf8)) }

  private func lines(_ bytes: [UInt8]) -> [ContentLineReader.Line] {
    var reader = ContentLineReader(bytes)
    var lines: [ContentLineReader.Line] = []
    while let line = reader.next() { lines.append(line) }
    return lines
  }

  private func texts(_ lines: [ContentLineReader.Line]) -> [String] {
    lines.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test func `a line is parsed into group, name, parameters and value`() throws {
    let line = try #require(
      ContentLine(Array(#"item1.tel;TYPE="work,voice";type=home,cell;PREF=1:+44;20:79"#.utf8)))
    #expect(line.group == "item1" && line.name == "TEL")
    #expect(line.values(of: "TYPE") == ["work,voice", "home", "cell"])
    #expect(line.values(of: "PREF") == ["1"] && line.text == "+44;20:79")
  }

  @Test func `a vCard 2.1 parameter without a name is read as a bare value`() throws {
    let line = try #require(ContentLine(Array("TEL;HOME;QUOTED-PRINTABLE:1".utf8)))
    #expect(line.parameters.map(\.name) == ["", ""])
    #expect(line.parameters.flatMap(\.values) == ["HOME", "QUOTED-PRINTABLE"])
  }

  @Test(arguments: [
    "", ":", "TEL", "TEL;", "TEL;TYPE", ".TEL:1", "item1.:1", "T L:1", "TEL;TYPE=\"home:1", "é:1",
    "TEL;TYPE=\"home\"x:1",
  ])
  func `a malformed line is refused`(_ text: String) {
    #expect(ContentLine(Array(text.utf8)) == nil)
  }

  @Test func `escapes are decoded, and an escaped separator does not split a value`() throws {
    let line = try #require(ContentLine(Array(#"N:Gr\;een;Anna\, B.;a\\;\nb\Nc;http\://x"#.utf8)))
    #expect(line.components == ["Gr;een", "Anna, B.", "a\\", "\nb\nc", "http://x"])
    #expect(
      ContentLine(Array(#"NOTE:a\;b\,c\nd\\n"#.utf8))?.text == "a;b,c\nd\\n")
    let text = "a;b,c\\d\ne\tf\r\ng"
    #expect(ContentLine("NOTE", value: ContentLine.escaped(text)).text == "a;b,c\\d\ne\tf\ng")
  }

  @Test func `lines with any line ending are unfolded and keep their numbers`() {
    let found = lines("A:1\r\n  2\r\n\r\n\tx\nB:3\rC:4\n\n D")
    #expect(texts(found) == ["A:1 2", "\tx", "B:3", "C:4", " D"])
    #expect(found.map(\.number) == [1, 4, 5, 6, 8])
  }

  @Test func `CR CR LF counts as one line ending`() {
    let found = lines("A:1\r\r\n 2\r\r\nPHOTO;BASE64:AAAA\r\r\nBBBB\r\r\n\r\r\nB:3\r\r\n")
    #expect(texts(found) == ["A:12", "PHOTO;BASE64:AAAABBBB", "B:3"])
    #expect(found.map(\.number) == [1, 3, 6])
  }

  @Test func `a quoted-printable line continues after a trailing equals sign`() {
    let found = lines("N;ENCODING=QUOTED-PRINTABLE:=D0=92=\r\n=D0=B5\r\nTEL:1=\r\nX:2")
    #expect(texts(found) == ["N;ENCODING=QUOTED-PRINTABLE:=D0=92=D0=B5", "TEL:1=", "X:2"])
  }

  @Test(arguments: [
    // Виктор, folded between letters, within a letter and within an escape.
    "=D0=92=D0=B8=D0=BA=\r\n =D1=82=D0=BE=D1=80", "=D0=92=D0=B8=D0=BA=D1=\r\n =82=D0=BE=D1=80",
    "=D0=92=D0=B8=D0=BA=D1=82=D=\r\n\t0=BE=D1=80",
    "=D0=92=\r\n =D0=B8=\r\n =D0=BA=D1=82=D0=BE=D1=80",
    "=D0=92=D0=B8=D0=BA=D1=82=D0=BE=\r\n=D1=80",
  ])
  func `a fold behind a soft line break does not belong to the value`(_ value: String) {
    let found = lines("FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:\(value)\r\nTEL:1")
    #expect(
      texts(found) == [
        "FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=92=D0=B8=D0=BA=D1=82=D0=BE=D1=80", "TEL:1",
      ])
  }

  @Test func `a fold is recognised in a value with blanks, encoded or not, by a broken letter`() {
    let head = "NOTE;QUOTED-PRINTABLE:"
    #expect(
      texts(lines("\(head)=D0=92=D0=B8=20=D1=\r\n =82=D0=BE=\r\n =D1=80"))
        == ["\(head)=D0=92=D0=B8=20=D1=82=D0=BE=D1=80"])
    #expect(
      texts(lines("\(head)one two =D1=\r\n =82 thr=\r\n ee"))
        == ["\(head)one two =D1=82 three"])
  }

  @Test(arguments: [
    "one two three=\r\n four", "Anna=\r\n Brown", "=D0=90=D0=BD=\r\n =D0=92=D0=B5",
    "one=\r\n two=\r\nthree",
  ])
  func `a blank behind a soft line break that belongs to the value is kept`(_ value: String) {
    let head = "NOTE;QUOTED-PRINTABLE:"
    #expect(
      texts(lines(head + value)) == [head + value.replacing("=\r\n", with: "")])
  }

  @Test func `base64 continues without folding up to the next line that is not base64`() {
    let found = lines("PHOTO;ENCODING=BASE64;JPEG:\r\n AAAA\r\nBBBB\r\nCC==\r\n\r\nEND:VCARD")
    #expect(texts(found) == ["PHOTO;ENCODING=BASE64;JPEG:AAAABBBBCC==", "END:VCARD"])
  }

  @Test func `a byte order mark is dropped and selects UTF-16`() {
    #expect(texts(lines([0xEF, 0xBB, 0xBF] + Array("A:é".utf8))) == ["A:é"])
    let units = Array("A:Вера\r\nB:👩".utf16)
    let little: [UInt8] =
      [0xFF, 0xFE]
      + units.flatMap { unit -> [UInt8] in
        [UInt8(unit & 255), UInt8(unit >> 8)]
      }
    let big: [UInt8] =
      [0xFE, 0xFF]
      + units.flatMap { unit -> [UInt8] in
        [UInt8(unit >> 8), UInt8(unit & 255)]
      }
    #expect(texts(lines(little)) == ["A:Вера", "B:👩"])
    #expect(texts(lines(big)) == ["A:Вера", "B:👩"])
    #expect(texts(lines(big.dropLast())).first == "A:Вера")
  }

  @Test func `written lines are folded at 75 octets and read back unchanged`() throws {
    var writer = ContentLineWriter()
    let name = String(repeating: "שלום привет, ", count: 30) + "👩‍⚕️"
    writer.write("NOTE", text: name)
    let line = ContentLine(
      group: "item1", "X-ABLabel", [.init("TYPE", ["a;b", "c\"d"])], value: "_$!<Home>!$_".utf8)
    writer.write(line)
    for physical in writer.bytes.split(separator: UInt8(ascii: "\n")) {
      #expect(physical.count <= 76 && physical.last == UInt8(ascii: "\r"))
      #expect(String(validating: physical, as: UTF8.self) != nil)
    }
    let read = lines(writer.bytes).compactMap { ContentLine($0.bytes) }
    #expect(read.map(\.text) == [name, "_$!<Home>!$_"] && read.last == line)
    #expect(read.last?.values(of: "TYPE") == ["a;b", "cd"])
  }

  @Test(arguments: [
    "FN" + String(repeating: ";a", count: 101), "FN;TYPE=a" + String(repeating: ",a", count: 100),
  ])
  func `a line with more than 100 parameters or parameter values is refused`(_ head: String) {
    #expect(ContentLine(Array((head + ":x").utf8)) == nil)
    #expect(ContentLine(Array((head.dropLast(2) + ":x").utf8)) != nil)
  }

  @Test func `a value is split into at most 100 components`() {
    let line = ContentLine("N", value: String(repeating: ";", count: 200).utf8)
    #expect(line.components.count == 100 && line.components.last?.count == 101)
  }

  @Test func `randomly changed bytes are read or refused without a crash`() {
    var dice = Dice(state: 7)
    let seed = Array(
      "BEGIN:VCARD\r\nN;CHARSET=x;ENCODING=QUOTED-PRINTABLE:=D0=\r\n=B5;\\;\r\nA.B;C=\"d\":e\r\n f\r\n"
        .utf8)
    for _ in 0..<3_000 {
      var bytes = seed
      for _ in 0..<dice.roll(12) {
        bytes[dice.roll(bytes.count)] = UInt8(dice.roll(256))
      }
      bytes.removeSubrange(dice.roll(bytes.count)...)
      for line in lines(bytes) {
        guard let line = ContentLine(line.bytes) else { continue }
        #expect(line.components.count > 0 && line.text.utf8.count <= 3 * line.bytes.count)
      }
    }
  }
}

/// A pseudorandom generator with the same sequence in each run.
private struct Dice {
  var state: UInt64

  mutating func roll(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return bound == 0 ? 0 : Int(state >> 33) % bound
  }
}
