import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

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
    return context.formats.end(of: until)
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

/// The form with which a guardian of a child invites another one, who gets the same rights or less.
struct InviteGuardian: RoutedForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/invite"
  static let title: Text = "guardians.invite"
  static let submit: Text = "guardians.make-link"
  static let cancel = GuardianList.path

  struct Draft: Sendable {
    /// The name of a ``GuardianScope``.
    var scope = ""
  }

  static let form = Form(
    Draft(),
    .choice(\.scope, "scope", required: true, hint: "field.scope.hint") { context in
      let own = try context.guardianship(for: address.value(in: context))
      return GuardianScope.allCases.filter { own.passesOn($0, at: context.now) }
        .map { Choice($0.rawValue, .text(Text("scope.\($0.rawValue)"))) }
    })
  static var route: Route { Route(Self.self).showingSecret(on: GuardianInvitation.page) }

  private let guardianship: Guardianship
  private let context: Context

  /// Finds the visitor's right to act for the child. Throws ``Refusal/notFound`` without one and for
  /// an adult, and ``Refusal/conflict(_:)`` for a child with an account: both invite others alone.
  init(_ context: Context) throws {
    self.context = context
    guardianship = try context.guardianship(for: Self.address.value(in: context))
    guard guardianship.basis == .parentalResponsibility else { throw Refusal.notFound }
    if try Account.find(guardianship.person, on: context) != nil {
      throw Refusal.conflict("guardians.error.child-decides")
    }
  }

  /// Returns the page with which the visitor invites another guardian of a person; nil if the visitor
  /// cannot, as ``init(_:)`` says.
  static func path(offeredFor person: ID<Person>, _ context: Context) throws -> Path? {
    let own = try Guardianship.find(
      of: context.signedIn().person, for: person, context.server.vault, on: context)
    guard own?.basis == .parentalResponsibility, try Account.find(person, on: context) == nil
    else { return nil }
    return path(person)
  }

  var about: HTML? {
    get throws {
      let name = try context.name(ofGuardianshipWith: guardianship.person) ?? ""
      return """
        <p>\(context.text("guardians.invite.about", ["name": name]))</p>\
        <p>\(context.parentalAges)</p>
        """
    }
  }

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    guard let scope = GuardianScope(rawValue: draft.scope),
      guardianship.passesOn(scope, at: context.now)
    else { throw Refusal.invalid("scope", "error.choice") }
    let token = try GuardianInvitation.make(
      .offer, by: guardianship.guardian, for: guardianship.person,
      basis: .parentalResponsibility, scope: scope, context.server.vault, in: context)
    return GuardianInvitation.redirect(to: AcceptGuardianship.path(token.text), context)
  }
}

/// The question with which a parent invites a child to an account of their own. The child stays the
/// same person, with all data and guardians.
struct InviteChild: RoutedForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/account"
  static let title: Text = "guardians.child-account"
  static let submit: Text = "guardians.make-link"
  static let cancel = GuardianList.path
  static var route: Route { Route(Self.self).showingSecret(on: GuardianInvitation.accountPage) }

  private let guardianship: Guardianship
  private let context: Context

  /// Finds the visitor's right to act for the child: all rights, of which the age leaves at least to
  /// read, because whoever opens the link has the account. Throws ``Refusal/notFound`` unless it is
  /// a parent's, and ``Refusal/conflict(_:)`` for any other parent, and if the child has an account
  /// or is too young.
  init(_ context: Context) throws {
    self.context = context
    guardianship = try context.guardianship(for: Self.address.value(in: context))
    guard guardianship.basis == .parentalResponsibility else { throw Refusal.notFound }
    guard try Account.find(guardianship.person, on: context) == nil else {
      throw Refusal.conflict("guardians.error.has-account")
    }
    guard try context.isOldEnoughForAccount(guardianship.person) else {
      throw Refusal.conflict(GuardianshipAges.tooYoung)
    }
    guard guardianship.invitesChild(at: context.now) else {
      throw Refusal.conflict("guardians.error.at-reception")
    }
  }

  var about: HTML? {
    get throws {
      let name = try context.name(ofGuardianshipWith: guardianship.person) ?? ""
      return "<p>\(context.text("guardians.child-account.about", ["name": name]))</p>"
    }
  }

  /// Makes the link, in place of an earlier one. The other guardians are told, because whoever
  /// opens it first has the child's account.
  func save(_: Void, in context: Context) throws -> Redirect {
    var administrator = try Administrator(context)
    let link = try administrator.makeInvitation(for: guardianship.person, on: context)
    try context.record(.childInvited, guardianship)
    try context.tellGuardians(
      of: guardianship.person, that: .childInvited, besides: guardianship.guardian)
    return Redirect(to: GuardianList.path).showing("\(context.portal.origin)\(link)")
      .logging(SecurityEvent(.linkMade, of: guardianship.person, ["purpose": "invitation"]))
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
  fileprivate static func page(_ link: String, _ context: Context) throws -> Page {
    let token = link.split(separator: "/").last.map(String.init)
    // The snapshot of the request is older than the link.
    let about = try context.write { context -> HTML? in
      guard let made = try find(token, context.server.vault, in: context) else { return nil }
      let name = try context.name(ofGuardianshipWith: made.person) ?? ""
      let text =
        made.kind == .request
        ? "guardians.link.request"
        : made.basis == .consent ? "guardians.link.offer" : "guardians.link.parent"
      let scope: HTML? =
        made.basis == .consent ? nil : context.strong(Text("scope.\(made.scope.rawValue)"))
      return """
        <p>\(context.text(Text(text, ["name": name])))</p>\(scope)\(context.rights(by: made))
        """
    }
    return try shown(link, about, "guardians.link.hint", context)
  }

  /// As ``page(_:_:)``, for the link with which a child makes an account.
  @Sendable
  fileprivate static func accountPage(_ link: String, _ context: Context) throws -> Page {
    try shown(link, nil, "guardians.child-account.hint", context)
  }

  private static func shown(
    _ link: String, _ about: HTML?, _ hint: Text, _ context: Context
  ) throws -> Page {
    // For somebody who stands beside the visitor.
    let code = try context.qrCode(of: link, labelled: "desk-password.qr")
    return Page(
      "guardians.link",
      """
      <section class="panel" role="status">\(about)<p>\(context.text(hint))</p>\(code)\
      <p><code class="secret" id="secret" dir="ltr">\(link)</code></p>\
      \(actions: context.copyButton("tokens.copy", of: "secret", copied: "tokens.copied"))\
      </section>\(actions: context.button("guardians.link.done", to: GuardianList.path))
      """,
      back: GuardianList.path, assets: [.copy])
  }
}

extension Guardianship {
  /// True for a scope that the guardian has, whatever was granted, and thus can give to others.
  fileprivate func passesOn(_ scope: GuardianScope, at now: Instant) -> Bool {
    self.scope(at: now).map { scope <= $0 } ?? false
  }

  /// True for a parent with all rights who reads: such a one invites the child to an account.
  func invitesChild(at now: Instant) -> Bool {
    scope == .all && self.scope(at: now).map { $0 >= .read } ?? false
  }
}

extension Context {
  /// Returns the rights that a link gives, below the sentence about whom and for whom; nil for a
  /// request, to which the answer decides.
  func rights(by link: GuardianInvitation) -> HTML? {
    if link.kind == .request { return nil }
    // A parent's rights depend on the age of the child.
    let words =
      link.basis == .consent ? text(Text("scope.\(link.scope.rawValue)")) : parentalAges
    let end = link.endsAt.map(untilDay)
    return "<p class=\"muted\">\(each: [words, end].compactMap(\.self), { "\($0) " })</p>"
  }
}
