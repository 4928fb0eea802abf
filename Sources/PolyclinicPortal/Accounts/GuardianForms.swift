import PolyclinicCore
import PolyclinicVault
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
    Draft(), .part(\.profile, Profile.child),
    .check(\.isGuardian, "is_guardian", required: true))

  init(_ context: Context) {}

  var about: HTML? { nil }

  /// Enters the child, for whom the visitor acts from now on. Throws ``Refusal/invalid(_:_:)`` for
  /// somebody who is of age, who must be asked.
  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    let (server, guardian) = (context.server, try context.signedIn().person)
    let zone = context.formats.timeZone
    guard let born = draft.profile.birthDate else {
      throw Refusal.invalid("birth_date", "error.required")
    }
    let ages = server.site.guardianship
    if let end = GuardianshipAges.reached(ages.end, born: born, in: zone), end <= context.now {
      throw Refusal.invalid(
        "birth_date", Text("guardians.error.of-age", ["age": String(ages.end)]))
    }
    let held = try Guardianship.all(of: guardian, server.vault, on: context)
    guard held.count < Guardianship.most else {
      throw Refusal.conflict(Text("guardians.too-many", ["limit": String(Guardianship.most)]))
    }
    let keys = try Account.insertPerson(draft.profile, server.vault, in: context)
    let guardianship = Guardianship(
      of: guardian, forChild: keys.person, born: born, ages, in: zone, because: .entered,
      at: context.now)
    try guardianship.save(server.vault, on: context)
    try context.tell(.began, guardianship)
    return Redirect(to: GuardianList.path)
      .logging(SecurityEvent(.guardianBegan, of: [guardian, keys.person]))
  }
}

/// The choice of a scope and of an end for somebody who will act for an adult.
struct AccessDraft: Sendable {
  var scope = GuardianScope.book
  var until: CalendarDate?

  static let form = Form<AccessDraft>(
    AccessDraft(), .choice(\.scope, "scope", hint: "field.scope.hint"),
    .date(\.until, "until", hint: "field.until.hint"))

  /// Returns the end of the chosen day; nil for none. Throws ``Refusal/invalid(_:_:)`` for a day
  /// that is over.
  func end(_ context: Context) throws -> Instant? {
    guard let until else { return nil }
    guard until >= context.today else { throw Refusal.invalid("until", "guardians.error.past") }
    return LocalDateTime(
      CalendarDate(daysSince1970: until.daysSince1970 + 1), hour: 0, minute: 0)?
      .moments(in: context.formats.timeZone).first
  }
}

/// The form with which an adult lets somebody act for them.
struct GiveAccess: RoutedForm {
  static let address: Address<Void> = "/account/people/access"
  static let title: Text = "guardians.give"
  static let submit: Text = "guardians.make-link"
  static let cancel = GuardianList.path
  static let form = AccessDraft.form
  static var route: Route { Route(Self.self).showingSecret(on: GuardianInvitation.page) }

  private let context: Context

  init(_ context: Context) { self.context = context }

  var about: HTML? { "<p>\(context.text("guardians.give.about"))</p>" }

  func save(_ draft: AccessDraft, in context: Context) throws -> Redirect {
    let person = try context.keys.person
    let token = try GuardianInvitation.make(
      .offer, by: person, for: person, basis: .consent, scope: draft.scope,
      endsAt: draft.end(context), context.server.vault, in: context)
    return GuardianInvitation.redirect(to: AcceptGuardianship.path(token.text), context)
  }
}

/// The question with which somebody asks an adult to be let in.
struct GuardianRequest: RoutedForm {
  static let address: Address<Void> = "/account/people/ask"
  static let title: Text = "guardians.ask"
  static let submit: Text = "guardians.make-link"
  static let cancel = GuardianList.path
  static var route: Route { Route(Self.self).showingSecret(on: GuardianInvitation.page) }

  private let context: Context

  init(_ context: Context) { self.context = context }

  var about: HTML? { "<p>\(context.text("guardians.ask.about"))</p>" }

  func save(_: Void, in context: Context) throws -> Redirect {
    let person = try context.keys.person
    let token = try GuardianInvitation.make(
      .request, by: person, for: person, basis: .consent, scope: .book, context.server.vault,
      in: context)
    return GuardianInvitation.redirect(to: AllowGuardian.path(token.text), context)
  }
}

/// The question with which a parent invites another guardian of a child.
struct InviteGuardian: RoutedForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/invite"
  static let title: Text = "guardians.invite"
  static let submit: Text = "guardians.make-link"
  static let cancel = GuardianList.path
  static var route: Route { Route(Self.self).showingSecret(on: GuardianInvitation.page) }

  private let guardianship: Guardianship
  private let context: Context

  /// Finds the visitor's right to act for the child. Throws ``Refusal/notFound`` without one, and
  /// for an adult, who invites others alone.
  init(_ context: Context) throws {
    self.context = context
    guardianship = try context.guardianship(for: Self.address.value(in: context))
    guard guardianship.basis == .parentalResponsibility else { throw Refusal.notFound }
  }

  var about: HTML? {
    get throws {
      let name = try context.name(ofGuardianshipWith: guardianship.person) ?? ""
      return "<p>\(context.text("guardians.invite.about", ["name": name]))</p>"
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    // Read again, because the clinic may have ended it since.
    let guardianship = try context.guardianship(for: guardianship.person)
    let token = try GuardianInvitation.make(
      .offer, by: guardianship.guardian, for: guardianship.person,
      basis: .parentalResponsibility, scope: .all, context.server.vault, in: context)
    return GuardianInvitation.redirect(to: AcceptGuardianship.path(token.text), context)
  }
}

/// The question with which the reception connects a child without an account with a guardian who
/// has shown proof.
struct ConnectGuardian: RoutedForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/connect"
  static let access = Access.role(.receptionist)
  static let title: Text = "guardians.connect"
  static let submit: Text = "guardians.make-link"
  static let cancel: Path = "/"
  static var route: Route { Route(Self.self).showingSecret(on: GuardianInvitation.page) }

  private let child: Portal.Newcomer
  private let context: Context

  /// Finds a child of the visitor's reception. Throws ``Refusal/notFound`` for a person with an
  /// account, and ``Refusal/conflict(_:)`` for one whose birth date is unknown or who is of age.
  init(_ context: Context) throws {
    self.context = context
    let person = try Self.address.value(in: context)
    let entered = try context.portal.people.entered(person, for: .reception, in: context)
    guard let child = entered else { throw Refusal.notFound }
    let end = child.birthDate.flatMap {
      GuardianshipAges.reached(
        context.server.site.guardianship.end, born: $0, in: context.formats.timeZone)
    }
    guard let end, end > context.now else {
      throw Refusal.conflict("guardians.error.no-child")
    }
    self.child = child
  }

  var about: HTML? {
    let name = [child.name, child.surname].filter { !$0.isEmpty }.joined(separator: " ")
    return "<p>\(context.text("guardians.connect.about", ["name": name]))</p>"
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    let (visitor, person) = (try context.signedIn(), try Self.address.value(in: context))
    try context.recordChange(
      Text("access.guardian.invited").spoken(by: "account"), of: [person], for: .reception)
    let token = try GuardianInvitation.make(
      .proved, by: visitor.person, for: person, basis: .parentalResponsibility, scope: .all,
      context.server.vault, in: context)
    return GuardianInvitation.redirect(to: AcceptGuardianship.path(token.text), context)
  }
}

/// The answer to a form that makes a link.
extension GuardianInvitation {
  /// Returns the redirect that shows the link of a path once.
  fileprivate static func redirect(to path: Path, _ context: Context) -> Redirect {
    Redirect(to: GuardianList.path).showing("\(context.portal.origin)\(path)")
  }

  /// Returns the page that shows a new link, which no other page can show.
  @Sendable
  fileprivate static func page(_ link: String, _ context: Context) -> Page {
    Page(
      "guardians.link",
      """
      <section class="panel" role="status"><p>\(context.text("guardians.link.hint"))</p>\
      <p><code class="secret" id="secret" dir="ltr">\(link)</code></p>\
      \(actions: context.copyButton("tokens.copy", of: "secret", copied: "tokens.copied"))\
      </section>\(actions: context.button("tokens.done", to: GuardianList.path))
      """,
      back: GuardianList.path, assets: [.copy])
  }
}

/// The question whether somebody who was invited acts for a person from now on.
struct AcceptGuardianship: RoutedForm {
  static let address: Address<String> = "/account/people/accept/{token}"
  static let title: Text = "guardians.accept"
  static let submit: Text = "guardians.accept.yes"
  static let cancel = GuardianList.path

  private let invitation: GuardianInvitation
  private let name: String
  private let inviter: String
  private let context: Context

  /// Finds the invitation. Throws ``OneTimeLink/gone`` if it is no longer valid, and
  /// ``Refusal/conflict(_:)`` if the visitor cannot accept it.
  init(_ context: Context) throws {
    self.context = context
    invitation = try context.invitation([.offer, .proved], Self.address.value(in: context))
    guard let name = try context.name(ofGuardianshipWith: invitation.person),
      let inviter = try context.name(ofGuardianshipWith: invitation.inviter)
    else { throw OneTimeLink.gone }
    (self.name, self.inviter) = (name, inviter)
  }

  var about: HTML? {
    let scope = context.text(Text("scope.\(invitation.scope.rawValue)"))
    let end = invitation.endsAt.map {
      context.text("guardians.until", ["date": context.formats.date(context.formats.day(of: $0))])
    }
    return """
      <p>\(context.text("guardians.accept.about", ["inviter": inviter, "name": name]))</p>\
      <p class="muted">\(each: [scope, end].compactMap(\.self), { "\($0) " })</p>
      """
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    let (vault, guardian) = (context.server.vault, try context.signedIn().person)
    let invitation = try context.invitation([.offer, .proved], Self.address.value(in: context))
    let guardianship: Guardianship
    switch invitation.basis {
    case .consent:
      guardianship = Guardianship(
        of: guardian, givenBy: invitation.person, invitation.scope, until: invitation.endsAt,
        at: context.now)
    case .parentalResponsibility:
      // With the ages as they are now. Another guardian who invites must still be one.
      let isProved = invitation.kind == .proved
      let theirs = try Guardianship.find(
        of: invitation.inviter, for: invitation.person, vault, on: context)
      guard isProved || theirs?.scope(at: context.now) != nil,
        let keys = try KeyStore(vault).unloggedKeys(of: invitation.person, on: context),
        let born = try Profile.find(by: keys, on: context)?.birthDate
      else { throw OneTimeLink.gone }
      guardianship = Guardianship(
        of: guardian, forChild: invitation.person, born: born, context.server.site.guardianship,
        in: context.formats.timeZone, because: isProved ? .proved : .accepted,
        at: context.now)
    }
    guard try invitation.use(on: context) else { throw OneTimeLink.gone }
    try guardianship.save(vault, on: context)
    try context.tell(.began, guardianship)
    return Redirect(to: GuardianList.path)
      .logging(SecurityEvent(.guardianBegan, of: [guardian, invitation.person]))
  }
}

/// The form with which an adult who was asked lets somebody act for them.
struct AllowGuardian: RoutedForm {
  static let address: Address<String> = "/account/people/allow/{token}"
  static let title: Text = "guardians.allow"
  static let submit: Text = "guardians.allow.yes"
  static let cancel = GuardianList.path
  static let form = AccessDraft.form

  private let inviter: String
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let request = try context.invitation([.request], Self.address.value(in: context))
    guard let inviter = try context.name(ofGuardianshipWith: request.inviter) else {
      throw OneTimeLink.gone
    }
    self.inviter = inviter
  }

  var about: HTML? { "<p>\(context.text("guardians.allow.about", ["name": inviter]))</p>" }

  func save(_ draft: AccessDraft, in context: Context) throws -> Redirect {
    let (vault, person) = (context.server.vault, try context.keys.person)
    let request = try context.invitation([.request], Self.address.value(in: context))
    let guardianship = Guardianship(
      of: request.inviter, givenBy: person, draft.scope, until: try draft.end(context),
      at: context.now)
    guard try request.use(on: context) else { throw OneTimeLink.gone }
    try guardianship.save(vault, on: context)
    try context.tell(.began, guardianship)
    return Redirect(to: GuardianList.path)
      .logging(SecurityEvent(.guardianBegan, of: [request.inviter, person]))
  }
}

/// The question whether a guardian gives up acting for a person.
struct LeaveGuardianship: RoutedForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/leave"
  static let title: Text = "guardians.leave"
  static let submit: Text = "guardians.leave.yes"
  static let cancel = GuardianList.path
  static let isQuestion = true

  private let guardianship: Guardianship
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    guardianship = try context.guardianship(for: Self.address.value(in: context))
  }

  var about: HTML? {
    get throws {
      let name = try context.name(ofGuardianshipWith: guardianship.person) ?? ""
      return "<p>\(context.text("guardians.leave.about", ["name": name]))</p>"
    }
  }

  /// Ends the guardianship. Throws ``Refusal/conflict(_:)`` for the only guardian of a child without
  /// an account, whose data nobody else could reach.
  func save(_: Void, in context: Context) throws -> Redirect {
    let vault = context.server.vault
    let guardianship = try context.guardianship(for: guardianship.person)
    if guardianship.basis == .parentalResponsibility,
      try Account.find(guardianship.person, on: context) == nil
    {
      let others = try Guardianship.all(for: guardianship.person, vault, on: context)
        .filter { $0.guardian != guardianship.guardian && $0.scope(at: context.now) != nil }
      if others.isEmpty { throw Refusal.conflict("guardians.error.only") }
    }
    try context.end(guardianship, because: .left)
    return Redirect(to: GuardianList.path).logging(
      SecurityEvent(.guardianEnded, of: [guardianship.guardian, guardianship.person]))
  }
}

/// The question whether a person takes back the access of a guardian.
struct WithdrawAccess: RoutedForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/withdraw"
  static let title: Text = "guardians.withdraw"
  static let submit: Text = "guardians.withdraw.yes"
  static let cancel = GuardianList.path
  static let isQuestion = true

  private let guardian: ID<Person>
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    guardian = try Self.address.value(in: context)
    _ = try context.guardianship(by: guardian)
  }

  var about: HTML? {
    get throws {
      let name = try context.name(ofGuardianshipWith: guardian) ?? ""
      return "<p>\(context.text("guardians.withdraw.about", ["name": name]))</p>"
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    let guardianship = try context.guardianship(by: guardian)
    // A child with an account does not remove a parent; the clinic can.
    guard guardianship.basis == .consent else {
      throw Refusal.conflict("guardians.error.parent")
    }
    try context.end(guardianship, because: .withdrawn)
    return Redirect(to: GuardianList.path).logging(
      SecurityEvent(.guardianEnded, of: [guardianship.guardian, guardianship.person]))
  }
}

extension Context {
  /// Returns the visitor's right to act for a person; throws ``Refusal/notFound`` without one.
  fileprivate func guardianship(for person: ID<Person>) throws -> Guardianship {
    try guardianship(of: signedIn().person, for: person)
  }

  /// Returns a guardian's right to act for the visitor; throws ``Refusal/notFound`` without one.
  fileprivate func guardianship(by guardian: ID<Person>) throws -> Guardianship {
    try guardianship(of: guardian, for: signedIn().person)
  }

  private func guardianship(
    of guardian: ID<Person>, for person: ID<Person>
  ) throws -> Guardianship {
    let found = try Guardianship.find(of: guardian, for: person, server.vault, on: self)
    guard let found, found.scope(at: now) != nil else { throw Refusal.notFound }
    return found
  }

  /// Returns a link that the visitor may use. Throws ``OneTimeLink/gone`` if it is no longer valid,
  /// and ``Refusal/conflict(_:)`` with the reason if somebody else is meant.
  fileprivate func invitation(
    _ kinds: [GuardianInvitation.Kind], _ token: String
  ) throws -> GuardianInvitation {
    let person = try signedIn().person
    guard let found = try GuardianInvitation.find(token, server.vault, in: self),
      kinds.contains(found.kind)
    else { throw OneTimeLink.gone }
    if found.inviter == person || found.person == person {
      throw Refusal.conflict("guardians.error.own-link")
    }
    let (guardian, inCare) =
      found.kind == .request ? (found.inviter, person) : (person, found.person)
    let present = try Guardianship.find(of: guardian, for: inCare, server.vault, on: self)
    if present?.state == .blocked, found.kind != .proved {
      throw Refusal.conflict("guardians.error.blocked")
    }
    if found.kind != .request, present?.scope(at: now) != nil {
      throw Refusal.conflict("guardians.error.already")
    }
    return found
  }

  /// Ends a guardianship at once, with the links that the guardian has made for the person.
  fileprivate func end(
    _ guardianship: Guardianship, because reason: Guardianship.Reason
  ) throws {
    let ended = guardianship.changed(
      to: .ended, because: reason, by: try signedIn().person, at: now)
    try ended.save(server.vault, on: self)
    try GuardianInvitation.forget(
      for: guardianship.person, by: guardianship.guardian, on: self)
    try tell(.ended, ended)
  }
}
