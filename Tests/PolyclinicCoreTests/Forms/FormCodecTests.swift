import Testing

@testable import PolyclinicCore

@Suite struct FormCodecTests {
  private static var full: Entry {
    var entry = Entry()
    entry.name = "Łódź 👩‍⚕️"
    entry.notes = "one\ntwo"
    entry.day = CalendarDate("2024-02-29")
    entry.kind = .second
    entry.city = "minsk"
    entry.agreed = true
    entry.address.house = "12a/3"
    var way = Entry.Way()
    way.type = .second
    way.value = "x"
    entry.ways = [Entry.Way(), way]
    return entry
  }

  /// Returns fields in the encoding of another release.
  private func stored(_ fields: [(String, [UInt8])]) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write(UInt8(1))
    for (name, value) in fields {
      bytes.write(name)
      bytes.write(value)
    }
    return bytes.bytes
  }

  @Test func `a draft is decoded as it was encoded`() throws {
    let form = Entry.form
    #expect(try form.decoded(form.encoded(Self.full)) == Self.full)
    #expect(try form.decoded(form.encoded(Entry())) == Entry())
  }

  @Test func `a missing field takes the value of the blank draft`() throws {
    let draft = try Entry.form.decoded(stored([("notes", Array("kept".utf8))]))
    #expect(draft.notes == "kept" && draft.name.isEmpty && draft.kind == .first)
  }

  @Test func `stored values are not validated`() throws {
    let draft = try Entry.form.decoded(stored([("name", Array("much too long".utf8))]))
    #expect(draft.name == "much too long")
  }

  @Test func `unknown fields are kept when a draft is encoded again`() throws {
    let form = Entry.form
    var draft = try form.decoded(
      stored([("blood_type", Array("AB".utf8)), ("name", Array("Anna".utf8))]))
    draft.name = "Olga"
    let again = try form.decoded(form.encoded(draft))
    #expect(again.name == "Olga")
    #expect(again.unknown.items == [.init(name: "blood_type", value: Array("AB".utf8))])
  }

  @Test func `an unknown choice is kept until another is chosen`() throws {
    let form = Entry.form
    var draft = try form.decoded(stored([("kind", Array("third".utf8))]))
    #expect(draft.kind == .first)
    draft = try form.decoded(form.encoded(draft))
    #expect(draft.unknown.items.map(\.name) == ["kind"])
    draft.kind = .second
    draft = try form.decoded(form.encoded(draft))
    #expect(draft.kind == .second && draft.unknown.items.isEmpty)
  }

  @Test func `unknown fields of a row are kept when it is encoded again`() throws {
    var rows = ByteWriter()
    rows.write(stored([("value", Array("x".utf8)), ("later", [1, 2])]))
    let form = Entry.form
    let draft = try form.decoded(stored([("way", rows.bytes)]))
    let again = try form.decoded(form.encoded(draft))
    #expect(again.ways.map(\.value) == ["x"])
    #expect(again.ways.first?.unknown.items == [.init(name: "later", value: [1, 2])])
  }

  @Test func `fields are read in any order`() throws {
    let fields = [("city", "minsk"), ("name", "Anna"), ("notes", "n")]
    let draft = try Entry.form.decoded(stored(fields.map { ($0, Array($1.utf8)) }))
    #expect(draft.name == "Anna" && draft.notes == "n" && draft.city == "minsk")
  }

  @Test func `a truncated stored draft is refused or read without a crash`() {
    let bytes = Entry.form.encoded(Self.full)
    for length in 0..<bytes.count {
      do { _ = try Entry.form.decoded(Array(bytes.prefix(length))) } catch {
        #expect(error is DecodingFailure)
      }
    }
    #expect(throws: DecodingFailure.self) { try Entry.form.decoded(Array(bytes.dropLast())) }
  }

  @Test func `a stored draft with a changed byte is refused or read without a crash`() {
    let bytes = Entry.form.encoded(Self.full)
    for index in bytes.indices {
      for value in [0, 0x7F, 0x80, 0xFF] as [UInt8] {
        var changed = bytes
        changed[index] = value
        do { _ = try Entry.form.decoded(changed) } catch { #expect(error is DecodingFailure) }
      }
    }
  }

  @Test func `an unknown version of the encoding is refused`() {
    #expect(throws: DecodingFailure.self) { try Entry.form.decoded([2]) }
    #expect(throws: DecodingFailure.self) { try Entry.form.decoded([]) }
  }

  @Test func `the fingerprint changes with a field, a row or an unknown field`() throws {
    let form = Entry.form
    var drafts = [Entry(), Self.full]
    var other = Self.full
    other.ways.removeLast()
    drafts.append(other)
    other.unknown.items = [.init(name: "x", value: [])]
    drafts.append(other)
    #expect(Set(drafts.map(form.fingerprint)).count == drafts.count)
    #expect(
      form.fingerprint(Self.full) == form.fingerprint(try form.decoded(form.encoded(Self.full))))
  }

  @Test func `JSON uses the field names of the page`() {
    let text = String(decoding: Entry.form.json(Self.full).encoded, as: UTF8.self)
    #expect(text.contains(#""day":"2024-02-29""#) && text.contains(#""agreed":true"#))
    #expect(text.contains(#""ways":[{"type":"first","value":""},{"type":"second","value":"x"}]"#))
    #expect(text.contains(#""house":"12a/3""#))
  }
}
