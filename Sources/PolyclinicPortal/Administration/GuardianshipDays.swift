import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// The notices of the days on which a guardian's rights change by age or date. Each goes out thirty
/// days before that day and on it, to the guardian, and to the person if they have an account.
struct GuardianshipDays {
  /// The time of day at which they go out.
  private static let hour = 8
  /// The time for which a portal that did not run still sends the notices of a day.
  private static let delay = Seconds.days(30)

  private let guardianship: Guardianship
  private let portal: Portal

  /// Sends the notices that are due, and returns the next morning.
  ///
  /// Nothing is stored about them but ``Notice/once``, so that neither a repeated run nor a day
  /// without the portal loses or repeats one.
  @Sendable
  static func tellAll(_ portal: Portal) throws -> Instant {
    guard let reference = portal.find(ServerReference.self) else { return portal.now + .days(1) }
    let vault = reference().vault
    let found = try portal.read {
      try Guardianship.changing(
        $0.now - delay, $0.now + Guardianship.notice, on: $0)
    }
    var failure: AlteredRow?
    // One transaction each, so that a row that was altered holds back no notice but its own.
    for (person, guardian) in found {
      do {
        try portal.write { work in
          let guardianship = try Guardianship.find(of: guardian, for: person, vault, on: work)
          guard let guardianship, guardianship.state == .active else { return }
          try GuardianshipDays(guardianship: guardianship, portal: portal)
            .tell(by: vault, in: work)
        }
      } catch let altered as AlteredRow {
        failure = failure ?? altered
      }
    }
    if let failure { throw failure }
    return morning(after: portal.now, in: portal.clinic.zone)
  }

  private static func morning(after now: Instant, in zone: Zone) -> Instant {
    let today = LocalDateTime(now, in: zone).date
    let mornings = [today, CalendarDate(daysSince1970: today.daysSince1970 + 1)].compactMap {
      LocalDateTime($0, hour: hour, minute: 0)?.moments(in: zone).first
    }
    return mornings.first { now < $0 } ?? now + .days(1)
  }

  private func tell(by vault: Vault, in work: Work) throws {
    // Who agreed to more than bookings was told then.
    if let review = guardianship.reviewAt, guardianship.agreed == .book,
      guardianship.scope > .book,
      guardianship.endsAt.map({ review < $0 }) ?? true
    {
      try tell("review", review, by: vault, in: work)
    }
    if let end = guardianship.endsAt { try tell("end", end, by: vault, in: work) }
  }

  /// Tells both people of a change at a moment, if it is near and was not told yet.
  private func tell(
    _ change: String, _ moment: Instant, by vault: Vault, in work: Work
  ) throws {
    guard let time = time(of: moment, at: work.now) else { return }
    let (person, guardian) = (guardianship.person, guardianship.guardian)
    guard let called = try name(of: person, by: vault, in: work),
      let guardianCalled = try name(of: guardian, by: vault, in: work)
    else { return }
    let day = Text.Value.day(LocalDateTime(moment, in: portal.clinic.zone).date)
    let once = "guardian/\(person)/\(guardian)/\(change)/\(moment.seconds)/\(time)"
    func notice(_ key: String, _ name: String) -> Notice {
      Notice(
        .rights, Text(key, ["name": name], values: ["date": day]), leadingTo: GuardianList.path,
        once: once)
    }
    try portal.notify(guardian, notice("told.\(change)-in-care", called), in: work)
    if try Account.find(person, on: work) != nil {
      try portal.notify(person, notice("told.\(change)-of-guardian", guardianCalled), in: work)
    }
  }

  /// Returns the word for the notice of a moment that is due; nil if none is.
  ///
  /// - A grant for less than thirty days is announced on its last day alone.
  /// - A right that began after the moment, as a parent's of an older child, never had more.
  private func time(of moment: Instant, at now: Instant) -> String? {
    let (first, start) = (moment - Guardianship.notice, guardianship.startsAt)
    if moment <= now { return start < moment && now < moment + Self.delay ? "day" : nil }
    return first <= now && (start <= first || guardianship.basis != .consent) ? "before" : nil
  }

  private func name(of person: ID<Person>, by vault: Vault, in work: Work) throws -> String? {
    try Profile.unloggedNames(of: [person], vault, on: work).first?.name
  }
}
