import PolyclinicCore

/// A patient in a list for staff: the name, the age, which tells namesakes apart, and for the
/// patient's doctor also the sex.
extension Portal.ListedPerson {
  /// Returns the people with a profile. Needs a write transaction, because it adds an entry to each
  /// person's access log.
  static func patients(
    _ people: [ID<Person>], for reason: AccessReason, _ context: Context
  ) throws -> [ID<Person>: Portal.ListedPerson] {
    let works = try context.of(Array(Set(people)), for: reason)
    let listed = try context.portal.people.listed(works)
    if reason == .care { return listed }
    return listed.mapValues { Self(name: $0.name, birthDate: $0.birthDate, sex: nil) }
  }

  /// Returns the age, and the sex if it was read; nil if neither is known.
  func ageAndSex(_ context: Context) -> String? {
    let age = birthDate.map { context.text("patient.age", count: $0.age(on: context.today)) }
    let sex = sex.map { context.text(Text("patient.sex.\($0)")) }
    let parts = [age, sex].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }
}
