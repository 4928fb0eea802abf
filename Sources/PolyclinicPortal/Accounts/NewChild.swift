import PolyclinicCore
import PolyclinicWeb

/// The form with which a parent enters a child, who has no account.
struct NewChild: RoutedForm {
  static let address: Address<Void> = "/account/people/child"
  static let title: Text = "guardians.add-child"
  static let submit: Text = "guardians.add"
  static let cancel = GuardianList.path

  struct Draft: Sendable {
    var profile = Profile()
    var isGuardian = false
  }

  static let form = Form<Draft>(
    Draft(), .part(\.profile, Profile.childOfParent),
    .check(\.isGuardian, "is_guardian", required: true))

  private let context: Context

  init(_ context: Context) { self.context = context }

  var about: HTML? {
    """
    \(context.notice(.remark, "guardians.add-child.known"))<p>\(context.parentalAges)</p>
    """
  }

  /// Enters the child, for whom the visitor acts from now on. Throws ``Refusal/invalid(_:_:)`` for
  /// somebody who is of age, who must be asked.
  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    let (server, guardian) = (context.server, try context.signedIn().person)
    let born = try context.birthDate(ofChild: draft.profile)
    try context.requireRoom(for: guardian)
    let keys = try Account.insertPerson(draft.profile, server.vault, in: context)
    let guardianship = Guardianship(
      of: guardian, forChild: keys.person, born: born, server.site.guardianship,
      in: context.formats.timeZone, because: .entered, at: context.now)
    try guardianship.save(server.vault, on: context)
    try context.tell(.began, guardianship)
    return Redirect(to: GuardianList.path).saying("guardians.said.added")
      .logging(SecurityEvent(.guardianBegan, of: [guardian, keys.person]))
  }
}

/// The form with which a parent corrects a child's name, birth date and sex, below the child's own
/// address.
struct ChildCorrection: RoutedForm {
  static let address: Address<Void> = "/account/child"
  static let title: Text = "guardians.details"
  static let cancel = GuardianList.path
  static let form = Profile.childOfParent
  static let isVersioned = true
  // The least right, because the right that was granted decides, whatever the age leaves of it: a
  // wrong birth date is put right by the parent who has entered it.
  static var route: Route { Route(Self.self).forGuardians(.bookings) }

  private let stored: Profile
  private let guardianship: Guardianship
  private let context: Context

  /// Finds the child of the address. Throws ``Refusal/notFound`` on the visitor's own pages and for
  /// an adult in care, and ``Refusal/conflict(_:)`` for a child with an account or a link to one, for
  /// one whose details the clinic keeps, and for a guardian who was never given all rights.
  init(_ context: Context) throws {
    self.context = context
    guard context.visitor?.inCare != nil else { throw Refusal.notFound }
    guardianship = try context.guardianship(for: context.keys.person)
    guard guardianship.basis == .parentalResponsibility else { throw Refusal.notFound }
    if try Account.find(guardianship.person, on: context) != nil {
      throw Refusal.conflict("guardians.details.own")
    }
    // The child may use the link at any moment.
    if try OneTimeLink.expiry(for: guardianship.person, at: context.now, on: context) != nil {
      throw Refusal.conflict("guardians.details.invited")
    }
    guard guardianship.scope == .all,
      try Guardianship.keptByClinic(among: [guardianship.person], on: context).isEmpty
    else { throw Refusal.conflict("guardians.correct") }
    stored = try Profile.own(in: context)
  }

  var start: Profile { stored }

  var about: HTML? { "<p>\(context.parentalAges)</p>" }

  /// Stores the details. The ages are computed again, because a parent's rights follow the birth
  /// date.
  func save(_ draft: Profile, in context: Context) throws -> Redirect {
    let (server, child) = (context.server, guardianship.person)
    let born = try context.birthDate(ofChild: draft)
    var profile = stored
    (profile.name, profile.surname) = (draft.name, draft.surname)
    (profile.birthDate, profile.sex) = (born, draft.sex)
    let list = Redirect(to: GuardianList.path)
    if profile == stored { return list }
    let ages = server.site.guardianship
    let doctors = try context.portal.find((any CareRelations).self)?.careTeam(in: context) ?? []
    let isAllowed = try Guardianship.allowsParents(
      birthDate: born, of: child, isTreated: !doctors.isEmpty, ages, in: context.formats.timeZone,
      server.vault, in: context)
    if !isAllowed { throw Refusal.invalid("birth_date", "guardians.error.late") }
    // Before the change, by the name that the others know.
    try context.tellGuardians(of: child, that: .corrected, besides: guardianship.guardian)
    try profile.save(by: context.keys, on: context)
    if born == stored.birthDate { return list }
    try Guardianship.follow(
      birthDate: born, of: child, ages, in: context.formats.timeZone, server.vault, in: context)
    return list.logging(SecurityEvent(.guardianChanged, of: [guardianship.guardian, child]))
  }
}

extension Profile {
  /// The fields about a child, with the question about a birth date by which parents may do less.
  fileprivate static let childOfParent = child.doubting("birth_date") { profile, context in
    let ages = context.server.site.guardianship
    func limitedAge(_ profile: Profile) -> Int? {
      profile.birthDate.flatMap {
        ages.limitedAge(born: $0, at: context.now, in: context.formats.timeZone)
      }
    }
    guard let age = limitedAge(profile) else { return nil }
    if context.visitor?.inCare != nil, limitedAge(try .own(in: context)) != nil { return nil }
    return Text(
      "guardians.doubt.older",
      ["name": profile.name, "age": String(age), "review": String(ages.review)])
  }
}

extension Context {
  /// Returns the birth date of a child whom the visitor enters or corrects.
  ///
  /// Throws ``Refusal/invalid(_:_:)`` if it is unknown or in the future, for somebody who is of age,
  /// who must be asked, and for a child with the name and the birth date of another one in care.
  fileprivate func birthDate(ofChild profile: Profile) throws -> CalendarDate {
    try profile.requirePastBirth(on: today)
    guard let born = profile.birthDate else {
      throw Refusal.invalid("birth_date", "error.required")
    }
    let age = server.site.guardianship.end
    if let end = GuardianshipAges.reached(age, born: born, in: formats.timeZone), end <= now {
      throw Refusal.invalid("birth_date", Text("guardians.error.of-age", ["age": String(age)]))
    }
    let name = profile.displayName
    let isKnown = try patients().contains {
      !$0.isCurrent && $0.name == name && $0.birthDate == born
    }
    if isKnown {
      throw Refusal.invalid("name", Text("guardians.error.same-child", ["name": name]))
    }
    return born
  }
}
