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

  /// The role to register for. A doctor waits for approval.
  enum WantedRole: String, CaseIterable, Sendable {
    case patient
    case doctor
  }

  /// Returns the form with the fields `parts` that enabled modules add.
  static func form(_ parts: [OwnedProfilePart]) -> Form<Registration> {
    Form<Registration>(Registration(), .part(\.profile, Profile.form))
      .adding(parts.map { $0.field(at: \.answers) }).adding(rest)
  }

  private static let rest: [Field<Registration>] = [
    .section(
      "register.section.role", .choice(\.role, "role", hint: "field.role.hint")),
    .section("register.section.password", .part(\.password, NewPassword.form)),
    .check(\.consent, "consent", required: true, link: "/privacy"),
  ]
}

extension AccountsModule {
  /// Checks and hashes the password before the transaction.
  package func prepare(_ registration: inout Registration, _ context: Context) throws {
    try requirePast(registration.profile.birthDate, context)
    let server = try context.server()
    registration.password.passwordHash = try server.hashed(
      registration.password.password, personal: registration.profile.personalWords)
  }

  package func register(
    _ registration: Registration, _ context: Context, _ connection: Connection
  ) throws -> Redirect {
    let wanted: Role? = registration.role == .doctor ? .doctor : nil
    let (keys, effects) = try enroll(
      registration, roles: [.patient], wanted: wanted, context, connection)
    return Redirect(to: "/", effects).logging(SecurityEvent(.registered, of: keys.person))
  }

  /// Registers the first administrator, with a setup link. Throws ``OneTimeLink/setupGone`` if the
  /// link is no longer valid.
  func setUp(
    _ registration: Registration, _ context: Context, _ connection: Connection
  ) throws -> Redirect {
    guard
      try OneTimeLink.useSetup(
        context.request.parameters["token"], at: context.now, context.server().vault,
        on: connection)
    else { throw OneTimeLink.setupGone }
    let (keys, effects) = try enroll(
      registration, roles: [.patient, .administrator], wanted: nil, context, connection)
    var administrator = Administrator(
      vault: try context.server().vault, author: .person(keys.person), now: context.now)
    try administrator.record(.add, keys.person, .administrator, on: connection)
    return Redirect(to: "/admin", effects)
      .logging(
        SecurityEvent(.linkUsed, ["purpose": "setup"]), SecurityEvent(.registered, of: keys.person))
  }

  /// Creates the account and signs the person in.
  private func enroll(
    _ registration: Registration, roles: Set<Role>, wanted: Role?, _ context: Context,
    _ connection: Connection
  ) throws -> (Keys, Effects) {
    let server = try context.server()
    let new = Account.New(
      profile: registration.profile, passwordHash: registration.password.passwordHash, roles: roles,
      wantedRole: wanted, language: context.language, consentVersion: PrivacyPage.version)
    let keys = try Account.insert(new, at: context.now, server.vault, on: connection)
    for part in parts { try part.save(registration.answers, by: keys, on: connection) }
    return (keys, try server.signIn(keys, for: context, on: connection))
  }

  func startSetUp(_ context: Context) throws -> Registration {
    let isValid = try context.database.read {
      try OneTimeLink.isSetup(
        context.request.parameters["token"], at: context.now, context.server().vault, on: $0)
    }
    if !isValid { throw OneTimeLink.setupGone }
    return Registration()
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
    return try passwords.hash(password, for: client)
  }
}
