import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

/// The format of times in a person's data export: RFC 3339, or the format of the file.
@Suite struct ExportedTimesTests {
  @Test func `every time in the export has a date and an offset and is not a number`() throws {
    let filled = try FilledPortal()
    let administrator = try filled.portal.administrator()
    let person = try filled.portal.person(of: filled.patient)
    // The access log and the administrators' actions contain times as well.
    #expect(administrator.get("/admin/people/\(person)").status == 200)
    #expect(try administrator.submit("/admin/people/\(person)/suspend", [:]).status == 303)
    let reinstated = administrator.press(
      "/admin/people/\(person)/reinstate", on: "/admin/people/\(person)")
    #expect(reinstated.status == 303)
    _ = try filled.patient.signIn("patient")
    let files = try Copy(of: filled.patient).files
    let expected: Set = [
      "admin.json", "appointments.ics", "appointments.json", "blood-pressure.csv",
      "contacts.json", "contacts.vcf", "fhir.json", "health-metrics.json", "notifications.json",
      "profile.json", "vaccination-qr.json", "weights.csv",
    ]
    #expect(expected.subtracting(files.keys) == [])
    var times = 0
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      let checked = try WrittenTimes(bytes, in: name)
      #expect(checked.wrong == [], "\(name)")
      times += checked.count
    }
    #expect(times >= 15)
  }

  @Test(arguments: [
    #"{"at": 1777885200}"#, #"{"at": "2026-05-04T12:00"}"#, #"{"at": "2026-05-04 12:00:00"}"#,
    #"{"at": "12:00"}"#, #"{"at": "04/05/2026"}"#, #"{"at": "2026-05-04T12:00:00"}"#,
  ])
  func `a time in another format is detected`(json: String) throws {
    #expect(try WrittenTimes(Array(json.utf8), in: "some.json").wrong.count == 1)
  }

  @Test func `a CSV time in another format is detected`() throws {
    let text = "measured_at,value\n2026-05-04 08:00,72\n2026-05-04T08:00:00+03:00,73\n"
    let checked = try WrittenTimes(Array(text.utf8), in: "weights.csv")
    #expect(checked.wrong == ["2026-05-04 08:00"] && checked.count == 1)
  }
}

/// The times in one file of the export.
struct WrittenTimes {
  /// The values that look like a time in another format.
  private(set) var wrong: [String] = []
  /// The number of times in RFC 3339 format.
  private(set) var count = 0

  init(_ bytes: [UInt8], in name: String) throws {
    switch name.split(separator: ".").last {
    case "json": try check(JSON(reading: bytes))
    case "csv":
      for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
        for value in line.split(separator: ",") { check(text: String(value)) }
      }
    default: break
    }
  }

  private mutating func check(_ json: JSON) throws {
    switch json {
    case .object(let members): for member in members { try check(member.value) }
    case .array(let values): for value in values { try check(value) }
    case .string(let text): check(text: text)
    // A number above 10^9 is a Unix time after 2001: no other number in an export is as large.
    case .integer(let number): if number > 1_000_000_000 { wrong.append("\(number)") }
    case .number(let number): if number > 1_000_000_000 { wrong.append("\(number)") }
    case .written(let text): if Double(text) ?? .infinity > 1_000_000_000 { wrong.append(text) }
    case .boolean, .null: break
    }
  }

  private mutating func check(text: String) {
    let text = text.trimmingCharacters(in: ["\"", " "])
    if text.wholeMatch(of: Self.rfc3339) != nil {
      count += 1
    } else if text.wholeMatch(of: Self.other) != nil {
      wrong.append(text)
    }
  }

  private static var rfc3339: Regex<Substring> {
    /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+\-][0-9]{2}:[0-9]{2})/
  }

  /// A time of day with or without a date, a date that is not ISO 8601, or a Unix time.
  private static var other: Regex<Substring> {
    /(?:[0-9]{1,4}[.\/\-][0-9]{1,2}[.\/\-][0-9]{1,4}[T ])?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?.{0,10}|[0-9]{1,2}[.\/][0-9]{1,2}[.\/][0-9]{2,4}|[0-9]{10,13}/
  }
}
