import Testing

@testable import PolyclinicCore

@Suite struct DateTimeFieldTests {
  private struct Draft: Resealable {
    var at: ZonedTime?
    var size: Int?
    var unknown = Sealed.UnknownFields()
  }

  private static let form = Form(
    Draft(), .dateTime(\.at, "at", required: true), .integer(\.size, "size", in: 0...1_000)
  ).doubting("size") { $0.size ?? 0 > 500 ? "size.doubt" : nil }

  private static func berlin() throws -> Zone { try #require(Zone("Europe/Berlin")) }

  @Test(arguments: [
    ("2026-05-04T11:00:00+03:00", "2026-05-04T11:00:00+03:00"),
    ("2026-05-04T11:00Z", "2026-05-04T11:00:00+00:00"),
    ("2026-05-04t11:00:59.999-09:30", "2026-05-04T11:00:00-09:30"),
    ("1969-12-31T23:59:30Z", "1969-12-31T23:59:00+00:00"),
  ])
  func `an RFC 3339 time is read to the minute`(_ text: String, _ time: String) {
    #expect(ZonedTime(text)?.description == time)
  }

  @Test(arguments: [
    "", "2026-05-04", "2026-05-04T11:00", "2026-05-04T24:00Z", "2026-02-30T11:00Z",
    "2026-05-04T11:00+3:00", "2026-05-04T11:00+19:00", "2026-05-04T11:00:0Z",
    "2026-05-04T11:00:00.Z",
    "2026-05-04T11:00:00+03:00x",
  ])
  func `a malformed RFC 3339 time is refused`(_ text: String) { #expect(ZonedTime(text) == nil) }

  @Test func `a local time from the page becomes a moment in the zone`() throws {
    let sent = Fields(["at": "2026-05-04T11:00"])
    let (fields, problems) = try Self.form.taken(from: sent, in: Self.berlin())
    #expect(problems.isEmpty && fields["at"] == "2026-05-04T11:00:00+02:00")
    let (draft, _) = try Self.form.read(fields, over: Draft())
    #expect(try Self.form.decoded(Self.form.encoded(draft)).at == draft.at)
    let json = String(decoding: Self.form.json(draft).encoded, as: UTF8.self)
    #expect(json.contains("\"at\":\"2026-05-04T11:00:00+02:00\""))
  }

  @Test(arguments: [("", "+02:00"), ("+02:00", "+02:00"), ("+01:00", "+01:00"), ("x", "+02:00")])
  func `in the repeated hour of autumn the offset selects the moment`(
    _ offset: String, _ taken: String
  ) throws {
    let sent = Fields(["at": "2026-10-25T02:30", "offset": offset])
    let (fields, problems) = try Self.form.taken(from: sent, in: Self.berlin())
    #expect(problems.isEmpty && fields["at"] == "2026-10-25T02:30:00\(taken)")
  }

  @Test func `a time in the spring gap is refused at its field`() throws {
    let sent = Fields(["at": "2026-03-29T02:30"])
    let (_, problems) = try Self.form.taken(from: sent, in: Self.berlin())
    #expect(problems == [Fields.Problem("at", "error.no-such-time")])
  }

  @Test func `an unusual value is questioned, and its mark names the field and the value`() throws {
    var draft = Draft()
    draft.size = 600
    let fields = Fields(["size": "600"])
    let asked = try Self.form.questions(about: draft, nil)
    #expect(asked == [Fields.Problem("size", "size.doubt")])
    #expect(Form<Draft>.mark(asked, fields) == "size=600")
    draft.size = 5
    #expect(try Self.form.questions(about: draft, nil).isEmpty)
  }
}
