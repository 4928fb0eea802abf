import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

/// The API for weights and blood pressure, at noon in Minsk on 4 May 2026.
@Suite struct ResourceTests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private let program: TestProgram
  private let weights = "/api/v1/health-metrics/weights"
  private let pressures = "/api/v1/health-metrics/blood-pressure"

  init() throws {
    portal = try TestPortal(HealthMetricsModule())
    anna = try portal.register()
    program = TestProgram(portal, token: try anna.makeToken(["health-metrics": "write"]))
  }

  private func weigh(_ value: String, _ rest: String = "", at time: String = "08:00:00+03:00")
    -> TestPage
  {
    program.post(
      weights, "{\"value\": \(value), \"measured_at\": \"2026-05-04T\(time)\"\(rest)}")
  }

  @Test func `a weight is stored with its time, shown, changed and deleted`() throws {
    let made = weigh("\"72,5\"", ", \"note\": \"after a run\"")
    #expect(made.status == 201)
    let json = try made.json()
    #expect(json["value"]?.text == "72.5" && json["unit"]?.text == "kg")
    #expect(json["measured_at"]?.text == "2026-05-04T08:00:00+03:00")
    #expect(anna.get("/health-metrics/weights").hasRow("72.5"))
    let pounds = program.put(
      made.location, made.body.replacing("\"kg\"", with: "\"lb\""), over: made.tag)
    #expect(try pounds.json()["unit"]?.text == "lb")
    #expect(program.delete(made.location, over: pounds.tag).status == 204)
    #expect(program.get(made.location).status == 404)
  }

  @Test func `editing a note in another time zone keeps the time of the measurement`() throws {
    let made = weigh("72", at: "02:00:00-05:00")
    let page = try #require(made.location.split(separator: "/").last)
    let edit = "/health-metrics/weights/\(page)/edit"
    var shown = ["value": "72", "unit": "kg", "measured_at": "2026-05-04T10:00", "note": ""]
    #expect(try anna.submit(edit, shown.merging(["cancel": "1"]) { $1 }).status == 303)
    shown["note"] = "on a journey"
    #expect(try anna.submit(edit, shown).status == 303)
    let json = try program.get(made.location).json()
    #expect(json["measured_at"]?.text == "2026-05-04T02:00:00-05:00")
    #expect(json["note"]?.text == "on a journey")
    shown["measured_at"] = "2026-05-04T09:00"
    #expect(try anna.submit(edit, shown).status == 303)
    let moved = try program.get(made.location).json()
    #expect(moved["measured_at"]?.text == "2026-05-04T09:00:00+03:00")
  }

  @Test(arguments: [
    "1e309", "NaN", "-5", "7000", "0", "\"7 2\"", "null", "true",
    // Exponents at the limits of Int64 and beyond.
    "1e-9223372036854775808", "1e9223372036854775807", "1e-99999999999999999999",
  ])
  func `an impossible weight is refused at its field`(_ value: String) throws {
    let answer = weigh(value)
    #expect(answer.status == 422)
    #expect(try answer.errors() == ["value"])
  }

  @Test(arguments: [
    "12:01:00+03:00", "25:00:00Z", "08:00", "08:00:00", "08:00:00+25:00",
  ]) func `a future or malformed time is refused at its field`(_ time: String) throws {
    let answer = weigh("72", at: time)
    #expect(answer.status == 422)
    #expect(try answer.errors() == ["measured_at"])
  }

  @Test func `a blood pressure reading is stored, and an invalid one refused at its field`() throws
  {
    let made = program.post(
      pressures,
      """
      {"systolic": 121, "diastolic": "٧٩", "arm": "left", "measured_at": "2026-05-04T05:00:00Z"}
      """)
    #expect(made.status == 201)
    #expect(try made.json()["diastolic"]?.text == "79" && made.json()["pulse"] == .null)
    for (body, field) in [
      ("\"systolic\": 80, \"diastolic\": 90", "diastolic"),
      ("\"systolic\": 120, \"diastolic\": 80, \"arm\": \"third\"", "arm"),
      ("\"systolic\": 120.5, \"diastolic\": 80", "systolic"),
      ("\"systolic\": 900, \"diastolic\": 80", "systolic"),
    ] {
      let answer = program.post(
        pressures, "{\(body), \"measured_at\": \"2026-05-04T05:00:00Z\"}")
      #expect(answer.status == 422)
      #expect(try answer.errors() == [field])
    }
  }

  @Test func `an unusual weight from a program is stored without a question`() {
    #expect(weigh("350").status == 201)
  }

  @Test func `one token gives access to a person's own measurements of both kinds`() throws {
    let made = weigh("72")
    let boris = try portal.register()
    let his = TestProgram(portal, token: try boris.makeToken(["health-metrics": "write"]))
    #expect(his.get(made.location).status == 404)
    #expect(his.delete(made.location, over: "*").status == 404)
    #expect(his.get(pressures).status == 200)
  }
}
