import PolyclinicCore
import PolyclinicVault

/// The ages at which a parent's rights change, which the clinic sets, because countries and clinics
/// differ (11 to 18).
package struct GuardianshipAges: Sendable {
  /// The age from which a parent only books, unless the child or the clinic agrees to more.
  package var review = 11
  /// The age at which a parent's rights end.
  package var end = 18

  /// The lowest age at which a child is invited to an account: COPPA (16 CFR 312.2) asks for a
  /// parent's consent below it, and the countries of the EU have 13 to 16 (GDPR, article 8).
  package static let account = 13

  package init() {}

  /// True if somebody born on a day is old enough for an account of their own.
  package static func allowAccount(born: CalendarDate, at now: Instant, in zone: Zone) -> Bool {
    reached(account, born: born, in: zone).map { $0 <= now } ?? false
  }

  /// Returns the age at which somebody born on a day is, if a parent only books at it; nil for any
  /// other age.
  package func limitedAge(born: CalendarDate, at now: Instant, in zone: Zone) -> Int? {
    func isReached(_ age: Int) -> Bool {
      Self.reached(age, born: born, in: zone).map { $0 <= now } ?? false
    }
    return isReached(end) ? nil : (min(review, end)..<end).last(where: isReached)
  }

  /// Returns the moment at which somebody born on a day reaches an age, in the clinic's zone; nil
  /// beyond the calendar. Who was born on 29 February reaches it on 28 February of a common year.
  package static func reached(_ age: Int, born: CalendarDate, in zone: Zone) -> Instant? {
    born.monthDay.date(in: born.year + age)
      .flatMap { LocalDateTime($0, hour: 0, minute: 0)?.moments(in: zone).first }
  }
}

/// Functions about what a child's birth date does to the rights of parents.
extension Guardianship {
  /// Computes the times of parents' rights again, whatever their state, after a child's birth date
  /// was corrected. Returns those who acted for the child before or act now.
  @discardableResult
  package static func follow(
    birthDate: CalendarDate, of child: ID<Person>, _ ages: GuardianshipAges, in zone: Zone,
    _ vault: Vault, in work: Work
  ) throws -> [ID<Person>] {
    var parents: [ID<Person>] = []
    for former in try all(for: child, vault, on: work)
    where former.basis == .parentalResponsibility {
      let changed = former.following(birthDate: birthDate, ages, in: zone)
      try changed.save(vault, on: work)
      if former.scope(at: work.now) != nil || changed.scope(at: work.now) != nil {
        parents.append(former.guardian)
      }
    }
    return parents.sorted()
  }

  /// Returns the parents whose rights another birth date of a child changes at once, each with the
  /// rights that hold now and those that would hold then; nil for none.
  static func changes(
    byBirthDate birthDate: CalendarDate, of child: ID<Person>, _ ages: GuardianshipAges,
    in zone: Zone, _ vault: Vault, in work: Work
  ) throws -> [(guardian: ID<Person>, now: GuardianScope?, then: GuardianScope?)] {
    try all(for: child, vault, on: work).filter { $0.basis == .parentalResponsibility }.map {
      (
        $0.guardian, $0.scope(at: work.now),
        $0.following(birthDate: birthDate, ages, in: zone).scope(at: work.now)
      )
    }.filter { $0.now != $0.then }
  }

  /// True if a parent may give a child this birth date: one that changes nobody's rights, or for a
  /// week after the child was entered any, so that a mistyped year is put right, unless a doctor
  /// treats the child, whose notes would be opened by another age.
  package static func allowsParents(
    birthDate: CalendarDate, of child: ID<Person>, isTreated: Bool, _ ages: GuardianshipAges,
    in zone: Zone, _ vault: Vault, in work: Work
  ) throws -> Bool {
    let beginning = try all(for: child, vault, on: work).map(\.startsAt).min()
    if !isTreated, let beginning, work.now < beginning + .days(7) { return true }
    return try changes(byBirthDate: birthDate, of: child, ages, in: zone, vault, in: work).isEmpty
  }
}
