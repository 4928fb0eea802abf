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
    let end = invitation.endsAt.map(context.untilDay)
    return """
      <p>\(context.text("guardians.accept.about", ["inviter": inviter, "name": name]))</p>\
      <p class="muted">\(each: [scope, end].compactMap(\.self), { "\($0) " })</p>
      """
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    let (vault, guardian) = (context.server.vault, try context.signedIn().person)
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
    // The end may have been reached since the link was made.
    guard guardianship.scope(at: context.now) != nil, try invitation.use(on: context) else {
      throw OneTimeLink.gone
    }
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
    guard let inviter = try context.name(ofGuardianshipWith: request.inviter) else {
      throw OneTimeLink.gone
    }
    self.inviter = inviter
  }

  var about: HTML? { "<p>\(context.text("guardians.allow.about", ["name": inviter]))</p>" }

  func save(_ draft: AccessDraft, in context: Context) throws -> Redirect {
    let (vault, person) = (context.server.vault, try context.keys.person)
    let guardianship = Guardianship(
      of: request.inviter, givenBy: person, draft.scope, until: try draft.end(context),
      at: context.now)
    guard try request.use(on: context) else { throw OneTimeLink.gone }
    try context.requireRoom(for: request.inviter)
    try guardianship.save(vault, on: context)
    try context.tell(.began, guardianship)
    return Redirect(to: GuardianList.path)
      .logging(SecurityEvent(.guardianBegan, of: [request.inviter, person]))
  }
}
