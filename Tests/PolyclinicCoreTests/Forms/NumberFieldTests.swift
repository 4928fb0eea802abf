import Testing

@testable import PolyclinicCore

@Suite struct NumberFieldTests {
  private struct Draft: Resealable {
    var weight: Double?
    var pulse: Int?
    var time: TimeOfDay?
    var unknown = Sealed.UnknownFields()
  }

  private static let form = Form(
    Draft(), .decimal(\.weight, "weight", in: 0.5...600),
    .integer(\.pulse, "pulse", in: 20...300), .time(\.time, "time"))

  @Test(arguments: [
    ("72.5", 72.5), ("72,5", 72.5), ("٧٢٫٥", 72.5), ("७२", 72), ("72", 72), ("600", 600),
    ("0,5", 0.5),
  ])
  func `a number is read with a decimal point or comma, in digits of any script`(
    _ typed: String, _ value: Double
  ) throws {
    let (draft, problems) = try Self.form.take(Fields(["weight": typed]))
    #expect(problems.isEmpty && draft.weight == value)
  }

  @Test(arguments: [
    ("weight", "1e309", "error.number"), ("weight", "NaN", "error.number"),
    ("weight", "inf", "error.number"), ("weight", "0x1p4", "error.number"),
    ("weight", "1,234.5", "error.number"), ("weight", "5.", "error.number"),
    ("weight", ".5", "error.number"), ("weight", "-", "error.number"),
    ("weight", "½", "error.number"), ("weight", "7000", "error.range"),
    ("weight", "-5", "error.range"), ("weight", "−5", "error.range"),
    ("weight", String(repeating: "9", count: 31), "error.too-long"),
    ("pulse", "72.5", "error.integer"), ("pulse", "99999999999999999999", "error.integer"),
    ("pulse", "19", "error.range"), ("time", "24:00", "error.time"), ("time", "9", "error.time"),
    ("time", "09:60", "error.time"), ("time", "+9:30", "error.time"),
    ("time", "٠٩:٣٠", "error.time"),
  ])
  func `a malformed number, or one out of range, is refused at its field`(
    _ field: String, _ typed: String, _ key: String
  ) throws {
    let problem = try #require(
      try Self.form.take(Fields().with(KeyValuePairs(dictionaryLiteral: (field, typed))))
        .problems.first)
    #expect(problem.field == field && problem.text.key == key)
  }

  @Test func `a number is stored and shown again in normalized form`() throws {
    let (draft, _) = try Self.form.take(
      Fields(["weight": "72,50", "pulse": "٧٢", "time": "9:05"]))
    let stored = try Self.form.decoded(Self.form.encoded(draft))
    #expect(stored.weight == 72.5 && stored.pulse == 72 && stored.time == TimeOfDay("09:05"))
    let sent = Self.form.fields(of: draft)
    #expect(sent["weight"] == "72.5" && sent["pulse"] == "72" && sent["time"] == "09:05")
    #expect(sent["time"].count == 5)
  }
}
