import PolyclinicCore

/// A patient in a list for staff: the name, the age, which tells namesakes apart, and for the
/// patient's doctor also the sex.
struct ListedPatient: Sendable {
  let name: String
  private let birthDate: CalendarDate?
  private let sex: String?

  /// Returns the people with a profile. Needs a write transaction, because it adds an entry to each
  /// person's access log.
  static func find(
    _ people: [ID<Person>], for reason: AccessReason, _ context: Context
  ) throws -> [ID<Person>: ListedPatient] {
    let works = try context.of(Array(Set(people)), for: reason)
    return try context.portal.people.listed(works).mapValues { person in
      ListedPatient(
        name: person.name, birthDate: person.birthDate, sex: reason == .care ? person.sex : nil)
    }
  }

  /// Returns the age, and the sex if it was read; nil if neither is known.
  func ageAndSex(_ context: Context) -> String? {
    let age = birthDate.map { context.text("patient.age", count: $0.age(on: context.today)) }
    let sex = sex.map { context.text(Text("patient.sex.\($0)")) }
    let parts = [age, sex].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }
}
