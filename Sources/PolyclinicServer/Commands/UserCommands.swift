import PolyclinicCore
import PolyclinicPortal
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

/// The actions of `polyclinic user …`, for an administrator who may read the key file. Each returns
/// lines for a terminal.
///
/// Logs name the command line as the author of changes. All throw ``Command/Failure`` for wrong
/// input.
package struct UserCommands {
  let installation: Installation
  let database: any Database
  let vault: Vault
  let passwords: Passwords
  let policy: PasswordPolicy
  /// The origin of the printed links.
  let origin: Portal.Origin
  /// The language of messages to people who have chosen none.
  let language: Language
  /// The ways for which a command is configured.
  let sends: Set<Notice.Kind.Way>
  let clock: @Sendable () -> Instant
  /// The time zone of printed dates.
  let zone: Zone
  /// Returns the time at which all backups have lost data that is erased now.
  let backups: @Sendable () throws -> BackupDirectory.Forgetting

  package init(
    installation: Installation, database: any Database, vault: Vault, passwords: Passwords,
    policy: PasswordPolicy, origin: Portal.Origin, language: Language,
    sends: Set<Notice.Kind.Way> = [],
    clock: @escaping @Sendable () -> Instant, zone: Zone = .utc,
    backups: @escaping @Sendable () throws -> BackupDirectory.Forgetting = { .unknown }
  ) {
    self.installation = installation
    self.database = database
    self.vault = vault
    self.passwords = passwords
    self.policy = policy
    self.origin = origin
    self.language = language
    self.sends = sends
    self.clock = clock
    self.zone = zone
    self.backups = backups
  }

  /// A role that can be given and taken. The patient's role is not among them, because every
  /// account keeps it.
  enum GrantedRole: String, CaseIterable {
    case doctor, receptionist, administrator

    var role: Role {
      switch self {
      case .doctor: .doctor
      case .receptionist: .receptionist
      case .administrator: .administrator
      }
    }
  }

  /// The source of a new account's password.
  enum NewPassword {
    /// A one-time link, which is returned.
    case link
    /// The text from standard input, without the line end.
    case given(String)
  }

  /// Lists all accounts, the oldest first: login, name, roles and state.
  func list() throws -> [String] {
    let rows = try database.read { connection in
      try Account.all(on: connection).compactMap { account -> [String]? in
        guard let keys = try KeyStore(vault).unloggedKeys(of: account.person, on: connection),
          let profile = try Profile.find(by: keys, on: connection)
        else { return nil }
        return Self.row(account, profile)
      }
    }
    if rows.isEmpty { return ["Nobody has an account yet."] }
    return TextTable([["LOGIN", "NAME", "ROLES", "STATE"]] + rows).lines
  }

  /// Adds an account with a login. The person fills in the rest of the profile.
  func add(_ login: String, role: Role, password: NewPassword) throws -> [String] {
    var profile = Profile()
    profile.login = login
    profile.name = login
    guard login.unicodeScalars.count <= 64, Profile.loginProblem(login) == nil else {
      throw Command.Failure(
        "This is no login: use up to 64 letters and digits, with . _ - among them.")
    }
    let new = Account.New(
      profile: profile, passwordHash: try hash(password, personal: profile.personalWords),
      roles: [.patient, role], language: nil, consentVersion: 0)
    return try changing { connection in
      let person = try Account.insert(
        new, vault, in: Work(at: clock(), on: connection)
      ).person
      try administer { try $0.record(.add, person, role, on: connection) }
      let lines = ["\(login) was added as \(role.rawValue)."]
      guard case .link = password else { return lines }
      return lines
        + linkLines(try OneTimeLink.makeReset(for: person, at: clock(), vault, on: connection))
    }
  }

  /// Gives the person a further role.
  func give(_ role: GrantedRole, to login: String) throws -> [String] {
    try changing { connection in
      try administer { try $0.give(role.role, to: person(login, on: connection), on: connection) }
      return ["\(login) is \(role.rawValue) now, and has to sign in again."]
    }
  }

  /// Removes a role.
  func take(_ role: GrantedRole, from login: String) throws -> [String] {
    try changing { connection in
      try administer {
        try $0.take(
          role.role, from: person(login, on: connection), telling: installation, on: connection)
      }
      return ["\(login) is not \(role.rawValue) any more."]
    }
  }

  /// Gives the role that awaits approval.
  func approve(_ login: String) throws -> [String] {
    try changing { connection in
      let person = try person(login, on: connection)
      guard let role = try Account.find(person, on: connection)?.wantedRole else {
        throw Command.Failure(
          "No role of \(login) waits. To give one: polyclinic user role \(login) ROLE.")
      }
      try administer { try $0.approve(role, for: person, on: connection) }
      return ["\(login) is \(role.rawValue) now, and has to sign in again."]
    }
  }

  /// Returns a one-time link for setting a new password.
  ///
  /// If the account was changed outside the portal, resets it to a patient's rights first. It stays
  /// suspended then, and gets no link.
  func reset(_ login: String, endingSecondFactor: Bool = false) throws -> [String] {
    try changing { connection in
      let person = try person(login, on: connection)
      let notices = AccountNotices(
        installation: installation, vault: vault, language: language, sends: sends)
      var lines: [String] = []
      if let account = try Account.find(person, on: connection),
        !account.isGenuine(vault)
      {
        try renew(account, telling: notices, on: connection)
        lines.append(
          """
          The account was changed in the database by something else than the portal. It is made anew \
          with a patient's rights: give others by "polyclinic user role \(login) ROLE".
          """)
        if account.state == .suspended {
          let page = "\(origin)/admin/people/\(person)"
          return lines + ["It is suspended. Reinstate it at \(page) before you create a link."]
        }
      }
      let link = try administer {
        try $0.makePasswordLink(
          for: person, endingSecondFactor: endingSecondFactor, telling: notices, on: connection)
      }
      return lines + linkLines(link)
    }
  }

  /// Makes an account anew, and records what it loses.
  private func renew(
    _ account: Account, telling notices: AccountNotices, on connection: Connection
  ) throws {
    let person = account.person
    let hadPasskey = try Passkey.isStored(for: person, on: connection)
    try account.renew(password: hash(.link, personal: []), vault, on: connection)
    try administer { administrator in
      for role in Role.allCases where role != .patient && account.roles.contains(role) {
        try administrator.record(.take, person, role, on: connection)
      }
      if let role = account.wantedRole {
        try administrator.record(.decline, person, role, on: connection)
      }
    }
    let work = Work(at: clock(), on: connection)
    if account.secondFactor != nil { try notices.tell(person, .secondFactorRemoved, in: work) }
    if hadPasskey { try notices.tell(person, .passkeyRemoved, in: work) }
  }

  /// Calls ``erase(person:by:)`` for a person with an account.
  func erase(_ login: String, by erasure: Erasure) throws -> [String] {
    try erase(login, unknown: Self.unknownLogin, by: erasure) { connection in
      // Refuses an e-mail address, although it can find an account. Only a login identifies one
      // person.
      guard try Account.find(login, vault, on: connection) != nil else { return nil }
      return try person(login, on: connection)
    }
  }

  /// Deletes all data of a person. On return neither the database, its write-ahead log, a former
  /// database nor a restored backup brings it back.
  ///
  /// If a step after the erasure fails, the same command completes it, although the login no longer
  /// exists.
  func erase(person: ID<Person>, by erasure: Erasure) throws -> [String] {
    let unknown = Command.Failure(
      "Nobody has the number \(person). If that person was erased, the erasure is complete now.")
    return try erase("Person \(person)", unknown: unknown, by: erasure) {
      try KeyStore(vault).unloggedKeys(of: person, on: $0)?.person
    }
  }

  /// Returns what the erasure of a person would take away, such as appointments to come. Nothing if
  /// nobody has the login or the number, or if the erasure will be refused.
  func losses(ofErasing login: String?, or person: ID<Person>?) throws -> [String] {
    // A write transaction, because a module may have to store something before it answers.
    try database.write { connection in
      let found = try login.flatMap { login in
        try login.contains("@") ? nil : Account.find(login, vault, on: connection)?.person
      }
      let work = Work(at: clock(), on: connection)
      guard let person = person ?? found,
        try installation.obstacle(toErasing: person, in: work) == nil
      else { return [] }
      return try installation.losses(ofErasing: person, in: work).map {
        TextTable.plain(installation.string($0, in: .english))
      }
    }
  }

  private func erase(
    _ name: String, unknown: Command.Failure, by erasure: Erasure,
    find: (Connection) throws -> ID<Person>?
  ) throws -> [String] {
    let isKnown = try telling(name) {
      try erasure.run { connection in
        guard let person = try find(connection) else { return false }
        _ = try administer { try $0.erase(person, asking: installation, on: connection) }
        return true
      }
    }
    guard isKnown else { throw unknown }
    return ["\(name) is erased. \(try whenBackupsForget)"]
  }
}

extension UserCommands {
  /// Changes accounts on behalf of the command line, which has no request to log.
  private func administer<Value>(
    _ body: (inout Administrator) throws -> Value
  ) rethrows -> Value {
    var administrator = Administrator(vault: vault, author: .commandLine, now: clock())
    return try body(&administrator)
  }

  private var whenBackupsForget: String {
    get throws {
      switch try backups() {
      case .never: "The portal has made no backup yet that could hold the person."
      case .unknown: "Backups forget the person when the last one made before now expires."
      case .at(let instant):
        """
        Backups forget the person about \(LocalDateTime(instant, in: zone).date), when the last one \
        made before now has given way to newer ones.
        """
      }
    }
  }

  private static let unknownLogin = Command.Failure(
    "Nobody has this login. To see all: polyclinic user list.")

  private static func row(_ account: Account, _ profile: Profile) -> [String] {
    let roles = Role.allCases.filter(account.roles.contains).map(\.rawValue)
    let waiting = account.wantedRole.map { ", wants to be \($0.rawValue)" } ?? ""
    return [
      profile.login, profile.displayName, roles.joined(separator: " "),
      account.state.rawValue + waiting,
    ]
  }

  private func person(_ login: String, on connection: Connection) throws -> ID<Person> {
    // Requires a login, because several people may share an e-mail address.
    guard !login.contains("@"), let account = try Account.find(login, vault, on: connection) else {
      throw Self.unknownLogin
    }
    return account.person
  }

  private func linkLines(_ link: Path) -> [String] {
    let hours = OneTimeLink.lifetime.count / 3_600
    return [
      "The password is set at this address, once, within \(hours) hours:",
      "\(origin)\(link)",
    ]
  }

  /// Runs `body` in a write transaction and turns refusals into ``Command/Failure``.
  private func changing<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try refusing { try database.write(body) }
  }

  /// Turns refusals into ``Command/Failure``.
  private func refusing<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let refusal as Refusal {
      switch refusal {
      case .conflict(let text) where text.key == Account.lastAdministrator.key:
        throw Command.Failure(
          """
          Nobody could administer the portal then. Make somebody else administrator first: \
          polyclinic user role LOGIN administrator.
          """)
      case .invalid("login", _):
        throw Command.Failure("Somebody has this login already. Choose another one.")
      default: throw Command.Failure(refusal.sentence { installation.string($0, in: .english) })
      }
    }
  }

  /// Turns incomplete erasures into ``Command/Failure``, too.
  private func telling<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    do { return try refusing(body) } catch let failure as Erasure.Failure {
      let again = "Make the file writable and run the same command again."
      switch failure {
      case .notBegun(let error): throw Command.Failure("Nothing was erased. \(error). \(again)")
      case .unlogged(let error):
        throw Command.Failure(
          "\(name) is erased here, but a restored backup would not know. \(error). \(again)")
      case .uncleaned(let error):
        throw Command.Failure(
          """
          \(name) is erased, but deleted bytes may still be in the database's files \
          (\(error.detail)). Run the same command again.
          """)
      case .copied(let reason):
        throw Command.Failure(
          """
          \(name) is erased, but another file beside the database may still hold the person \
          (\(reason)). Delete that file, or wait for the command that holds it, and run the same \
          command again.
          """)
      }
    }
  }

  private func hash(_ password: NewPassword, personal: [String]) throws -> String {
    switch password {
    // Uses a random password that is never shown, so that only the link opens the account.
    case .link: return try passwords.hash(Token.random().text)
    case .given(let text):
      if let problem = policy.problem(with: text, personal: personal) {
        throw Command.Failure(problem.sentence)
      }
      return try passwords.hash(text)
    }
  }
}

extension PasswordPolicy.Problem {
  /// The problem as a sentence for a terminal.
  fileprivate var sentence: String {
    switch self {
    case .tooShort:
      "The password is too short: use \(PasswordPolicy.shortest) characters or more."
    case .tooLong: "The password is too long: use \(PasswordPolicy.byteLimit) bytes at most."
    case .repeats: "The password repeats the same characters: use a few words of your own."
    case .sequence:
      "The password follows the alphabet, the digits or the keyboard: use a few words of your own."
    case .common: "The password is a word that many choose: use several words of your own."
    case .personal: "The password is made of the login or the portal's name: use other words."
    }
  }
}
