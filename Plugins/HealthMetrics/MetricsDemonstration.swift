import PolyclinicCore

extension HealthMetricsModule {
  /// A year of measurements of the first patient, and some weeks for a few others.
  public var demonstration: Demonstration? {
    Demonstration { town, portal, work in
      let zone = portal.clinic.zone
      for (number, patient) in town.patients.prefix(8).enumerated() {
        let days = number == 0 ? 365 : Int.random(in: 20...60, using: &town.dice)
        let year = InventedYear(days: days, until: portal.now, in: zone)
        var preferences = Preferences()
        preferences.height = Double(Int.random(in: 158...188, using: &town.dice))
        if number == 0 {
          preferences.weekStart = LocalDateTime(portal.now, in: zone).date.adding(days: -5)
        }
        try preferences.save(in: work.with(patient.keys))
        try Weight.records.insert(contentsOf: year.weights(&town.dice), in: work.with(patient.keys))
        try BloodPressure.records.insert(
          contentsOf: year.readings(&town.dice), in: work.with(patient.keys))
      }
    }
  }
}

/// Invented but plausible measurements.
private struct InventedYear {
  let days: Int
  let until: Instant
  let zone: Zone

  init(days: Int, until: Instant, in zone: Zone) {
    self.days = days
    self.until = until
    self.zone = zone
  }

  /// Returns weights on most mornings, slowly decreasing, with a gap of 20 days for a holiday.
  func weights(_ dice: inout Demonstration.Dice) -> [Weight] {
    moments(at: 7, &dice).compactMap { day, time in
      guard !(150..<170).contains(day), Int.random(in: 0..<3, using: &dice) > 0 else { return nil }
      var weight = Weight()
      let drift = 82.4 - 5.5 * Double(days - day) / 365
      let tenths = Int(drift * 10) + Int.random(in: -7...7, using: &dice)
      weight.value = Double(tenths) / 10
      weight.measuredAt = time
      return weight
    }
  }

  /// Returns two readings a day, slightly lower in the evenings and from month to month.
  func readings(_ dice: inout Demonstration.Dice) -> [BloodPressure] {
    let mornings = moments(at: 8, &dice).map { ($0.0, $0.1, 4) }
    let evenings = moments(at: 20, &dice).map { ($0.0, $0.1, 0) }
    return (mornings + evenings).flatMap { day, time, more -> [BloodPressure] in
      guard !(150..<164).contains(day) else { return [] }
      let first = reading(day, time, more, &dice)
      guard day < 7 else { return [first] }
      return [
        first, reading(day, ZonedTime(time.instant + .minutes(2), in: zone), more - 2, &dice),
      ]
    }.filter { ($0.measuredAt?.instant ?? until) <= until }
  }

  private func reading(
    _ day: Int, _ time: ZonedTime, _ more: Int, _ dice: inout Demonstration.Dice
  ) -> BloodPressure {
    var reading = BloodPressure()
    let base = 124 + more + day * 16 / 365
    reading.systolic = base + Int.random(in: -8...9, using: &dice)
    reading.diastolic = base - 46 + Int.random(in: -6...6, using: &dice)
    reading.pulse = Int.random(in: 58...76, using: &dice)
    reading.arm = BloodPressure.Arm.left.rawValue
    reading.measuredAt = time
    return reading
  }

  /// Returns a time near the given hour for each day, with its distance in days from today, the
  /// oldest first.
  private func moments(
    at hour: Int, _ dice: inout Demonstration.Dice
  ) -> [(Int, ZonedTime)] {
    let today = LocalDateTime(until, in: zone).date
    return (0..<days).reversed().compactMap { ago in
      let start = today.adding(days: -ago).start(in: zone)
      let moment = start + .hours(hour) + .minutes(.random(in: 0...50, using: &dice))
      return moment > until ? nil : (ago, ZonedTime(moment, in: zone))
    }
  }
}
