import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// The page with the state of the second factor and the actions for it.
struct SecondFactorPage: RoutedPage {
  static let address: Address<Void> = "/account/two-factor"
  static let linkTitle: Text? = "two-factor.title"

  private let isSet: Bool
  private let isRequired: Bool
  private let hasPasskey: Bool
  private let codesLeft: Int
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let person = try context.keys.person
    let account = try Account.find(person, on: context)
    codesLeft = try RecoveryCode.left(of: person, on: context)
    guard let account else { throw Refusal.notFound }
    isSet = account.secondFactor != nil
    isRequired = context.server.site.secondFactor.requires(account.roles)
    hasPasskey = try Passkey.hasAny(for: context.server.relyingParty, in: context)
  }

  var page: Page {
    Page("two-factor.title", isSet ? set : unset, back: AccountPage.path)
  }

  private func text(_ text: Text) -> String { context.text(text) }

  private var unset: HTML {
    context.emptyState(
      .shield, hasPasskey ? "two-factor.off.passkey" : "two-factor.off",
      hint: "two-factor.about",
      actions: context.button("two-factor.set-up", to: SetUpSecondFactor.path))
  }

  private var set: HTML {
    let left = Text("two-factor.codes.left", count: codesLeft)
    return """
      \(context.notice(.remark, "two-factor.on", as: .success))\
      <h2>\(text("two-factor.codes"))</h2>\
      <p class="muted">\(text(left))</p>\
      \(actions:
        context.button("two-factor.codes.new", to: NewRecoveryCodes.path, style: .secondary))\
      <h2>\(text("two-factor.remove"))</h2>\(removal)
      """
  }

  private var removal: HTML {
    if isRequired && !hasPasskey {
      return "<p class=\"muted\">\(text("error.second-factor-required"))</p>"
    }
    return """
      <p class="muted">\(text("two-factor.remove.about"))</p>\
      \(actions:
        context.button(
          "two-factor.remove.ask", to: RemoveSecondFactor.path, style: [.danger, .secondary]))
      """
  }

  /// Returns the page with new recovery codes, one a line, which no other page can show.
  static func sheet(_ codes: String, leadingTo next: Path, _ context: Context) -> Page {
    Page(
      "two-factor.codes",
      """
      <section class="panel" role="status"><p>\(context.text("two-factor.codes.keep"))</p>\
      <pre class="secret" id="codes" dir="ltr">\(codes)</pre>\
      \(actions: context.copyButton("tokens.copy", of: "codes", copied: "tokens.copied"))\
      \(context.printAction("two-factor.codes.print", style: .secondary))</section>\
      \(actions: context.button("two-factor.codes.kept", to: next))
      """,
      assets: [.copy, .print])
  }

  static func sheet(_ codes: String, _ context: Context) -> Page {
    sheet(codes, leadingTo: path, context)
  }
}

/// The password and a code of the second factor, for a change of it.
struct SecondFactorProof: Sendable {
  var currentPassword = CurrentPassword()
  var code = ""

  static let form = Form<SecondFactorProof>(
    SecondFactorProof(), .part(\.currentPassword, CurrentPassword.form), codeField(\.code))

  /// The field for a code of the authenticator app or a recovery code.
  static func codeField<Draft>(
    _ path: WritableKeyPath<Draft, String> & Sendable
  ) -> Field<Draft> {
    .text(
      path, "code", required: true, limit: 64, autocomplete: "one-time-code",
      hint: "field.code.any.hint")
  }
}

/// The form for new recovery codes in place of the earlier ones.
struct NewRecoveryCodes: RoutedForm {
  static let address: Address<Void> = "/account/two-factor/codes"
  static let title: Text = "two-factor.codes"
  static let form = SecondFactorProof.form
  static let submit: Text = "two-factor.codes.submit"
  static let cancel = SecondFactorPage.path
  static let preparesOnce = true
  static var route: Route { Route(Self.self).showingSecret(on: SecondFactorPage.sheet) }

  private let context: Context

  init(_ context: Context) { self.context = context }

  var about: HTML? {
    get throws {
      guard try context.hasSecondFactor else { throw Refusal.notFound }
      return "<p>\(context.text("two-factor.codes.about"))</p>"
    }
  }

  func prepare(_ proof: inout SecondFactorProof, in context: Context) throws {
    guard try context.hasSecondFactor else { throw Refusal.notFound }
    try proof.currentPassword.prove(in: context)
    try CodeAttempt(context: context).require(proof.code, of: context.keys.person)
  }

  func save(_ proof: SecondFactorProof, in context: Context) throws -> Redirect {
    let (server, person) = (context.server, try context.keys.person)
    try proof.currentPassword.requireStill(of: person, on: context)
    // The factor may have been removed since the code was checked.
    guard try context.hasSecondFactor else { throw Refusal.notFound }
    let codes = try RecoveryCode.renew(for: person, server.vault, on: context)
    try server.accountNotices.tell(person, .recoveryCodesMade, in: context)
    return Redirect(to: SecondFactorPage.path).showing(codes.lines)
      .logging(SecurityEvent(.recoveryCodesMade, of: person))
  }
}

/// The form that removes the second factor.
struct RemoveSecondFactor: RoutedForm {
  static let address: Address<Void> = "/account/two-factor/remove"
  static let title: Text = "two-factor.remove"
  static let form = SecondFactorProof.form
  static let submit: Text = "two-factor.remove.submit"
  static let cancel = SecondFactorPage.path
  static let preparesOnce = true

  private let context: Context

  init(_ context: Context) { self.context = context }

  var about: HTML? {
    get throws {
      guard try context.hasSecondFactor else { throw Refusal.notFound }
      try requireRemovable(roles: try context.signedIn().roles, in: context)
      return "<p>\(context.text("two-factor.remove.about"))</p>"
    }
  }

  /// Throws ``Refusal/invalid(_:_:)`` if the password is too short for an account without a second
  /// factor.
  func prepare(_ proof: inout SecondFactorProof, in context: Context) throws {
    guard try context.hasSecondFactor else { throw Refusal.notFound }
    try proof.currentPassword.prove(in: context)
    guard PasswordPolicy.length(of: proof.currentPassword.typed) >= PasswordPolicy.shortest else {
      throw Refusal.invalid(
        "current_password",
        Text("error.second-factor-short", ["shortest": String(PasswordPolicy.shortest)]))
    }
    try CodeAttempt(context: context).require(proof.code, of: context.keys.person)
  }

  func save(_ proof: SecondFactorProof, in context: Context) throws -> Redirect {
    let person = try context.keys.person
    try proof.currentPassword.requireStill(of: person, on: context)
    let roles = try Account.find(person, on: context)?.roles ?? []
    try requireRemovable(roles: roles, in: context)
    let factor = SecondFactor(vault: context.server.vault)
    if try Passkey.hasAny(for: context.server.relyingParty, in: context) {
      try factor.removeApp(of: person, on: context)
    } else {
      try factor.remove(of: person, on: context)
    }
    try context.server.accountNotices.tell(person, .secondFactorRemoved, in: context)
    return Redirect(to: SecondFactorPage.path)
      .logging(SecurityEvent(.secondFactorRemoved, of: person))
  }

  /// Throws ``Refusal/conflict(_:)`` if an account with these roles needs a second factor and has no
  /// passkey.
  private func requireRemovable(roles: Set<Role>, in context: Context) throws {
    let server = context.server
    if server.site.secondFactor.requires(roles),
      try !Passkey.hasAny(for: server.relyingParty, in: context)
    {
      throw Refusal.conflict("error.second-factor-required")
    }
  }
}

extension [RecoveryCode] {
  /// The codes, one a line.
  var lines: String { map(\.text).joined(separator: "\n") }
}

extension Context {
  /// True if the visitor's account has an app for codes.
  var hasSecondFactor: Bool {
    get throws {
      try Account.find(keys.person, on: self)?.secondFactor != nil
    }
  }
}
