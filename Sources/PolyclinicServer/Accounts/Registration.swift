import PolyclinicCore

/// What somebody fills in to become known to the portal.
struct Registration: Sendable {
  var profile = Profile()
  var answers = ProfileAnswers()
  var password = NewPassword()
  var role = WantedRole.patient
  var consent = false

  /// As what somebody registers; a doctor waits for approval.
  enum WantedRole: String, CaseIterable, Sendable {
    case patient
    case doctor
  }

  /// `parts` are what the enabled modules ask for besides.
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
  /// Judges and hashes the password before the transaction.
  func prepare(_ registration: inout Registration, _ context: Context) throws {
    try requirePast(registration.profile.birthDate, context)
    let front = try context.front()
    registration.password.passwordHash = try front.hashed(
      registration.password.password, personal: registration.profile.personalWords)
  }

  func register(
    _ registration: Registration, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let wanted: Role? = registration.role == .doctor ? .doctor : nil
    try enroll(registration, roles: [.patient], wanted: wanted, context, connection)
    return "/"
  }

  /// As ``register(_:_:_:)``, by the link that makes the first administrator.
  func setUp(
    _ registration: Registration, _ context: Context, _ connection: Connection
  ) throws -> Path {
    guard
      try OneTimeLink.useSetup(
        context.request.parameters["token"], at: context.now, context.front().vault,
        on: connection)
    else { throw OneTimeLink.setupGone }
    context.visit?.record(SecurityEvent(.linkUsed, ["purpose": "setup"]))
    let keys = try enroll(
      registration, roles: [.patient, .administrator], wanted: nil, context, connection)
    try Administrator(
      vault: context.front().vault, author: .person(keys.person), now: context.now
    ).record(.add, keys.person, .administrator, on: connection)
    return "/admin"
  }

  @discardableResult
  private func enroll(
    _ registration: Registration, roles: Set<Role>, wanted: Role?, _ context: Context,
    _ connection: Connection
  ) throws -> Keys {
    let front = try context.front()
    let new = Account.New(
      profile: registration.profile, passwordHash: registration.password.passwordHash, roles: roles,
      wantedRole: wanted, language: context.language, consentVersion: PrivacyPage.version)
    let keys = try Account.insert(new, at: context.now, front.vault, on: connection)
    for part in parts { try part.save(registration.answers, by: keys, on: connection) }
    try context.visit?.signIn(keys, on: connection)
    context.visit?.record(SecurityEvent(.registered, of: keys.person))
    return keys
  }

  func startSetUp(_ context: Context) throws -> Registration {
    let isValid = try context.database.read {
      try OneTimeLink.isSetup(
        context.request.parameters["token"], at: context.now, context.front().vault, on: $0)
    }
    if !isValid { throw OneTimeLink.setupGone }
    return Registration()
  }
}

extension Front {
  /// The hash of a new password; throws ``Refusal/invalid(_:_:)`` for `password` with the reason why
  /// it is not accepted.
  func hashed(
    _ password: String, personal: [String], hasSecondFactor: Bool = false,
    for client: HashingPlaces.Priority = .unknown
  ) throws -> String {
    let problem = passwordPolicy.problem(
      with: password, personal: personal, hasSecondFactor: hasSecondFactor)
    if let problem {
      throw Refusal.invalid("password", problem.text(hasSecondFactor: hasSecondFactor))
    }
    return try passwords.hash(password, for: client)
  }
}

extension Context {
  /// The server's side of this request; nil only outside the server's own pipeline.
  var visit: Visit? { submissions as? Visit }

  /// What the server's own modules work with.
  func front() throws -> Front {
    guard let visit else { throw Refusal.notFound }
    return visit.front
  }
}
