import PolyclinicCore

/// Lets other modules read what a person takes.
public protocol CurrentMedication: Capability {
  /// Returns the names of the medicines that the person of the work takes on a day.
  func names(
    on day: CalendarDate, in work: Work
  ) throws -> [String]
}

struct MedicationList: CurrentMedication {
  func names(
    on day: CalendarDate, in work: Work
  ) throws -> [String] {
    var names: [String] = []
    try Medication.records.index.forEach(in: work) { entry in
      if entry.record.isDue(on: day) { names.append(entry.name) }
    }
    return names
  }
}
