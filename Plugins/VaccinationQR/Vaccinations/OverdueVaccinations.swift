import PolyclinicCore

extension Vaccination {
  /// Returns the vaccinations whose next one is overdue, the latest first. Only the latest of a
  /// person with the same vaccine counts, because each follows the one before it.
  static func overdue(_ context: Context) throws -> [Entry] {
    var overdue: [Entry] = []
    var found: Set<[String]> = []
    try index.forEach(in: context) { entry in
      let isLatest = found.insert([entry.vaccine, entry.label]).inserted
      if isLatest, entry.record.isDue(before: context.today) { overdue.append(entry) }
    }
    return overdue
  }
}

extension VaccinationPages {
  /// The most vaccinations that the card names.
  private static let mostNamed = 3

  /// Returns the dashboard card of the overdue vaccinations; nil if there are none.
  static func overdueCard(_ context: Context) throws -> HTML? {
    let overdue = try Vaccination.overdue(context)
    if overdue.isEmpty { return nil }
    let ids = Set(overdue.map(\.id))
    return """
      \(rows: overdue.prefix(mostNamed), { VaccinationList.row($0, markingFrom: ids, context) })\
      \(context.moreLink("record.card.more", to: "/vaccination-qr/record"))
      """
  }
}
