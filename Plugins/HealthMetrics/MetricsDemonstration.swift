import PolyclinicCore

extension HealthMetricsModule {
  /// A year of measurements of the first patient, and some weeks of it for a few others.
  public var demonstration: Demonstration? {
    Demonstration { town, portal, work in
      let now = ZonedTime(portal.now, in: portal.clinic.zone)
      let weights = try Weight.all(in: PackageResources.town_weights_csv, portal.clinic.zone)
      let readings = try BloodPressure.all(
        in: PackageResources.town_blood_pressure_csv, portal.clinic.zone)
      for (number, patient) in town.patients.prefix(8).enumerated() {
        let work = work.with(patient.keys)
        var preferences = Preferences()
        preferences.height = Double(Int.random(in: 158...188, using: &town.dice))
        var span = 0..<365
        if number == 0 {
          preferences.weekStart = now.day.adding(days: -5)
        } else {
          let end = Int.random(in: 7...120, using: &town.dice)
          span = end..<(end + .random(in: 20...60, using: &town.dice))
        }
        try preferences.save(in: work)
        try Weight.records.insert(contentsOf: weights.moved(span, to: now), in: work)
        try BloodPressure.records.insert(contentsOf: readings.moved(span, to: now), in: work)
      }
    }
  }
}

extension ImportedMeasurement {
  /// Reads a file that leaves no question open, the oldest measurement first.
  fileprivate static func all(in file: [UInt8], _ zone: Zone) throws -> [Self] {
    let questions = FileQuestions(try MeasurementTable(file, of: kind), FileOptions())
    return try questions.table.records.indices.compactMap { index in
      try measurement(at: index, of: questions, in: zone)?.draft
    }
  }
}

extension Array where Element: ImportedMeasurement {
  /// Returns the measurements of some days, counted back from the last one of the file, with the
  /// dates that make the last of these days today. Leaves out those that are still to come.
  fileprivate func moved(_ span: Range<Int>, to now: ZonedTime) -> [Element] {
    guard let last = last?.measuredAt?.day else { return [] }
    let later = now.day.daysSince1970 - last.daysSince1970 + span.lowerBound
    return compactMap { one in
      guard let time = one.measuredAt,
        span.contains(last.daysSince1970 - time.day.daysSince1970)
      else { return nil }
      let moved = ZonedTime(time.instant + .days(later), offset: time.offset)
      var one = one
      one.measuredAt = moved
      return moved > now ? nil : one
    }
  }
}
