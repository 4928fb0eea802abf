import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

extension Context {
  /// Returns the visitor's right to act for a person; throws ``Refusal/notFound`` without one.
  func guardianship(for person: ID<Person>) throws -> Guardianship {
    try guardianship(of: signedIn().person, for: person)
  }

  /// Returns a guardian's right to act for the visitor; throws ``Refusal/notFound`` without one.
  func guardianship(by guardian: ID<Person>) throws -> Guardianship {
    try guardianship(of: guardian, for: signedIn().person)
  }

  private func guardianship(
    of guardian: ID<Person>, for person: ID<Person>
  ) throws -> Guardianship {
    let found = try Guardianship.find(of: guardian, for: person, server.vault, on: self)
    guard let found, found.scope(at: now) != nil else { throw Refusal.notFound }
    return found
  }

  /// Returns a link that the visitor may use, or has used. Throws ``GuardianInvitation/gone`` if it
  /// is no longer valid, and ``Refusal/conflict(_:)`` with the reason if somebody else is meant.
  func invitation(
    _ kinds: [GuardianInvitation.Kind], _ token: String
  ) throws -> GuardianInvitation {
    let person = try signedIn().person
    guard let found = try GuardianInvitation.find(token, server.vault, in: self),
      kinds.contains(found.kind), [nil, person].contains(found.usedBy)
    else { throw GuardianInvitation.gone }
    if found.inviter == person || found.person == person {
      throw Refusal.conflict("guardians.error.own-link")
    }
    let (guardian, inCare) =
      found.kind == .request ? (found.inviter, person) : (person, found.person)
    let present = try Guardianship.find(of: guardian, for: inCare, server.vault, on: self)
    // The administrator alone allows somebody again whom the clinic has blocked.
    if present?.state == .blocked {
      throw Refusal.conflict("guardians.error.blocked")
    }
    // A grant in place of a parent's right could be taken back, and the right with it.
    if found.kind == .request, let present, present.basis == .parentalResponsibility,
      present.scope(at: now) != nil
    {
      throw Refusal.conflict("guardians.error.parent-already")
    }
    return found
  }

  /// Ends a guardianship at once, with the links that the guardian has made for the person. One that
  /// is taken back ends all links to the person's data, because the guardian may hold another one,
  /// and the rights that the guardian's links have given. Returns the redirect to the list, with its
  /// security event.
  func end(
    _ guardianship: Guardianship, because reason: Guardianship.Reason
  ) throws -> Redirect {
    let others = reason == .withdrawn ? try invited(by: guardianship) : []
    if reason == .withdrawn {
      try GuardianInvitation.forgetUnused(for: guardianship.person, on: self)
    }
    for one in [guardianship] + others {
      let ended = one.changed(to: .ended, because: reason, by: try signedIn().person, at: now)
      try ended.save(server.vault, on: self)
      try GuardianInvitation.forget(for: one.person, by: one.guardian, on: self)
      try tell(.ended, ended)
    }
    return Redirect(to: GuardianList.path)
      .saying(reason == .left ? "guardians.said.left" : "guardians.said.ended")
      .logging(
        SecurityEvent(
          .guardianEnded,
          of: [guardianship.guardian] + others.map(\.guardian) + [guardianship.person]))
  }

  /// Lets a parent read on from the review on, or no longer, as the visitor decides.
  func agree(to scope: GuardianScope, _ guardianship: Guardianship) throws {
    let changed = guardianship.agreeing(to: scope, by: try signedIn().person, at: now)
    try changed.save(server.vault, on: self)
    try tell(scope == .book ? .limited : .agreed, changed)
  }

  /// Throws ``Refusal/conflict(_:)`` if somebody acts for as many people as one person can.
  func requireRoom(for guardian: ID<Person>) throws {
    let held = try Guardianship.all(of: guardian, server.vault, on: self)
      .count(where: { $0.scope(at: now) != nil })
    guard held < Guardianship.most else {
      let isVisitor = try guardian == signedIn().person
      throw Refusal.conflict(
        Text(
          isVisitor ? "guardians.too-many" : "guardians.too-many.theirs",
          ["limit": String(Guardianship.most)]))
    }
  }

  /// True if nobody but this guardian has as many rights for a child without an account, whose data
  /// nobody else could reach.
  func isOnlyGuardian(_ guardianship: Guardianship) throws -> Bool {
    guard guardianship.basis == .parentalResponsibility,
      try Account.find(guardianship.person, on: self) == nil
    else { return false }
    return try !others(for: guardianship).contains { $0.replaces(guardianship) }
  }

  /// Returns the rights of the others who act for the same person.
  func others(for guardianship: Guardianship) throws -> [Guardianship] {
    try Guardianship.all(for: guardianship.person, server.vault, on: self).filter {
      $0.guardian != guardianship.guardian && $0.scope(at: now) != nil
    }
  }

  /// Returns the page in place of a question that the visitor cannot answer: the reason, and the
  /// button to what is possible instead.
  func refusing(_ title: Text, because reason: Text, _ button: HTML) -> Response {
    .page(
      Page(title, "<p>\(text(reason))</p>\(actions: button)", back: GuardianList.path),
      status: 409)
  }

  /// The sentences about the ages at which a parent's rights change, which the clinic sets.
  var parentalAges: String {
    let ages = server.site.guardianship
    let review = text("guardians.ages.review", ["age": String(ages.review)])
    let end = text("guardians.ages.end", ["age": String(ages.end)])
    return ages.review < ages.end ? "\(review) \(end)" : end
  }

  /// Returns the words for the last day before a moment.
  func untilDay(_ end: Instant) -> String {
    let day = formats.day(of: end - .seconds(1))
    return text("guardians.until", ["date": formats.date(day)])
  }
}

extension Context {
  /// Returns the sentence that names those who lose their right with a guardian who has invited them;
  /// nil if there are none.
  func namesOfInvited(by guardianship: Guardianship) throws -> HTML? {
    let others = try invited(by: guardianship).compactMap {
      try name(ofGuardianshipWith: $0.guardian)
    }
    if others.isEmpty { return nil }
    return strong(Text("guardians.ends-also", ["names": others.joined(separator: ", ")]))
  }

  /// Logs a change of a guardianship and notifies those whom it concerns.
  func tell(_ change: GuardianChange, _ guardianship: Guardianship) throws {
    try record(change, guardianship)
    try server.accountNotices.tell(change, guardianship, in: formats.timeZone, self)
  }

  /// Notifies those who act for a child of a change, by name, besides the guardian who has made it.
  func tellGuardians(
    of child: ID<Person>, that change: GuardianChange, besides maker: ID<Person>? = nil
  ) throws {
    let named = Text(
      "told.guardian-\(change.rawValue).beside",
      [
        "name": try name(ofGuardianshipWith: child) ?? "",
        "guardian": try maker.flatMap { try name(ofGuardianshipWith: $0) } ?? "",
      ])
    let all = try Guardianship.all(for: child, server.vault, on: self)
    for guardianship in all
    where guardianship.guardian != maker && guardianship.scope(at: now) != nil {
      try server.accountNotices.tell(guardianship.guardian, .guardian(change, named), in: self)
    }
  }

  /// Computes the rights of a person's parents again, after the person has corrected the own birth
  /// date, and tells the parents. A parent's typed date thus never outlasts the child's own.
  func letParentsFollow(_ birthDate: CalendarDate, of person: ID<Person>, named name: String) throws
  {
    let parents = try Guardianship.all(for: person, server.vault, on: self).filter {
      $0.basis == .parentalResponsibility && $0.scope(at: now) != nil
    }
    if parents.isEmpty { return }
    try Guardianship.follow(
      birthDate: birthDate, of: person, server.site.guardianship, in: formats.timeZone,
      server.vault, in: self)
    for parent in parents {
      try server.accountNotices.tellOwnBirthDate(of: name, to: parent.guardian, in: self)
    }
  }

  /// Adds a change to the access log of the person in care.
  func record(_ change: GuardianChange, _ guardianship: Guardianship) throws {
    let found = try KeyStore(server.vault).unloggedKeys(of: guardianship.person, on: self)
    guard let keys = found else { return }
    let guardian = try name(ofGuardianshipWith: guardianship.guardian) ?? ""
    try AccessLog.record(
      Text("access.guardian.\(change.rawValue)", ["name": guardian]).spoken(by: "account"),
      for: .guardianship, in: with(keys))
  }
}

extension GuardianInvitation {
  /// The error for a link that is no longer valid. It does not say whether the link was used or
  /// never existed.
  static let gone = Refusal.gone("guardians.error.gone")
}

extension Context {
  /// Returns the birth date of a person in care, on whose age a right depends; nil if it is unknown.
  func birthDate(ofGuardianshipWith person: ID<Person>) throws -> CalendarDate? {
    try KeyStore(server.vault).unloggedKeys(of: person, on: self).flatMap {
      try Profile.find(by: $0, on: self)?.birthDate
    }
  }

  /// True if a person in care is old enough for an account of their own; false if the birth date is
  /// unknown.
  func isOldEnoughForAccount(_ person: ID<Person>) throws -> Bool {
    try birthDate(ofGuardianshipWith: person).map {
      GuardianshipAges.allowAccount(born: $0, at: now, in: formats.timeZone)
    } ?? false
  }
}

extension GuardianshipAges {
  /// The reason why a child is not invited to an account.
  static let tooYoung = Text("guardians.error.too-young", ["age": String(account)])
}
