import PolyclinicCore

/// The unusual values of a vaccination that the user confirms before it is saved.
extension Vaccination {
  /// The years until a next vaccination beyond which a date is more often a typing error.
  private static let longestInterval = 60

  /// True if ``nextDue`` is before that day.
  func isDue(before day: CalendarDate) -> Bool { nextDue.map { $0 < day } ?? false }

  /// True if the next vaccination is due an unusually long time after this one.
  var isFarAhead: Bool {
    guard let date, let nextDue else { return false }
    return nextDue.year - date.year > Self.longestInterval
  }

  /// True if the date is before the birth of the account's owner, who is the vaccinated person.
  func isBeforeBirth(_ context: Context) throws -> Bool {
    guard label.isEmpty, let date else { return false }
    let birth = try context.portal.people.birthDate(in: context)
    return birth.map { date < $0 } ?? false
  }

  /// True if another record has the same vaccine, date and person, such as one from the same
  /// certificate.
  func isRecorded(_ context: Context) throws -> Bool {
    let own: ID<Vaccination>? = context.request.parameters["id"].flatMap { ID($0) }
    var isRecorded = false
    try Self.index.prefix(in: context) { entry in
      isRecorded =
        entry.id != own && entry.date == date && entry.vaccine == vaccine && entry.label == label
      return !isRecorded
    }
    return isRecorded
  }
}
