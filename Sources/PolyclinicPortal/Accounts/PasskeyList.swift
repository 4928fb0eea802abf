import PolyclinicCore
import PolyclinicSystem
import PolyclinicWeb

/// The page with the person's passkeys.
struct PasskeyList: RoutedPage {
  static let address: Address<Void> = "/account/passkeys"
  static let dismissing: Address<Void> = "/account/passkeys/dismiss"

  private let passkeys: [Passkey]
  private let handle: [UInt8]?
  private let party: RelyingParty?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    party = context.server.relyingParty
    passkeys = try Passkey.all(in: context)
    handle = try Passkey.handle(in: context)
  }

  var page: Page {
    let canAdd = party != nil && passkeys.count < Passkey.most
    let add: HTML? = canAdd ? context.button("passkeys.new", to: AddPasskey.path) : nil
    let unable: HTML? =
      party == nil ? context.notice(.remark, "passkeys.no-host") : nil
    let list: HTML =
      passkeys.isEmpty
      ? context.emptyState(.key, "passkeys.none", hint: "passkeys.about", actions: add)
      : "<p class=\"lead\">\(context.text("passkeys.about"))</p>\(rows: passkeys, row)"
    return Page(
      "passkeys.title", "\(unable)\(list)\(remembered)", back: AccountPage.path,
      actions: passkeys.isEmpty ? nil : add, assets: [.passkeys])
  }

  private func row(_ passkey: Passkey) -> HTML {
    let isOfOther = passkey.host != party?.host
    let other: HTML? = isOfOther ? " \(context.badge("passkeys.other-host", .off))" : nil
    let made = context.formats.date(context.formats.day(of: passkey.createdAt))
    let facts = [
      context.text("passkeys.made-on", ["date": made]),
      passkey.usedAt.map { context.text("passkeys.used", ["time": context.formats.dateTime($0)]) }
        ?? context.text("passkeys.unused"),
    ]
    let name = passkey.content.name
    return .row(
      content: """
        <strong><bdi>\(name)</bdi></strong>\(other)\
        \(each: facts, { "<span class=\"secondary-text\">\($0)</span>" })
        """,
      actions: context.button(
        "passkeys.rename", to: RenamePasskey.path(passkey.id), style: [.secondary, .small],
        of: name),
      context.button(
        "passkeys.remove", to: RemovePasskey.path(passkey.id), style: [.plain, .danger, .small],
        of: name))
  }

  /// The list for the script, which tells the browser to offer no others (WebAuthn Level 3,
  /// 5.1.10.3); nil if there is nothing to tell.
  private var remembered: HTML? {
    guard let party, let handle else { return nil }
    let ids = passkeys.filter { $0.host == party.host }.map {
      JSON.string(Base64.url.text($0.content.credentialID))
    }
    let list: JSON = [
      "rpId": .string(party.host), "userId": .string(Base64.url.text(handle)),
      "allAcceptedCredentialIds": .array(ids),
    ]
    return "<div data-passkeys=\"\(utf8: list.encoded[...])\" hidden></div>"
  }
}

/// The offer of a passkey on the home page, after a sign-in without one.
extension PasskeyList {
  /// Nil in the session of the registration, for a person with a passkey, and once the person has
  /// dismissed it.
  static func offer(_ context: Context) -> HTML? {
    guard context.server.relyingParty != nil, context.session?.isOfferedPasskey == true else {
      return nil
    }
    return """
      <p>\(context.text("passkeys.about.short"))</p>\
      \(actions:
        context.button("passkeys.new", to: AddPasskey.path, style: [.secondary, .small]),
        context.button("passkeys.offer.close", posts: dismissing.path, style: [.plain, .small]))
      """
  }

  /// Closes the offer for good.
  static func dismiss(_ context: Context) throws -> Path {
    try Passkey.closeOffer(to: context.keys.person, on: context)
    return "/"
  }
}

/// The form for another name of a passkey.
struct RenamePasskey: RoutedForm {
  static let address: Address<ID<Passkey>> = "/account/passkeys/{id}/name"
  static let title: Text = "passkeys.rename.title"
  static let cancel = PasskeyList.path
  static let form = Form(
    Draft(),
    .text(
      \.name, "name", required: true, limit: 100, autocomplete: "off", hint: "passkeys.name.hint"
    )
    .labelled("passkeys.name"))

  struct Draft: Sendable {
    var name = ""
  }

  private let passkey: Passkey

  init(_ context: Context) throws { passkey = try .requested(in: context, Self.address) }

  var start: Draft { Draft(name: passkey.content.name) }

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    let person = try context.keys.person
    try passkey.rename(to: draft.name, context.server.vault, in: context)
    try context.server.accountNotices.tell(person, .passkeyRenamed, in: context)
    return Redirect(to: PasskeyList.path).logging(SecurityEvent(.passkeyRenamed, of: person))
  }
}

/// The question before a passkey is removed. It asks for the password if no second factor would be
/// left, and in a session that has not just begun.
struct RemovePasskey: RoutedForm {
  static let address: Address<ID<Passkey>> = "/account/passkeys/{id}/remove"
  static let title: Text = "passkeys.remove.title"
  static let submit: Text = "passkeys.remove"
  static let form = Form(CurrentPassword())
  static let cancel = PasskeyList.path
  static let isQuestion = true
  static let preparesOnce = true
  static var route: Route {
    Route(
      address.pattern, access: access,
      answer: .form(
        VariedForm(
          Self.self, adding: [.part(\.self, CurrentPassword.form)], named: "current_password"
        ) { try RemovePasskey($0).needsPassword }))
  }

  private let passkey: Passkey
  /// True if the account has neither an app nor another passkey.
  private let isLast: Bool
  private let needsPassword: Bool
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let passkey = try Passkey.requested(in: context, Self.address)
    self.passkey = passkey
    isLast =
      try passkey.host == context.server.relyingParty?.host && !context.hasSecondFactor
      && !Passkey.hasAny(for: context.server.relyingParty, except: passkey.id, in: context)
    needsPassword = try isLast || !context.hasFreshSession
  }

  var about: HTML? {
    get throws {
      try requireRemovable()
      let last: HTML? = isLast ? "<p>\(context.text("passkeys.remove.last"))</p>" : nil
      return """
        <p>\(context.text("passkeys.remove.question", ["name": passkey.content.name]))</p>\(last)
        """
    }
  }

  func prepare(_ currentPassword: inout CurrentPassword, in context: Context) throws {
    if needsPassword { try currentPassword.prove(in: context) }
  }

  func save(_ currentPassword: CurrentPassword, in context: Context) throws -> Redirect {
    let (server, person) = (context.server, try context.keys.person)
    if needsPassword { try currentPassword.requireStill(of: person, on: context) }
    if isLast {
      try requireRemovable()
      // Trust and codes belong to a second factor.
      try SecondFactor(vault: server.vault).remove(of: person, on: context)
    }
    guard try Passkey.remove(passkey.id, of: person, on: context) else { throw Refusal.notFound }
    try server.accountNotices.tell(person, .passkeyRemoved, in: context)
    return Redirect(to: PasskeyList.path).saying("passkeys.removed")
      .logging(SecurityEvent(.passkeyRemoved, of: person))
  }

  /// Throws ``Refusal/conflict(_:)`` for the last second factor of an account that needs one.
  private func requireRemovable() throws {
    guard isLast, let account = try Account.find(context.keys.person, on: context),
      context.server.site.secondFactor.requires(account.roles)
    else { return }
    throw Refusal.conflict("passkeys.error.required")
  }
}

extension Passkey {
  /// Returns the passkey that the path names; throws ``Refusal/notFound`` if the person has no such
  /// passkey.
  fileprivate static func requested(
    in context: Context, _ address: Address<ID<Passkey>>
  ) throws -> Passkey {
    guard let passkey = try find(address.value(in: context), in: context) else {
      throw Refusal.notFound
    }
    return passkey
  }
}
