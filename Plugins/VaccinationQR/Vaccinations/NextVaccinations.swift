import PolyclinicCore

/// The next vaccination of each person and vaccine. Only the latest of a person with the same vaccine
/// counts, because each follows the one before it.
struct NextVaccinations {
  /// A vaccination with the day of the next one.
  struct Next: Sendable {
    let entry: Vaccination.Entry
    /// The usual date; nil if the user has entered one.
    let proposal: NextDoseProposal?
    let day: CalendarDate

    /// True if the user's own date has passed. A usual date alone makes nothing overdue.
    func isOverdue(on today: CalendarDate) -> Bool { proposal == nil && day < today }

    /// True if the user's own date has come.
    func isDue(on today: CalendarDate) -> Bool { proposal == nil && day <= today }

    /// True if it is time to book an appointment: the day is within a month, or has passed.
    func isPressing(on today: CalendarDate) -> Bool {
      day <= today.adding(days: NextVaccinations.pressingReach)
    }
  }

  private var all: [Next] = []
  private var found: Set<[String]> = []

  /// Creates none, before the first entry is taken.
  init() {}

  init(_ work: Work) throws {
    try Vaccination.index.forEach(in: work) { take($0) }
  }

  /// Takes the next entry of the index, which begins with the latest one.
  mutating func take(_ entry: Vaccination.Entry) {
    guard found.insert([entry.vaccine, entry.label]).inserted else { return }
    let proposal = NextDoseProposal(entry.record)
    guard let day = entry.nextDue ?? proposal?.day else { return }
    all.append(Next(entry: entry, proposal: proposal, day: day))
  }

  /// The number of days ahead that count as soon: half a year, so that a season's vaccination is
  /// among them.
  private static let reach = 180
  /// The number of days ahead of which the home page tells.
  static let pressingReach = 30

  /// Returns those that are due soon or were due, the earliest first.
  func soon(on today: CalendarDate, within reach: Int = reach) -> [Next] {
    all.filter { $0.day <= today.adding(days: reach) }.sorted { $0.day < $1.day }
  }

  /// Returns the next vaccination after this one; nil if there is none.
  func of(_ id: ID<Vaccination>) -> Next? { all.first { $0.entry.id == id } }
}

extension Vaccination.Entry {
  /// The age from which doctors for adults vaccinate.
  private static let adultAge = 18

  /// True if a child was vaccinated, by the vaccine's name or by the date of birth of the record's
  /// owner.
  func isOfChild(_ context: Context) throws -> Bool {
    let vaccine = SearchText(self.vaccine)
    let words = Language.allCases.flatMap {
      SearchText.Query(context.portal.string("record.child.words", in: $0)).words
    }
    if words.contains(where: vaccine.hasWord) { return true }
    guard self.label.isEmpty, let birth = try context.portal.people.birthDate(in: context) else {
      return false
    }
    let today = context.today
    return (birth.year + Self.adultAge, birth.month, birth.day)
      > (today.year, today.month, today.day)
  }
}
