import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// The question whether somebody who was invited acts for a person from now on.
struct AcceptGuardianship: RoutedForm {
  static let address: Address<String> = "/account/people/accept/{token}"
  static let title: Text = "guardians.accept"
  static let submit: Text = "guardians.accept.yes"
  static let cancel = GuardianList.path

  private let invitation: GuardianInvitation
  private let name: String
  private let inviter: String
  /// True if the visitor acts for the person already.
  private let isGuardian: Bool
  private let context: Context

  /// Finds the invitation. Throws ``GuardianInvitation/gone`` if it is no longer valid, and
  /// ``Refusal/conflict(_:)`` if the visitor cannot accept it.
  init(_ context: Context) throws {
    self.context = context
    invitation = try context.invitation([.offer, .proved], Self.address.value(in: context))
    let present = try Guardianship.find(
      of: context.signedIn().person, for: invitation.person, context.server.vault, on: context)
    isGuardian = present?.scope(at: context.now) != nil
    guard isGuardian || invitation.usedBy == nil,
      let name = try context.name(ofGuardianshipWith: invitation.person),
      let inviter = try context.name(ofGuardianshipWith: invitation.inviter)
    else { throw GuardianInvitation.gone }
    // The receptionist who has made the link acts for the clinic.
    self.inviter = invitation.kind == .proved ? context.portal.clinic.name : inviter
    self.name = name
  }

  /// The way to the pages of a person for whom the visitor acts already.
  var before: Response? {
    guard isGuardian else { return nil }
    let open = context.button("guardians.open", to: Path("/for/\(invitation.person)/"))
    return context.refusing(
      Self.title, because: Text("guardians.accept.already", ["name": name]), open)
  }

  var about: HTML? {
    get throws {
      let isOwn = invitation.inviter == invitation.person
      let about = Text(
        isOwn ? "guardians.accept.about.own" : "guardians.accept.about",
        ["inviter": inviter, "name": name])
      let scope: HTML? = try parental(in: context)?.scope(at: context.now).map {
        context.strong(Text("scope.\($0.rawValue)"))
      }
      return "<p>\(context.text(about))</p>\(scope)\(context.rights(by: invitation))"
    }
  }

  /// Returns the right of a parent that the invitation gives, with the ages as they are now, and no
  /// more than its maker has; nil for an adult's grant, for a person without a birth date, and if
  /// the maker acts for the child no more.
  private func parental(in context: Context) throws -> Guardianship? {
    guard invitation.basis == .parentalResponsibility,
      let born = try context.birthDate(ofGuardianshipWith: invitation.person)
    else { return nil }
    let parental = Guardianship(
      of: try context.signedIn().person, forChild: invitation.person, born: born,
      context.server.site.guardianship, in: context.formats.timeZone,
      because: invitation.kind == .proved ? .proved : .accepted, at: context.now)
    if invitation.kind == .proved { return parental }
    let theirs = try Guardianship.find(
      of: invitation.inviter, for: invitation.person, context.server.vault, on: context)
    guard let theirs, theirs.scope(at: context.now) != nil else { return nil }
    return parental.given(min(invitation.scope, theirs.scope), by: invitation.inviter)
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    let (vault, guardian) = (context.server.vault, try context.signedIn().person)
    if isGuardian { throw Refusal.conflict("guardians.error.already") }
    let guardianship: Guardianship
    switch invitation.basis {
    case .consent:
      guardianship = Guardianship(
        of: guardian, givenBy: invitation.person, invitation.scope, until: invitation.endsAt,
        at: context.now)
    case .parentalResponsibility:
      guard let parental = try parental(in: context) else { throw GuardianInvitation.gone }
      guardianship = parental
    }
    // The end may have been reached since the link was made.
    guard guardianship.scope(at: context.now) != nil,
      try invitation.use(by: guardian, vault, in: context)
    else { throw GuardianInvitation.gone }
    try context.requireRoom(for: guardian)
    try guardianship.save(vault, on: context)
    try context.tell(.began, guardianship)
    return Redirect(to: GuardianList.path).saying("guardians.said.accepted")
      .logging(SecurityEvent(.guardianBegan, of: [guardian, invitation.person]))
  }
}

extension AcceptGuardianship {
  /// Returns the sentence about the invitation that a visitor reads on a page after signing in; nil
  /// for any other page. It tells nothing about the people, because whoever has the link reads it.
  static func begun(on page: Path) -> Text? {
    func leads(to address: Address<String>) -> Bool {
      page.description.hasPrefix(address.pattern.description.prefix { $0 != "{" })
    }
    if leads(to: address) { return "guardians.begun.accept" }
    return leads(to: AllowGuardian.address) ? "guardians.begun.allow" : nil
  }
}

/// The form with which an adult who was asked lets somebody act for them.
struct AllowGuardian: RoutedForm {
  static let address: Address<String> = "/account/people/allow/{token}"
  static let title: Text = "guardians.allow"
  static let submit: Text = "guardians.allow.yes"
  static let cancel = GuardianList.path
  static let form = AccessDraft.form

  private let request: GuardianInvitation
  private let inviter: String
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    request = try context.invitation([.request], Self.address.value(in: context))
    guard request.usedBy == nil,
      let inviter = try context.name(ofGuardianshipWith: request.inviter)
    else { throw GuardianInvitation.gone }
    self.inviter = inviter
  }

  var about: HTML? { "<p>\(context.text("guardians.allow.about", ["name": inviter]))</p>" }

  func save(_ draft: AccessDraft, in context: Context) throws -> Redirect {
    let (vault, person) = (context.server.vault, try context.keys.person)
    let guardianship = Guardianship(
      of: request.inviter, givenBy: person, draft.scope, until: try draft.end(context),
      at: context.now)
    guard try request.use(by: person, vault, in: context) else { throw GuardianInvitation.gone }
    try context.requireRoom(for: request.inviter)
    try guardianship.save(vault, on: context)
    try context.tell(.began, guardianship)
    return Redirect(to: GuardianList.path).saying("guardians.said.allowed")
      .logging(SecurityEvent(.guardianBegan, of: [request.inviter, person]))
  }
}
