import PolyclinicCore
import PolyclinicWeb

/// The registration form.
struct Registration: Sendable {
  static let address: Address<Void> = "/register"
  static let setUp: Address<String> = "/setup/{token}"

  var profile = Profile()
  var answers = ProfileAnswers()
  var password = NewPassword()
  var role = WantedRole.patient
  var consent = false
  /// The page to open after registration; empty for the welcome.
  var next = ""

  /// The role to register for. A doctor waits for approval.
  enum WantedRole: String, CaseIterable, Sendable {
    case patient
    case doctor
  }

  /// The routes of the form: for everyone, and with a setup link for the first administrator.
  static func routes(_ accounts: AccountsModule) -> [Route] {
    let (parts, rule) = (accounts.parts, accounts.address)
    let form = form(parts, rule, needing: accounts.neededFields)
    return [
      .form(
        address.pattern, form, title: "register.title", cancel: "/", access: .everyone,
        submit: "register.submit", origin: origin,
        start: { Registration(chosenIn: $0).asking(rule, $0) }, about: about,
        prepare: { try $0.prepare(in: $1) }, save: { try $0.register(parts, in: $1) }),
      .form(
        setUp.pattern, form, title: "setup.title", cancel: "/", access: .everyone,
        submit: "register.submit",
        start: {
          try requireSetUpLink($0)
          return Registration().asking(rule, $0)
        },
        prepare: { try $0.prepare(in: $1) }, save: { try $0.setUp(parts, in: $1) }),
    ]
  }

  /// Returns the form. It asks only what an account needs, and the `needed` fields that modules add
  /// as `parts`; the profile asks the rest later. Programs may send all fields of the profile.
  static func form(
    _ parts: [OwnedProfilePart], _ address: AskingRule, needing needed: Set<String>
  ) -> Form<Registration> {
    let addressField: Field<Registration> = .part(\.profile, Profile.addressForm(address))
    return Form<Registration>(
      Registration(),
      .section("profile.section.person", .part(\.profile, Profile.identity)),
      address == .required ? addressField : addressField.unasked,
      .group(nil, parts.map { $0.field(at: \.answers).needing(needed).unasked }, []),
      .section(
        "profile.section.sign-in", .part(\.profile, Profile.loginForm),
        .part(\.password, NewPassword.form)),
      .check(\.consent, "consent", required: true, link: PrivacyPage.path),
      Field.part(\.profile, Profile.details).unasked,
      Field.choice(\.role, "role").unasked,
      Field.text(\.next, "next", limit: 2_000).unasked
    )
  }
}

extension Registration {
  /// The choices of the form, or of the link to it: the role, and the page to open afterwards.
  private init(chosenIn context: Context) {
    let request = context.request
    let sent = request.method == .get ? request.query : request.fields
    role = WantedRole(rawValue: sent["role"]) ?? .patient
    next = Path(local: sent["next"])?.description ?? ""
  }

  /// Returns this registration with the clinic's country if the form asks for the address.
  private func asking(_ address: AskingRule, _ context: Context) -> Registration {
    var registration = self
    if address == .required { registration.profile.country = context.portal.clinic.country }
    return registration
  }

  /// Returns the page on which a visitor began to register: the page to open afterwards, or sign-in
  /// where that page needs it.
  private static func origin(_ context: Context) -> Path? {
    Path(local: Registration(chosenIn: context).next).map { next in
      context.server.installation.isOpen(next)
        ? next : SignInPage.address.path.query(["next": next.description])
    }
  }

  /// Links to sign in instead, and to register in the other role. They keep the page to open
  /// afterwards.
  private static func about(_ context: Context) -> HTML? {
    let chosen = Registration(chosenIn: context)
    let rest = chosen.next.isEmpty ? Fields() : Fields(["next": chosen.next])
    var role = Fields(["role": "doctor"])
    for pair in rest.pairs { role.append(pair.name, pair.value) }
    let other: HTML =
      switch chosen.role {
      case .patient:
        """
        \(context.text("register.doctor")) \
        <a href="\(address.path.query(role))">\(context.text("register.doctor.link"))</a>
        """
      case .doctor:
        """
        \(context.text("register.as-doctor")) \
        <a href="\(address.path.query(rest))">\(context.text("register.patient.link"))</a>
        """
      }
    let signIn = SignInPage.address.path.query(rest)
    return """
      <p>\(context.text("register.known")) \
      <a href="\(signIn)">\(context.text("frame.sign-in"))</a></p><p>\(other)</p>
      """
  }

  /// Checks and hashes the password before the transaction.
  private mutating func prepare(in context: Context) throws {
    try profile.requirePastBirth(on: context.today)
    password.passwordHash = try context.server.hashed(
      password.password, personal: profile.personalWords)
  }

  private func register(_ parts: [OwnedProfilePart], in context: Context) throws -> Redirect {
    let server = context.server
    let wanted: Role? = role == .doctor ? .doctor : nil
    let keys = try enroll([.patient], wanted: wanted, parts, in: context)
    if let wanted {
      try server.accountNotices.tellAdministrators(
        that: keys.person, waitsFor: wanted, at: context.now, on: context)
    }
    let next = Path(local: next)
    let confirmation = try next.flatMap { try sendConfirmation(to: keys, next: $0, context) }
    let events = [SecurityEvent(.registered, of: keys.person), confirmation].compactMap(\.self)
    let redirect = try server.signIn(
      keys, leadingTo: next ?? RegistrationWelcome.path, for: context, on: context)
    return events.reduce(redirect) { $0.logging($1) }
  }

  /// Sends the link that confirms the e-mail address and leads back to the page for which the
  /// person has registered. That page comes in place of the welcome, which leads to the settings.
  /// Returns nil without a link, and if too many were sent to the address.
  private func sendConfirmation(
    to keys: Keys, next: Path, _ context: Context
  ) throws -> SecurityEvent? {
    do {
      return try AddressConfirmation.send(
        to: keys, next: next, context.server, at: context.now, on: context)
    } catch Refusal.tooMany { return nil }
  }

  /// Throws ``OneTimeLink/setupGone`` if the link is no longer valid.
  private static func requireSetUpLink(_ context: Context) throws {
    let isValid = try OneTimeLink.isSetup(
      context.request.parameters["token"], at: context.now, context.server.vault, on: context)
    if !isValid { throw OneTimeLink.setupGone }
  }

  /// Registers the first administrator, with a setup link. Throws ``OneTimeLink/setupGone`` if the
  /// link is no longer valid.
  private func setUp(_ parts: [OwnedProfilePart], in context: Context) throws -> Redirect {
    let server = context.server
    let token = context.request.parameters["token"]
    guard try OneTimeLink.useSetup(token, at: context.now, server.vault, on: context) else {
      throw OneTimeLink.setupGone
    }
    let keys = try enroll([.patient, .administrator], wanted: nil, parts, in: context)
    var administrator = Administrator(
      vault: server.vault, author: .person(keys.person), now: context.now)
    try administrator.record(.add, keys.person, .administrator, on: context)
    return try server.signIn(keys, leadingTo: "/admin", for: context, on: context)
      .logging(
        SecurityEvent(.linkUsed, ["purpose": "setup"]), SecurityEvent(.registered, of: keys.person))
  }

  /// Creates the account and returns its keys.
  private func enroll(
    _ roles: Set<Role>, wanted: Role?, _ parts: [OwnedProfilePart], in context: Context
  ) throws -> Keys {
    let new = Account.New(
      profile: profile, passwordHash: password.passwordHash, roles: roles, wantedRole: wanted,
      language: context.language, consentVersion: PrivacyPage.version)
    let keys = try Account.insert(new, at: context.now, context.server.vault, on: context)
    for part in parts { try part.save(answers, in: context.with(keys)) }
    return keys
  }
}

/// The page after registration, with the first steps of a new person.
struct RegistrationWelcome: RoutedPage {
  static let address: Address<Void> = "/account/welcome"

  private let profile: Profile
  private let steps: FirstSteps
  private let waiting: HTML?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    profile = try Profile.own(in: context)
    steps = FirstSteps(for: .signedIn, context, context.server)
    waiting = try AccountPage.approval(context).map { HTML.notice(.remark, $0) }
  }

  var page: Page {
    Page(
      "first-steps.title",
      """
      <h1>\(context.text("register.welcome", ["name": profile.name]))</h1>\
      \(context.notice(.outcome, "register.welcome.ready"))\(waiting)\
      \(context.browserNoticesInvitation())<h2>\(context.text("first-steps.title"))</h2>\(steps.list(context))\
      \(actions: context.button("error.home", to: "/"))
      """, assets: [.browserNotices], hasOwnHeading: true)
  }
}
