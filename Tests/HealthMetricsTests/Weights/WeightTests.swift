import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

@Suite struct WeightTests {
  private let new = "/health-metrics/weights/new"

  @Test func `a weight keeps its unit and is shown in the other unit, too`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let path = try anna.weigh(
      "160", ["unit": "lb", "measured_at": "2026-05-01T07:30", "note": "After <lunch>"])
    let page = anna.get(path)
    #expect(page.fact("Measured") == "160 lb" && page.fact("Converted") == "72.6 kg")
    #expect(page.hasFact("1 May 2026") && page.contains("After &lt;lunch&gt;"))
    let list = anna.get("/health-metrics/weights")
    #expect(list.hasRow("160.0 lb") && list.contains("1 weight"))
    #expect(anna.get(new).contains("value=\"lb\" selected"))
  }

  @Test
  func `the first weight's unit is the default, and a later one in another unit changes nothing`()
    throws
  {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.weigh("160", ["unit": "lb"])
    _ = try anna.weigh("72.5", ["unit": "kg"])
    #expect(anna.get(new).contains("value=\"lb\" selected"))
  }

  @Test(arguments: ["72,5", "72.5", "٧٢٫٥", " 72.50 ", "७२.५"])
  func `a number is read with a decimal point or comma, in digits of any script`(_ typed: String)
    throws
  {
    let anna = try TestPortal(HealthMetricsModule()).register()
    #expect(anna.get(try anna.weigh(typed)).fact("Measured") == "72.5 kg")
  }

  @Test(arguments: [
    ("value", "1e309"), ("value", "NaN"), ("value", "-5"), ("value", "7000"), ("value", ""),
    ("value", "701"), ("value", "0"), ("unit", "stone"), ("measured_at", "2026-05-05T09:00"),
    ("measured_at", "yesterday"), ("measured_at", "2026-02-30T09:00"), ("measured_at", ""),
    ("measured_at", "0099-01-01T00:00"), ("measured_at", "2026-05-04"),
  ])
  func `an invalid value is refused at its field`(_ field: String, _ typed: String) throws {
    let portal = try TestPortal(HealthMetricsModule())
    let anna = try portal.register()
    let fields = ["value": "72.5", "unit": "kg", "measured_at": "2026-05-04T08:00"]
    let answer = try anna.submit(new, fields.merging([field: typed]) { $1 })
    #expect(answer.refuses(field))
    #expect(try portal.rowCounts()["health_metrics_weights"] == 0)
  }

  @Test func `an unusual weight is questioned once and then stored`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let asked = try anna.submit(
      new, ["value": "320", "unit": "kg", "measured_at": "2026-05-04T08:00"])
    #expect(asked.status == 422 && asked.hasNotice(.warning, "Is 320 the right weight?"))
    let fields =
      asked.hidden(of: new) + [
        ("value", "320"), ("unit", "kg"), ("measured_at", "2026-05-04T08:00"), ("note", ""),
      ]
    #expect(anna.post(new, pairs: fields).status == 303)
    // Another unusual value is questioned again.
    let other = fields.map { ($0.0, $0.0 == "value" ? "400" : $0.1) }
      .filter { $0.0 != "once" }
    #expect(anna.post(new, pairs: other).status == 422)
  }

  @Test func `a weight far from the one before it is questioned once`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let first = try anna.weigh("72.5", ["measured_at": "2026-04-04T08:00"])
    let fields = ["value": "30.5", "unit": "kg", "measured_at": "2026-05-04T08:00"]
    let asked = try anna.submit(new, fields)
    #expect(asked.status == 422 && asked.hasNotice(.warning, "Is 30.5 the right weight?"))
    let again = fields.merging(["sure": "value=30.5"]) { $1 }
    #expect(try anna.submit(new, again).status == 303)
    // The change of a weight compares it with the one before, not with itself.
    let own = ["value": "40", "unit": "kg", "measured_at": "2026-04-04T08:00"]
    #expect(try anna.submit(first + "/edit", own).status == 303)
    #expect(try anna.submit(new, fields.merging(["value": "31"]) { $1 }).status == 303)
  }

  @Test func `a weight is changed, deleted and restored from its own list`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let path = try anna.weigh("72.5")
    _ = try anna.measure(120, 80)
    #expect(
      try anna.submit(
        path + "/edit", ["value": "73", "unit": "kg", "measured_at": "2026-05-04T08:00"]
      ).location == path)
    #expect(anna.get(path).fact("Measured") == "73 kg")
    let question = anna.get(path + "/delete")
    #expect(question.heading == "Delete the weight?" && question.contains("“73 kg, 4 May 2026"))
    let deleted = try anna.submit(path + "/delete", [:])
    #expect(deleted.location == "/health-metrics/weights?deleted=1")
    #expect(anna.get(deleted.location).hasNotice(.success, "was deleted"))
    // The reading has the same id in its own table.
    #expect(anna.get("/health-metrics/blood-pressure/1").status == 200)
    #expect(anna.get("/account/deleted").hasRow("73 kg, 4 May 2026"))
    let restored = anna.press("/account/deleted/restore", on: deleted.location)
    #expect(restored.location == path && anna.get(path).status == 200)
  }

  @Test func `another person's weight is not found`() throws {
    let portal = try TestPortal(HealthMetricsModule())
    let (anna, boris) = (try portal.register(), try portal.register())
    let path = try anna.weigh("72.5")
    for way in ["", "/edit", "/delete"] { #expect(boris.get(path + way).status == 404) }
    #expect(boris.get("/health-metrics/weights").hasSection("No weights yet"))
  }

  @Test func `the note of a weight is not readable in the database`() throws {
    let portal = try TestPortal(HealthMetricsModule())
    _ = try portal.register().weigh("72.5", ["note": "Unmistakable"])
    #expect(!String(decoding: try portal.storedBytes(), as: UTF8.self).contains("Unmistakable"))
  }

  @Test func `the body mass index needs a height, and its class an adult's age`() throws {
    let portal = try TestPortal(HealthMetricsModule())
    let adult = try portal.register(["height": "170", "birth_date": "1980-01-01"])
    let page = adult.get(try adult.weigh("90"))
    #expect(page.hasFact("31.1") && page.hasFact("Obesity"))
    let child = try portal.register(["height": "170", "birth_date": "2010-01-01"])
    let number = child.get(try child.weigh("90"))
    #expect(number.fact("Body mass index (BMI)") == "31.1" && !number.contains("Obesity"))
    let ageless = try portal.register(["height": "170"])
    #expect(!ageless.get(try ageless.weigh("90")).contains("Obesity"))
    let without = try portal.register()
    #expect(!without.get(try without.weigh("90")).contains("Body mass index"))
  }

  @Test func `the card shows the change over a month`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    #expect(!anna.get("/").hasSection("Weight"))
    _ = try anna.weigh("74", ["measured_at": "2026-03-28T07:00"])
    _ = try anna.weigh("73.7", ["measured_at": "2026-04-02T07:00"])
    _ = try anna.weigh("72.5", ["measured_at": "2026-05-03T07:00"])
    let page = anna.get("/")
    #expect(page.contains("72.5 kg") && page.contains("1.2 kg less than 31 days ago"))
  }

  @Test(arguments: [
    (Language.english, "such as 2026-03-27T09:30"), (.russian, "например 2026-03-27T09:30"),
    (.hebrew, "למשל 2026-03-27T09:30"),
  ])
  func `a malformed time is refused with an example, in the language of the page`(
    _ language: Language, _ words: String
  ) throws {
    let anna = try TestPortal(HealthMetricsModule()).register(language: language)
    let fields = ["value": "72.5", "unit": "kg", "measured_at": "yesterday"]
    #expect(try anna.submit("/health-metrics/weights/new", fields).contains(words))
  }
}
