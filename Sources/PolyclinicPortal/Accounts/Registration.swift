import PolyclinicCore
import PolyclinicWeb

/// The registration form.
struct Registration: RoutedForm {
  static let address: Address<Void> = "/register"
  static let access = Access.everyone
  static let title: Text = "register.title"
  static let form = Form(
    Draft(), .section("profile.section.person", .part(\.profile, Profile.identity)))
  static let submit: Text = "register.submit"
  static let cancel: Path = "/"
  static let preparesOnce = true

  /// The route of the form, whose fields depend on the configuration.
  static func route(_ accounts: AccountsModule) -> Route {
    Route(
      Self.self, fields: fields(accounts.parts, accounts.address, needing: accounts.neededFields))
  }

  /// Returns the fields. They ask only what an account needs, and the `needed` fields that modules
  /// add as `parts`; the profile asks the rest later. Programs may send all fields of the profile.
  static func fields(
    _ parts: [OwnedProfilePart], _ address: AskingRule, needing needed: Set<String>
  ) -> Form<Draft> {
    let addressField: Field<Draft> = .part(\.profile, Profile.addressForm(address))
    return form.adding([
      address == .required ? addressField : addressField.unasked,
      .group(nil, parts.map { $0.field(at: \.answers).needing(needed).unasked }, []),
      .section(
        "profile.section.sign-in", .part(\.profile, Profile.proposedLoginForm),
        .part(\.password, NewPassword.form)),
      .check(\.consent, "consent", required: true, link: PrivacyPage.path),
      Field.part(\.profile, Profile.details).unasked,
      Field.choice(\.role, "role").unasked,
      Field.text(\.next, "next", limit: 2_000).unasked,
    ])
  }

  struct Draft: Sendable {
    var profile = Profile()
    var answers = ProfileAnswers()
    var password = NewPassword()
    var role = WantedRole.patient
    var consent = false
    /// The page to open after registration; empty for the welcome.
    var next = ""
  }

  /// The role to register for. A doctor waits for approval.
  enum WantedRole: String, CaseIterable, Sendable {
    case patient
    case doctor
  }

  /// Returns the page on which a visitor began to register: the page to open afterwards, or sign-in
  /// where that page needs it.
  static func origin(_ context: Context) -> Path? {
    Path(local: Draft(chosenIn: context).next).map { next in
      context.server.installation.isOpen(next)
        ? next : SignInPage.address.path.query(["next": next.description])
    }
  }

  let start: Draft
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    start = try Draft(chosenIn: context).askingAddress(context)
  }

  /// The task that the visitor has begun, and links to sign in instead and to register in the other
  /// role. They keep the page to open afterwards.
  var about: HTML? {
    get throws { "\(try context.begunTask(on: start.next))\(otherWays)" }
  }

  private var otherWays: HTML {
    let rest = start.next.isEmpty ? Fields() : Fields(["next": start.next])
    var role = Fields(["role": "doctor"])
    for pair in rest.pairs { role.append(pair.name, pair.value) }
    let other: HTML =
      switch start.role {
      case .patient:
        """
        \(context.text("register.doctor")) \
        <a href="\(Self.path.query(role))">\(context.text("register.doctor.link"))</a>
        """
      case .doctor:
        """
        \(context.text("register.as-doctor")) \
        <a href="\(Self.path.query(rest))">\(context.text("register.patient.link"))</a>
        """
      }
    let signIn = SignInPage.address.path.query(rest)
    return """
      <p>\(context.text("register.known")) \
      <a href="\(signIn)">\(context.text("frame.sign-in"))</a></p><p>\(other)</p>
      """
  }

  func prepare(_ draft: inout Draft, in context: Context) throws { try draft.prepare(in: context) }

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    let server = context.server
    let wanted: Role? = draft.role == .doctor ? .doctor : nil
    let keys = try draft.enroll([.patient], wanted: wanted, in: context)
    if let wanted {
      try server.accountNotices.tellAdministrators(
        that: keys.person, waitsFor: wanted, in: context)
    }
    let next = Path(local: draft.next)
    let work = context.with(keys)
    let confirmation = try next.flatMap { try sendConfirmation(next: $0, context.server, in: work) }
    let events = [SecurityEvent(.registered, of: keys.person), confirmation].compactMap(\.self)
    let redirect = try server.signIn(
      from: context.request.client, leadingTo: next ?? RegistrationWelcome.path, in: work)
    return events.reduce(redirect) { $0.logging($1) }
  }

  /// Sends the link that confirms the e-mail address and leads back to the page for which the
  /// person has registered. That page comes in place of the welcome, which leads to the settings.
  /// Returns nil without a link, and if too many were sent to the address.
  private func sendConfirmation(
    next: Path, _ server: ServerContext, in work: Work
  ) throws -> SecurityEvent? {
    do { return try AddressConfirmation.send(next: next, server, in: work) } catch Refusal.tooMany {
      return nil
    }
  }
}

/// The registration form behind a setup link, for the first administrator.
struct AdministratorSetUp: RoutedForm {
  static let address: Address<String> = "/setup/{token}"
  static let access = Access.everyone
  static let title: Text = "setup.title"
  static let form = Registration.form
  static let submit = Registration.submit
  static let cancel = Registration.cancel
  static let preparesOnce = true

  /// The route of the form, with the fields of a registration.
  static func route(_ accounts: AccountsModule) -> Route {
    Route(
      Self.self,
      fields: Registration.fields(
        accounts.parts, accounts.address, needing: accounts.neededFields))
  }

  private let token: String
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    token = try Self.address.value(in: context)
  }

  /// Throws ``OneTimeLink/setupGone`` if the link is no longer valid.
  var start: Registration.Draft {
    get throws {
      let isValid = try OneTimeLink.isSetup(token, context.server.vault, in: context)
      if !isValid { throw OneTimeLink.setupGone }
      return try Registration.Draft().askingAddress(context)
    }
  }

  func prepare(_ draft: inout Registration.Draft, in context: Context) throws {
    try draft.prepare(in: context)
  }

  /// Registers the first administrator, with a setup link. Throws ``OneTimeLink/setupGone`` if the
  /// link is no longer valid.
  func save(_ draft: Registration.Draft, in context: Context) throws -> Redirect {
    let server = context.server
    guard try OneTimeLink.useSetup(token, server.vault, in: context) else {
      throw OneTimeLink.setupGone
    }
    let keys = try draft.enroll([.patient, .administrator], wanted: nil, in: context)
    var administrator = Administrator(
      vault: server.vault, author: .person(keys.person), now: context.now)
    try administrator.record(.add, keys.person, .administrator, on: context)
    return try server.signIn(
      from: context.request.client, leadingTo: "/admin", in: context.with(keys)
    ).logging(
      SecurityEvent(.linkUsed, ["purpose": "setup"]), SecurityEvent(.registered, of: keys.person))
  }
}

extension Context {
  /// Returns the notice of the task that the visitor goes on with on the page `next` after signing in
  /// or registering, such as a booking; nil for any other page. It names nobody in care.
  func begunTask(on next: String) throws -> HTML? {
    guard let page = Path(local: next) else { return nil }
    let text =
      try AcceptGuardianship.begun(on: page)
      ?? portal.find((any Portal.BegunTasks).self)?.summary(of: page, for: portal, in: self)
    return text.map { "<div class=\"aside\">\(notice(.remark, $0))</div>" }
  }
}

extension Registration.Draft {
  /// The choices of the form, or of the link to it: the role, and the page to open afterwards.
  fileprivate init(chosenIn context: Context) {
    let request = context.request
    let sent = request.sentFields
    role = Registration.WantedRole(rawValue: sent["role"]) ?? .patient
    next = Path(local: sent["next"])?.description ?? ""
  }

  /// Returns this draft with the clinic's country if the form asks for the address.
  fileprivate func askingAddress(_ context: Context) throws -> Self {
    var draft = self
    if try context.accounts.address == .required {
      draft.profile.country = context.portal.clinic.country
    }
    return draft
  }

  /// Checks and hashes the password before the transaction.
  fileprivate mutating func prepare(in context: Context) throws {
    try profile.requirePastBirth(on: context.today)
    if profile.login.isEmpty { profile.login = try profile.proposedLogin() }
    password.passwordHash = try context.server.hashed(
      password.password, personal: profile.personalWords)
  }

  /// Creates the account and returns its keys.
  fileprivate func enroll(
    _ roles: Set<Role>, wanted: Role?, in context: Context
  ) throws -> Keys {
    let new = Account.New(
      profile: profile, passwordHash: password.passwordHash, roles: roles, wantedRole: wanted,
      language: context.language, consentVersion: PrivacyPage.version)
    let keys = try Account.insert(new, context.server.vault, in: context)
    for part in try context.accounts.parts { try part.save(answers, in: context.with(keys)) }
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
    steps = FirstSteps(for: .signedIn, context)
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
