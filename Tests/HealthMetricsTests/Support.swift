import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

extension TestVisitor {
  /// Enters a weight and returns its path.
  func weigh(_ value: String, _ fields: [String: String] = [:]) throws -> String {
    let usual = ["value": value, "unit": "kg", "measured_at": "2026-05-04T08:00"]
    let answer = try submit("/health-metrics/weights/new", usual.merging(fields) { $1 })
    try #require(answer.status == 303, "\(answer.body)")
    return answer.location
  }

  /// Enters a reading and returns its path.
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

/// Returns a local time with the offset +02:00.
func moment(_ text: String) throws -> ZonedTime {
  try #require(ZonedTime("\(text):00+02:00"))
}

/// Returns the index entry of a reading over 80 at a local time.
func reading(_ time: String, _ systolic: Int) throws -> BloodPressure.Entry {
  var reading = BloodPressure()
  reading.systolic = systolic
  reading.diastolic = 80
  reading.measuredAt = try moment(time)
  return BloodPressure.Entry(reading, id: ID(1))
}
