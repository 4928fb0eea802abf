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
    let open = Path("/for/\(invitation.person)/")
    return .page(
      Page(
        Self.title,
        """
        <p>\(context.text("guardians.accept.already", ["name": name]))</p>\
        \(actions: context.button("guardians.open", to: open))
        """,
        back: GuardianList.path),
      status: 409)
  }

  var about: HTML? {
    let isOwn = invitation.inviter == invitation.person
    let about = Text(
      isOwn ? "guardians.accept.about.own" : "guardians.accept.about",
      ["inviter": inviter, "name": name])
    return "<p>\(context.text(about))</p>\(context.rights(by: invitation))"
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
      // With the ages as they are now. Another guardian who invites must still be one.
      let isProved = invitation.kind == .proved
      let theirs = try Guardianship.find(
        of: invitation.inviter, for: invitation.person, vault, on: context)
      guard isProved || theirs?.scope(at: context.now) != nil,
        let keys = try KeyStore(vault).unloggedKeys(of: invitation.person, on: context),
        let born = try Profile.find(by: keys, on: context)?.birthDate
      else { throw GuardianInvitation.gone }
      guardianship = Guardianship(
        of: guardian, forChild: invitation.person, born: born, context.server.site.guardianship,
        in: context.formats.timeZone, because: isProved ? .proved : .accepted,
        at: context.now)
    }
    // The end may have been reached since the link was made.
    guard guardianship.scope(at: context.now) != nil,
      try invitation.use(by: guardian, vault, in: context)
    else { throw GuardianInvitation.gone }
    try context.requireRoom(for: guardian)
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
    return Redirect(to: GuardianList.path)
      .logging(SecurityEvent(.guardianBegan, of: [request.inviter, person]))
  }
}
