import PolyclinicCore

/// What a person signs in with, and what the person may do.
struct Account {
  let person: ID<Person>
  var loginHash: [UInt8]
  var emailHash: [UInt8]
  /// What is stored of it.
  var password: String
  var state: State
  var roles: Set<Role>
  /// A role that waits for an administrator's approval.
  var wantedRole: Role?
  /// The secret of ``SecondFactor``; nil without one.
  var secondFactor: Sealed?
  /// The row as it was read, for ``isGenuine(_:on:)``; nil for an account that is not stored yet.
  var stored: Stored?

  /// The roles in the database, with roles that only a newer release knows.
  struct Stored {
    let roles: String
    let wantedRole: String
    /// The code that ``AccountSeal`` gave it; empty where a release did that knew none.
    let seal: [UInt8]
  }

  enum State: String {
    case active
    case suspended
  }

  /// The roles as they are stored; a patient is everyone who signs in.
  static func roles(_ text: String) -> Set<Role> {
    // Nearly everybody's, asked for with each page.
    if text == patient.text { return patient.roles }
    let roles = text.split(separator: ",").compactMap { Role(rawValue: String($0)) }
    return Set(roles).union([.patient])
  }

  private static let patient = (text: Role.patient.rawValue, roles: Set([Role.patient]))

  static func text(of roles: Set<Role>) -> String {
    roles.map(\.rawValue).sorted().joined(separator: ",")
  }
}

/// Finding accounts. Logins and e-mails are found by their HMAC alone.
extension Account {
  private static let columns: SQL =
    "person, login_hash, email_hash, password, state, roles, wanted_role, seal, second_factor"

  private static func read(_ row: Row) -> Account {
    Account(
      person: row.id(0), loginHash: row.bytes(1), emailHash: row.bytes(2),
      password: row.string(3), state: State(rawValue: row.string(4)) ?? .suspended,
      roles: roles(row.string(5)), wantedRole: Role(rawValue: row.string(6)),
      secondFactor: row.optional(8, Row.sealed),
      stored: Stored(
        roles: row.string(5), wantedRole: row.string(6), seal: row.optional(7, Row.bytes) ?? []))
  }

  static func loginHash(_ login: String, _ vault: Vault) -> [UInt8] {
    vault.lookup("login", folded(login))
  }

  static func emailHash(_ email: String, _ vault: Vault) -> [UInt8] {
    vault.lookup("email", folded(email))
  }

  /// How many accounts one e-mail signs in, each with a password of its own; others have their logins.
  ///
  /// Each costs a computation, whether it is there or not: a time that grew with their number would tell
  /// it. One beside the right one is enough, however many strangers register with an e-mail.
  static let mostByEmail = 2

  /// The account of a login; or those of an e-mail, at most ``mostByEmail``.
  ///
  /// Who has confirmed the e-mail comes first, then who came first: nobody else's registration keeps
  /// them from signing in by it.
  static func candidates(
    _ typed: String, _ vault: Vault, on connection: Connection
  ) throws -> [Account] {
    guard typed.contains("@") else {
      let hash = loginHash(typed, vault)
      return try connection.rows(
        "SELECT \(columns) FROM accounts WHERE login_hash = \(hash)", read)
    }
    let address = MailAddress(typed).map { AddressConfirmation.hash($0, vault) } ?? []
    return try connection.rows(
      """
      SELECT \(columns) FROM accounts WHERE email_hash = \(emailHash(typed, vault))
      ORDER BY NOT EXISTS (SELECT 1 FROM notifications_addresses
        WHERE notifications_addresses.person = accounts.person AND address = \(address)), person
      LIMIT \(mostByEmail)
      """, read)
  }

  /// The account of a login; or of an e-mail, where only one account has it.
  static func find(_ typed: String, _ vault: Vault, on connection: Connection) throws -> Account? {
    let found = try candidates(typed, vault, on: connection)
    return found.count == 1 ? found.first : nil
  }

  static func find(_ person: ID<Person>, on connection: Connection) throws -> Account? {
    try connection.row("SELECT \(columns) FROM accounts WHERE person = \(person)", read)
  }

  /// The language that the person has chosen; nil where nobody signs in as this person.
  static func language(
    of person: ID<Person>, on connection: Connection
  ) throws -> Language? {
    try connection.row("SELECT language FROM accounts WHERE person = \(person)") {
      Language(rawValue: $0.string(0))
    } ?? nil
  }

  /// All accounts, in the order of their making.
  static func all(on connection: Connection) throws -> [Account] {
    try connection.rows("SELECT \(columns) FROM accounts ORDER BY person", read)
  }

  /// Whether somebody else than this person, if one is named, can administer the portal.
  static func isAdministrated(
    without person: ID<Person>? = nil, on connection: Connection
  ) throws -> Bool {
    let role = Role.administrator.rawValue
    return try connection.integer(
      """
      SELECT 1 FROM accounts WHERE state = \(State.active.rawValue)
        AND ',' || roles || ',' LIKE '%,' || \(role) || ',%'
        AND person <> \(person?.rawValue ?? 0) LIMIT 1
      """) != nil
  }
}

/// Changing accounts.
extension Account {
  /// What a new account is made of.
  struct New {
    var profile: Profile
    var passwordHash: String
    var roles: Set<Role> = [.patient]
    var wantedRole: Role?
    var language: Language
    var consentVersion: Int
  }

  /// Stores a new person with profile and account, and returns the person's keys.
  ///
  /// Throws ``Refusal/invalid(_:_:)`` for `login` when it is taken.
  static func insert(
    _ new: New, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Keys {
    let keys = try insertPerson(new.profile, at: now, vault, on: connection)
    try open(new, for: keys.person, at: now, vault, on: connection)
    return keys
  }

  /// Gives an account to a person who has none; the profile is not stored.
  ///
  /// Throws ``Refusal/invalid(_:_:)`` for `login` when it is taken.
  static func open(
    _ new: New, for person: ID<Person>, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws {
    let account = Account(
      person: person, loginHash: loginHash(new.profile.login, vault),
      emailHash: emailHash(new.profile.email, vault), password: new.passwordHash, state: .active,
      roles: new.roles, wantedRole: new.wantedRole)
    try refusingTakenLogin {
      try connection.run(
        """
        INSERT INTO accounts (person, login_hash, email_hash, password, state, roles, wanted_role,
          language, consent_version, consented_at, created_at)
        VALUES (\(person), \(account.loginHash), \(account.emailHash), \(new.passwordHash),
          \(account.state.rawValue), \(text(of: new.roles)), \(new.wantedRole?.rawValue ?? ""),
          \(new.language.code), \(new.consentVersion), \(now), \(now))
        """)
      try account.store(vault, on: connection)
    }
  }

  /// Stores a new person with a profile alone, and returns the person's keys.
  static func insertPerson(
    _ profile: Profile, at now: Instant, _ vault: Vault, on connection: Connection
  ) throws -> Keys {
    let erasureID = Vault.newErasureID()
    let wrapped = try vault.newPersonKey(erasureID: erasureID, on: connection)
    let person: ID<Person> = try connection.insert(
      """
      INSERT INTO people (wrapped_key, erasure_id, created_at)
      VALUES (\(wrapped), \(erasureID), \(now))
      """)
    let keys = try vault.keys(of: person, wrapped: wrapped, erasureID: erasureID)
    try profile.save(by: keys, on: connection)
    return keys
  }

  /// Keeps by what the account is found after login or e-mail have changed.
  static func rename(
    _ person: ID<Person>, to profile: Profile, _ vault: Vault, on connection: Connection
  ) throws {
    try refusingTakenLogin {
      try change(person, vault, on: connection) {
        $0.loginHash = loginHash(profile.login, vault)
        $0.emailHash = emailHash(profile.email, vault)
      }
    }
  }

  /// Changes an account that is as the portal left it; throws ``AlteredRow`` for any other.
  private static func change(
    _ person: ID<Person>, _ vault: Vault, on connection: Connection, _ body: (inout Account) -> Void
  ) throws {
    guard var account = try find(person, on: connection) else { return }
    try account.requireGenuine(vault, on: connection)
    body(&account)
    try account.store(vault, on: connection)
  }

  private static func refusingTakenLogin(_ change: () throws -> Void) throws {
    do { try change() } catch let error as DatabaseError where error.kind == .unique {
      throw Refusal.invalid("login", "error.login-taken")
    }
  }

  /// Sets another password, and ends all that who knew the earlier one may have opened or made.
  static func replacePassword(
    _ hash: String, of person: ID<Person>, _ vault: Vault, on connection: Connection
  ) throws {
    try setPassword(hash, of: person, vault, on: connection)
    try endAccess(of: person, on: connection)
  }

  /// Ends sessions, and makes useless all else that opens the person's data by itself or helps to: one-time links,
  /// programs' tokens, addresses of calendars, the trust in browsers.
  static func endAccess(of person: ID<Person>, on connection: Connection) throws {
    try Sessions().endAll(of: person, on: connection)
    try OneTimeLink.forget(of: person, on: connection)
    try AccessToken.revokeAll(of: person, on: connection)
    try TrustedBrowser.forgetAll(of: person, on: connection)
    try SecretAddressBook.revokeAll(of: person, on: connection)
  }

  /// Stores a hash of the same password, made at other costs.
  static func setPassword(
    _ hash: String, of person: ID<Person>, _ vault: Vault, on connection: Connection
  ) throws {
    try change(person, vault, on: connection) { $0.password = hash }
  }

  /// Stores the secret of a second factor, or that there is none.
  static func setSecondFactor(
    _ sealed: Sealed?, of person: ID<Person>, _ vault: Vault, on connection: Connection
  ) throws {
    try change(person, vault, on: connection) { $0.secondFactor = sealed }
  }

  static func setLanguage(
    _ language: Language, of person: ID<Person>, on connection: Connection
  ) throws {
    try connection.run("UPDATE accounts SET language = \(language.code) WHERE person = \(person)")
  }

  /// Stores state and roles; throws ``Refusal/conflict(_:)`` rather than leave nobody to administer.
  func save(_ vault: Vault, on connection: Connection) throws {
    let wasAdministrated = try Self.isAdministrated(on: connection)
    try store(vault, on: connection)
    if wasAdministrated, try !Self.isAdministrated(on: connection) {
      throw Refusal.conflict(Self.lastAdministrator)
    }
  }

  /// Why the last administrator keeps the role.
  static let lastAdministrator: Text = "error.last-administrator"

  /// Why the person cannot be erased: nobody else could administer the portal. Nil for everybody
  /// else.
  static func obstacle(
    toErasing person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> Text? {
    guard let account = try find(person, on: connection), account.state == .active,
      account.roles.contains(.administrator)
    else { return nil }
    return try isAdministrated(without: person, on: connection) ? nil : lastAdministrator
  }
}
