import PolyclinicCore
import PolyclinicVault

/// The correction of people without an account, whose details only staff can change.
extension AccountDirectory {
  func entered(
    _ person: ID<Person>, for reason: AccessReason, in work: Work
  ) throws -> Portal.Newcomer? {
    guard let (_, profile) = try profile(ofEntered: person, for: reason, in: work)
    else { return nil }
    var details = Portal.Newcomer()
    (details.name, details.surname) = (profile.name, profile.surname)
    (details.phone, details.birthDate) = (profile.phone, profile.birthDate)
    return details
  }

  func consequences(
    ofCorrecting person: ID<Person>, to details: Portal.Newcomer, for reason: AccessReason,
    in work: Work
  ) throws -> [Text] {
    let found = try profile(ofEntered: person, for: reason, in: work)
    guard case (_, let profile)? = found else { throw Refusal.notFound }
    let today = LocalDateTime(work.now, in: zone).date
    guard let born = details.birthDate, born != profile.birthDate, born <= today else { return [] }
    let changes = try Guardianship.changes(
      byBirthDate: born, of: person, ages, in: zone, vault, in: work)
    let names = try names(ofGuardians: changes.map(\.guardian), for: reason, in: work)
    return changes.map { guardian, now, then in
      Text(
        Self.phrase(now, then),
        ["name": profile.displayName, "guardian": names[guardian] ?? ""],
        count: born.age(on: today)
      ).spoken(by: "account")
    }
  }

  /// Returns the key of the sentence about a change of a parent's rights.
  private static func phrase(_ now: GuardianScope?, _ then: GuardianScope?) -> String {
    guard let then else { return "guardians.corrected.ends" }
    if now == nil { return "guardians.corrected.acts" }
    return then == .book ? "guardians.corrected.books" : "guardians.corrected.reads"
  }

  func correct(
    _ person: ID<Person>, to details: Portal.Newcomer, for reason: AccessReason,
    in work: Work
  ) throws {
    let found = try profile(ofEntered: person, for: reason, in: work)
    guard case (let keys, var profile)? = found else { throw Refusal.notFound }
    let (now, visitor) = (work.now, try work.signedIn())
    try check(details, at: now)
    let formerBirthDate = profile.birthDate
    profile.take(details)
    try profile.save(by: keys, on: work)
    if let born = profile.birthDate, born != formerBirthDate {
      // Also those whose rights the correction has ended or begun.
      let parents = try Guardianship.follow(
        birthDate: born, of: person, ages, in: zone, vault, in: work)
      for parent in parents {
        try guardianNotices?.tellCorrectedBirthDate(of: profile.displayName, to: parent, in: work)
      }
    }
    try AuditEntry(.correct, by: .person(visitor.person), at: now, subject: person)
      .insert(on: work)
    let corrected = Text("access.corrected").spoken(by: "account")
    try AccessLog.record(corrected, for: reason, in: work.with(keys))
  }

  /// Throws ``Refusal/invalid(_:_:)`` for a blank name and for a birth date in the future.
  func check(_ newcomer: Portal.Newcomer, at now: Instant) throws {
    guard newcomer.name.contains(where: { !$0.isWhitespace }) else {
      throw Refusal.invalid("name", "error.required")
    }
    let today = Formats(language: .english, timeZone: zone).day(of: now)
    if let birthDate = newcomer.birthDate, birthDate > today {
      throw Refusal.invalid("birth_date", "error.future")
    }
  }

  private func profile(
    ofEntered person: ID<Person>, for reason: AccessReason, in work: Work
  ) throws -> (Keys, Profile)? {
    try check(reason, in: work)
    guard try Account.find(person, on: work) == nil,
      try keyStore.allows([person], for: reason, of: nil, in: work),
      let keys = try keyStore.unloggedKeys(of: person, on: work),
      let profile = try Profile.find(by: keys, on: work)
    else { return nil }
    return (keys, profile)
  }
}
