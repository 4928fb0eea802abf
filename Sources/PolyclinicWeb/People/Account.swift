import PolyclinicCore
import PolyclinicVault

/// A person's credentials, roles and account state.
package struct Account {
  package let person: ID<Person>
  package var loginHash: [UInt8]
  package var emailHash: [UInt8]
  /// The stored password hash.
  package var password: String
  package var state: State
  package var roles: Set<Role>
  /// A role that waits for an administrator's approval.
  package var wantedRole: Role?
  /// The sealed secret of the ``SecondFactor``; nil if the account has none.
  package var secondFactor: Sealed?
  /// The row as it was read, for ``isGenuine(_:)``; nil for an account that is not stored yet.
  package var stored: Stored?

  /// The roles as stored, including roles that only a newer release knows.
  package struct Stored {
    package let roles: String
    package let wantedRole: String
    /// The seal by ``AccountSeal``.
    package let seal: [UInt8]
  }

  package enum State: String {
    case active
    case suspended
  }

  /// Parses stored roles. Every account also has the role ``Role/patient``.
  package static func roles(_ text: String) -> Set<Role> {
    // A fast path, because nearly every account is a patient's and each page request reads the
    // roles.
    if text == patient.text { return patient.roles }
    let roles = text.split(separator: ",").compactMap { Role(rawValue: String($0)) }
    return Set(roles).union([.patient])
  }

  /// True if the account opens the data of others, or waits for an administrator to let it.
  package var isStaff: Bool { !roles.subtracting([.patient]).isEmpty || wantedRole != nil }

  private static let patient = (text: Role.patient.rawValue, roles: Set([Role.patient]))

  package static func text(of roles: Set<Role>) -> String {
    roles.map(\.rawValue).sorted().joined(separator: ",")
  }
}

/// Functions that find accounts. The database stores logins and e-mails as an HMAC only.
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
        roles: row.string(5), wantedRole: row.string(6), seal: row.bytes(7)))
  }

  package static func loginHash(_ login: String, _ vault: Vault) -> [UInt8] {
    vault.lookup("login", folded(login))
  }

  package static func emailHash(_ email: String, _ vault: Vault) -> [UInt8] {
    vault.lookup("email", folded(email))
  }

  /// The number of accounts that can sign in with one e-mail, each with its own password. Further
  /// accounts with that e-mail sign in with their login.
  ///
  /// Each sign-in by e-mail computes this many password hashes, even for accounts that do not
  /// exist. Otherwise its duration would reveal their number. One account besides the right one is
  /// enough, however many strangers register with that e-mail.
  package static let mostByEmail = 2

  /// Returns the account with this login, or up to ``mostByEmail`` accounts with this e-mail.
  ///
  /// Accounts that have confirmed the e-mail come first, then older ones. Later registrations with
  /// the same e-mail therefore cannot keep its owner from signing in.
  package static func candidates(
    _ typed: String, _ vault: Vault, on connection: Connection
  ) throws -> [Account] {
    guard typed.contains("@") else {
      let hash = loginHash(typed, vault)
      return try connection.rows(
        "SELECT \(columns) FROM accounts WHERE login_hash = \(hash)", read)
    }
    let address = MailAddress(typed)?.hash(by: vault) ?? []
    return try connection.rows(
      """
      SELECT \(columns) FROM accounts WHERE email_hash = \(emailHash(typed, vault))
      ORDER BY NOT EXISTS (SELECT 1 FROM notifications_addresses
        WHERE notifications_addresses.person = accounts.person AND address = \(address)), person
      LIMIT \(mostByEmail)
      """, read)
  }

  /// Returns the account with this login, or with this e-mail if exactly one account has it.
  package static func find(_ typed: String, _ vault: Vault, on connection: Connection) throws
    -> Account?
  {
    let found = try candidates(typed, vault, on: connection)
    return found.count == 1 ? found.first : nil
  }

  package static func find(_ person: ID<Person>, on connection: Connection) throws -> Account? {
    try connection.row("SELECT \(columns) FROM accounts WHERE person = \(person)", read)
  }

  /// Returns the accounts of those people that have one, in few statements.
  package static func all(
    of people: [ID<Person>], on connection: Connection
  ) throws -> [ID<Person>: Account] {
    let accounts = try people.parts(of: 256).flatMap { part in
      try connection.rows("SELECT \(columns) FROM accounts WHERE person IN \(list: part)", read)
    }
    return Dictionary(accounts.map { ($0.person, $0) }, uniquingKeysWith: { one, _ in one })
  }

  /// Returns the languages of people's accounts, with `standard` for accounts that have chosen none.
  /// People without an account are left out.
  package static func languages(
    of people: [ID<Person>], or standard: Language, on connection: Connection
  ) throws -> [ID<Person>: Language] {
    let languages = try people.parts(of: 256).flatMap { part in
      try connection.rows("SELECT person, language FROM accounts WHERE person IN \(list: part)") {
        ($0.id(0) as ID<Person>, Language(rawValue: $0.string(1)) ?? standard)
      }
    }
    return Dictionary(languages, uniquingKeysWith: { one, _ in one })
  }

  /// Returns all accounts, oldest person first.
  package static func all(on connection: Connection) throws -> [Account] {
    try connection.rows("SELECT \(columns) FROM accounts ORDER BY person", read)
  }

  /// Returns the people with an active account in a role.
  package static func people(in role: Role, on connection: Connection) throws -> [ID<Person>] {
    try connection.rows(
      """
      SELECT person FROM accounts WHERE state = \(State.active.rawValue)
        AND ',' || roles || ',' LIKE '%,' || \(role.rawValue) || ',%' ORDER BY person
      """
    ) { $0.id(0) }
  }

  /// True if an active administrator exists, not counting `person`.
  package static func isAdministrated(
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

/// Functions that change accounts.
extension Account {
  /// The input for a new account.
  package struct New {
    package var profile: Profile
    package var passwordHash: String
    package var roles: Set<Role> = [.patient]
    package var wantedRole: Role?
    /// The language of its pages and messages; nil to follow the browser until it chooses one.
    package var language: Language?
    package var consentVersion: Int

    package init(
      profile: Profile, passwordHash: String, roles: Set<Role> = [.patient],
      wantedRole: Role? = nil, language: Language?, consentVersion: Int
    ) {
      self.profile = profile
      self.passwordHash = passwordHash
      self.roles = roles
      self.wantedRole = wantedRole
      self.language = language
      self.consentVersion = consentVersion
    }
  }

  /// Stores a new person with profile and account, and returns the person's keys.
  ///
  /// Throws ``Refusal/invalid(_:_:)`` for `login` if it is taken.
  package static func insert(_ new: New, _ vault: Vault, in work: Work) throws -> Keys {
    let keys = try insertPerson(new.profile, vault, in: work)
    try open(new, vault, in: work.with(keys))
    return keys
  }

  /// Creates an account for the person whose keys the work has, who has none. The caller stores the
  /// profile.
  ///
  /// Throws ``Refusal/invalid(_:_:)`` for `login` if it is taken.
  package static func open(_ new: New, _ vault: Vault, in work: Work) throws {
    let (person, now) = (try work.keys.person, work.now)
    let account = Account(
      person: person, loginHash: loginHash(new.profile.login, vault),
      emailHash: emailHash(new.profile.email, vault), password: new.passwordHash, state: .active,
      roles: new.roles, wantedRole: new.wantedRole)
    try refusingTakenLogin {
      _ = try work.runCounting(
        """
        INSERT INTO accounts (person, login_hash, email_hash, password, state, roles, wanted_role,
          seal, language, consent_version, consented_at, created_at)
        VALUES (\(person), \(account.loginHash), \(account.emailHash), \(new.passwordHash),
          \(account.state.rawValue), \(text(of: new.roles)), \(new.wantedRole?.rawValue ?? ""),
          \(vault.accountSeal.code(of: account)), \(new.language?.code ?? ""),
          \(new.consentVersion), \(now), \(now))
        """)
    }
  }

  /// Stores a new person with a profile but no account, and returns the person's keys.
  package static func insertPerson(
    _ profile: Profile, _ vault: Vault, in work: Work
  ) throws -> Keys {
    let erasureID = Vault.newErasureID()
    let wrapped = try vault.newPersonKey(erasureID: erasureID, on: work)
    let person: ID<Person> = try work.insert(
      """
      INSERT INTO people (wrapped_key, erasure_id, created_at)
      VALUES (\(wrapped), \(erasureID), \(work.now))
      """)
    let keys = try vault.keys(of: person, wrapped: wrapped, erasureID: erasureID)
    try profile.save(by: keys, on: work)
    return keys
  }

  /// Updates the login and e-mail hashes after a change of the profile. Another e-mail ends the
  /// links that were sent to the former one.
  ///
  /// Throws ``Refusal/invalid(_:_:)`` for `login` if it is taken.
  package static func rename(
    _ person: ID<Person>, to profile: Profile, _ vault: Vault, on connection: Connection
  ) throws {
    guard var account = try genuine(person, vault, on: connection) else { return }
    let former = account.emailHash
    account.loginHash = loginHash(profile.login, vault)
    account.emailHash = emailHash(profile.email, vault)
    try refusingTakenLogin { try account.store(vault, on: connection) }
    if account.emailHash != former { try OneTimeLink.forgetMailed(to: person, on: connection) }
  }

  /// Returns an account to change. Throws ``AlteredRow`` if its seal is not valid.
  private static func genuine(
    _ person: ID<Person>, _ vault: Vault, on connection: Connection
  ) throws -> Account? {
    let account = try find(person, on: connection)
    try account?.requireGenuine(vault)
    return account
  }

  private static func refusingTakenLogin(_ change: () throws -> Void) throws {
    do { try change() } catch let error as DatabaseError where error.kind == .unique {
      throw Refusal.invalid("login", "error.login-taken")
    }
  }

  /// Stores a password hash without ending sessions, for a rehash of the same password at other
  /// costs.
  package static func setPassword(
    _ hash: String, of person: ID<Person>, _ vault: Vault, on connection: Connection
  ) throws {
    guard var account = try genuine(person, vault, on: connection) else { return }
    account.password = hash
    try account.store(vault, on: connection)
  }

  /// Stores the secret of the second factor; nil removes it.
  package static func setSecondFactor(
    _ sealed: Sealed?, of person: ID<Person>, _ vault: Vault, on connection: Connection
  ) throws {
    guard var account = try genuine(person, vault, on: connection) else { return }
    account.secondFactor = sealed
    try account.store(vault, on: connection)
  }

  package static func setLanguage(
    _ language: Language, of person: ID<Person>, on connection: Connection
  ) throws {
    try connection.run("UPDATE accounts SET language = \(language.code) WHERE person = \(person)")
  }

  /// Stores state and roles. Throws ``Refusal/conflict(_:)`` if no administrator would be left.
  package func save(_ vault: Vault, on connection: Connection) throws {
    let wasAdministrated = try Self.isAdministrated(on: connection)
    try store(vault, on: connection)
    if wasAdministrated, try !Self.isAdministrated(on: connection) {
      throw Refusal.conflict(Self.lastAdministrator)
    }
  }

  /// The reason why the last administrator keeps the role.
  package static let lastAdministrator: Text = "error.last-administrator"

  /// Returns the reason why the person cannot be erased: they are the last administrator. Nil for
  /// all others.
  package static func obstacle(
    toErasing person: ID<Person>, in work: Work
  ) throws -> Text? {
    guard let account = try find(person, on: work), account.state == .active,
      account.roles.contains(.administrator)
    else { return nil }
    return try isAdministrated(without: person, on: work) ? nil : lastAdministrator
  }
}
