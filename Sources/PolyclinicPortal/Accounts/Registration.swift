import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// The registration form.
package struct Registration: Sendable {
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
      .check(\.consent, "consent", required: true, link: "/privacy"),
      Field.part(\.profile, Profile.details).unasked,
      Field.choice(\.role, "role").unasked,
      Field.text(\.next, "next", limit: 2_000).unasked
    )
  }
}

extension AccountsModule {
  /// Checks and hashes the password before the transaction.
  package func prepare(_ registration: inout Registration, _ context: Context) throws {
    try requirePast(registration.profile.birthDate, context)
    let server = self.server()
    registration.password.passwordHash = try server.hashed(
      registration.password.password, personal: registration.profile.personalWords)
  }

  package func register(
    _ registration: Registration, _ context: Context
  ) throws -> Redirect {
    let wanted: Role? = registration.role == .doctor ? .doctor : nil
    let keys = try enroll(registration, roles: [.patient], wanted: wanted, context)
    if let wanted {
      try server().accountNotices.tellAdministrators(
        that: keys.person, waitsFor: wanted, at: context.now, on: context)
    }
    let next = Path(local: registration.next)
    let confirmation = try next.flatMap {
      try sendConfirmation(to: keys, next: $0, context)
    }
    let events = [SecurityEvent(.registered, of: keys.person), confirmation].compactMap(\.self)
    let redirect = try server().signIn(
      keys, leadingTo: next ?? "/account/welcome", for: context, on: context)
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
        to: keys, next: next, server(), at: context.now, on: context)
    } catch Refusal.tooMany { return nil }
  }

  /// Registers the first administrator, with a setup link. Throws ``OneTimeLink/setupGone`` if the
  /// link is no longer valid.
  func setUp(
    _ registration: Registration, _ context: Context
  ) throws -> Redirect {
    guard
      try OneTimeLink.useSetup(
        context.request.parameters["token"], at: context.now, server().vault,
        on: context)
    else { throw OneTimeLink.setupGone }
    let keys = try enroll(registration, roles: [.patient, .administrator], wanted: nil, context)
    var administrator = Administrator(
      vault: server().vault, author: .person(keys.person), now: context.now)
    try administrator.record(.add, keys.person, .administrator, on: context)
    return try server().signIn(keys, leadingTo: "/admin", for: context, on: context)
      .logging(
        SecurityEvent(.linkUsed, ["purpose": "setup"]), SecurityEvent(.registered, of: keys.person))
  }

  /// Creates the account and returns its keys.
  private func enroll(
    _ registration: Registration, roles: Set<Role>, wanted: Role?, _ context: Context
  ) throws -> Keys {
    let server = self.server()
    let new = Account.New(
      profile: registration.profile, passwordHash: registration.password.passwordHash, roles: roles,
      wantedRole: wanted, language: context.language, consentVersion: PrivacyPage.version)
    let keys = try Account.insert(new, at: context.now, server.vault, on: context)
    for part in parts { try part.save(registration.answers, in: context.with(keys)) }
    return keys
  }

  func startSetUp(_ context: Context) throws -> Registration {
    let isValid = try OneTimeLink.isSetup(
      context.request.parameters["token"], at: context.now, server().vault, on: context)
    if !isValid { throw OneTimeLink.setupGone }
    return blankRegistration(context)
  }

  /// Fills in what the link to the form has chosen: the role, and the page to open afterwards.
  func startRegistration(_ context: Context) throws -> Registration {
    var registration = blankRegistration(context)
    registration.role = wantedRole(context)
    registration.next = next(context)?.description ?? ""
    return registration
  }

  private func blankRegistration(_ context: Context) -> Registration {
    var registration = Registration()
    if address == .required { registration.profile.country = context.portal.clinic.country }
    return registration
  }

  private func wantedRole(_ context: Context) -> Registration.WantedRole {
    Registration.WantedRole(rawValue: sent("role", context)) ?? .patient
  }

  /// Returns a field of the form, or of the link to it.
  private func sent(_ name: String, _ context: Context) -> String {
    let request = context.request
    return request.method == .get ? request.query[name] : request.fields[name]
  }

  /// Returns the page to open after registration; nil for the welcome.
  private func next(_ context: Context) -> Path? { Path(local: sent("next", context)) }

  /// Returns the page on which a visitor began to register: the page to open afterwards, or sign-in
  /// where that page needs it.
  func pageBeforeRegistration(_ context: Context) -> Path? {
    next(context).map { next in
      server().installation.isOpen(next)
        ? next : Path("/login").query(["next": next.description])
    }
  }

  /// Links to sign in instead, and to register in the other role. They keep the page to open
  /// afterwards.
  func aboutRegistration(_ context: Context) throws -> HTML? {
    let rest = next(context).map { Fields(["next": $0.description]) } ?? Fields()
    var role = Fields(["role": "doctor"])
    for pair in rest.pairs { role.append(pair.name, pair.value) }
    let other: HTML =
      switch wantedRole(context) {
      case .patient:
        """
        \(context.text("register.doctor")) \
        <a href="\(Path("/register").query(role))">\(context.text("register.doctor.link"))</a>
        """
      case .doctor:
        """
        \(context.text("register.as-doctor")) \
        <a href="\(Path("/register").query(rest))">\(context.text("register.patient.link"))</a>
        """
      }
    return """
      <p>\(context.text("register.known")) \
      <a href="\(Path("/login").query(rest))">\(context.text("frame.sign-in"))</a></p><p>\(other)</p>
      """
  }
}

extension ServerContext {
  /// Hashes a new password. Throws ``Refusal/invalid(_:_:)`` for `password` if the password policy
  /// rejects it, with the reason.
  func hashed(
    _ password: String, personal: [String], hasSecondFactor: Bool = false,
    for client: HashingLimiter.Priority = .unknown
  ) throws -> String {
    let problem = passwordPolicy.problem(
      with: password, personal: personal, hasSecondFactor: hasSecondFactor)
    if let problem {
      throw Refusal.invalid("password", problem.text(hasSecondFactor: hasSecondFactor))
    }
    database.endSharedReads()
    return try passwords.hash(password, for: client)
  }
}
