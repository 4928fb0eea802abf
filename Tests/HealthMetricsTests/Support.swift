import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

extension TestVisitor {
  /// Enters a weight; where its page is.
  func weigh(_ value: String, _ fields: [String: String] = [:]) throws -> String {
    let usual = ["value": value, "unit": "kg", "measured_at": "2026-05-04T08:00"]
    let answer = try submit("/health-metrics/weights/new", usual.merging(fields) { $1 })
    try #require(answer.status == 303, "\(answer.body)")
    return answer.location
  }

  /// Enters a reading; where its page is.
  func measure(
    _ systolic: Int, _ diastolic: Int, at time: String = "2026-05-04T08:00",
    _ fields: [String: String] = [:]
  ) throws -> String {
    let own = [
      "systolic": String(systolic), "diastolic": String(diastolic), "measured_at": time,
    ]
    let answer = try submit("/health-metrics/blood-pressure/new", fields.merging(own) { $1 })
    try #require(answer.status == 303, "\(answer.body)")
    return answer.location
  }
}

/// A moment on a clock two hours ahead of UTC.
func moment(_ text: String) throws -> ZonedTime {
  try #require(ZonedTime("\(text):00+02:00"))
}
