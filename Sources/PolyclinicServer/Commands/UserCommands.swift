import PolyclinicCore

/// What `polyclinic user …` does, for whoever may read the key file; each returns lines for a terminal.
///
/// Changes are recorded as made by the command line. Mistakes are thrown as ``CommandFailure``.
struct UserCommands {
  let installation: Installation
  let database: any Database
  let vault: Vault
  let passwords: Passwords
  let policy: PasswordPolicy
  /// For links.
  let origin: Origin
  /// The language of accounts that are added, and of what people are told who have chosen none.
  let language: Language
  /// Whether a command takes e-mails.
  var sendsMail = false
  let clock: @Sendable () -> Instant
  /// Whose clocks tell dates.
  var zone = Zone.utc
  /// When the backups forget what is erased now.
  var backups: @Sendable () -> BackupDirectory.Forgetting = { .unknown }

  /// A role that is given and taken: any but a patient's, which everybody keeps.
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

  /// How a new account gets its password.
  enum NewPassword {
    /// By a one-time link, which is returned.
    case link
    /// As it was read from the standard input, without the line's end.
    case given(String)
  }

  /// All people with accounts, the first to have one first: login, name, roles and state.
  func list() throws -> [String] {
    let rows = try database.read { connection in
      try Account.all(on: connection).compactMap { account -> [String]? in
        guard let keys = try KeyCabinet(vault).keys(of: account.person, on: connection),
          let profile = try Profile.find(by: keys, on: connection)
        else { return nil }
        return Self.row(account, profile)
      }
    }
    if rows.isEmpty { return ["Nobody has an account yet."] }
    return TextTable([["LOGIN", "NAME", "ROLES", "STATE"]] + rows).lines
  }

  /// Makes an account with a login, and for all else a profile that the person fills in.
  func add(_ login: String, role: Role, password: NewPassword) throws -> [String] {
    var profile = Profile()
    profile.login = login
    profile.name = login
    guard login.unicodeScalars.count <= 64, Profile.loginProblem(login) == nil else {
      throw CommandFailure(
        "This is no login: use up to 64 letters and digits, with . _ - among them.")
    }
    let new = Account.New(
      profile: profile, passwordHash: try hash(password, personal: profile.personalWords),
      roles: [.patient, role], language: language, consentVersion: 0)
    return try changing { connection in
      let person = try Account.insert(new, at: clock(), vault, on: connection).person
      try administrator.record(.add, person, role, on: connection)
      let lines = ["\(login) was added as \(role.rawValue)."]
      guard case .link = password else { return lines }
      return lines
        + linkLines(try OneTimeLink.makeReset(for: person, at: clock(), vault, on: connection))
    }
  }

  /// Gives a role beside those that the person has.
  func give(_ role: GrantedRole, to login: String) throws -> [String] {
    try changing { connection in
      try administrator.give(role.role, to: person(login, on: connection), on: connection)
      return ["\(login) is \(role.rawValue) now, and has to sign in again."]
    }
  }

  /// Takes a role.
  func take(_ role: GrantedRole, from login: String) throws -> [String] {
    try changing { connection in
      try administrator.take(
        role.role, from: person(login, on: connection), telling: installation, on: connection)
      return ["\(login) is not \(role.rawValue) any more."]
    }
  }

  /// Gives the role that waits for approval.
  func approve(_ login: String) throws -> [String] {
    try changing { connection in
      let person = try person(login, on: connection)
      guard let role = try Account.find(person, on: connection)?.wantedRole else {
        throw CommandFailure(
          "No role of \(login) waits. To give one: polyclinic user role \(login) ROLE.")
      }
      try administrator.approve(role, for: person, on: connection)
      return ["\(login) is \(role.rawValue) now, and has to sign in again."]
    }
  }

  /// A one-time link at which the person sets a new password.
  ///
  /// An account that something else than the portal has changed is made anew before.
  func reset(_ login: String, endingSecondFactor: Bool = false) throws -> [String] {
    try changing { connection in
      let person = try person(login, on: connection)
      let isGenuine = try Account.find(person, on: connection)?.isGenuine(vault, on: connection)
      if isGenuine == false {
        try Account.renew(
          person, password: hash(.link, personal: []), vault, on: connection)
      }
      let news = AccountNews(
        installation: installation, vault: vault, language: language, sendsMail: sendsMail)
      let lines = linkLines(
        try administrator.makePasswordLink(
          for: person, endingSecondFactor: endingSecondFactor, telling: news, on: connection))
      if isGenuine != false { return lines }
      let renewed = """
        The account was changed in the database by something else than the portal. It is made anew with \
        a patient's rights: give others by "polyclinic user role \(login) ROLE".
        """
      return [renewed] + lines
    }
  }

  /// As ``erase(person:log:checkpoint:)``, for somebody with an account.
  func erase(_ login: String, log: ErasureLog, checkpoint: @escaping () throws -> Void) throws
    -> [String]
  {
    try erase(login, unknown: Self.unknownLogin, log: log, checkpoint: checkpoint) { connection in
      // Also by an e-mail it is known that there is somebody; who is meant, only a login says.
      guard try Account.find(login, vault, on: connection) != nil else { return nil }
      return try person(login, on: connection)
    }
  }

  /// Deletes everything about a person; returns when neither the database, its log nor a backup
  /// restored from now on gives it back.
  ///
  /// `checkpoint` empties the database's write-ahead log. What failed after the erasure itself is made
  /// good when the same command is given again, although nobody has the login by then.
  func erase(
    person: ID<Person>, log: ErasureLog, checkpoint: @escaping () throws -> Void
  ) throws -> [String] {
    let unknown = CommandFailure("Nobody has the number \(person).")
    return try erase("Person \(person)", unknown: unknown, log: log, checkpoint: checkpoint) {
      try KeyCabinet(vault).keys(of: person, on: $0)?.person
    }
  }

  private func erase(
    _ name: String, unknown: CommandFailure, log: ErasureLog,
    checkpoint: @escaping () throws -> Void,
    find: (Connection) throws -> ID<Person>?
  ) throws -> [String] {
    let erasure = Erasure(database: database, log: log, checkpoint: checkpoint)
    let isKnown = try telling(name) {
      try erasure.run { connection in
        guard let person = try find(connection) else { return false }
        try administrator.erase(person, asking: installation, on: connection)
        return true
      }
    }
    guard isKnown else { throw unknown }
    return ["\(name) is erased. \(whenBackupsForget)"]
  }
}

extension UserCommands {
  private var administrator: Administrator {
    Administrator(vault: vault, author: .commandLine, now: clock())
  }

  private var whenBackupsForget: String {
    switch backups() {
    case .never: "The portal has made no backup yet that could hold the person."
    case .unknown: "Backups forget the person when the last one made before now expires."
    case .at(let instant):
      """
      Backups forget the person about \(LocalDateTime(instant, in: zone).date), when the last one \
      made before now has given way to newer ones.
      """
    }
  }

  private static let unknownLogin = CommandFailure(
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
    // An e-mail may belong to several people: only a login says for certain who is meant.
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

  /// One transaction, whose refusals become sentences.
  private func changing<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try refusing { try database.write(body) }
  }

  /// Refusals become sentences.
  private func refusing<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let refusal as Refusal {
      switch refusal {
      case .conflict(let text) where text.key == Account.lastAdministrator.key:
        throw CommandFailure(
          """
          Nobody could administer the portal then. Make somebody else administrator first: \
          polyclinic user role LOGIN administrator.
          """)
      case .invalid("login", _):
        throw CommandFailure("Somebody has this login already. Choose another one.")
      default: throw CommandFailure(refusal.sentence { installation.string($0, in: .english) })
      }
    }
  }

  /// What was left undone of an erasure becomes sentences, too.
  private func telling<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    do { return try refusing(body) } catch let failure as Erasure.Failure {
      let again = "Make the file writable and run the same command again."
      switch failure {
      case .notBegun(let error): throw CommandFailure("Nothing was erased. \(error). \(again)")
      case .unlogged(let error):
        throw CommandFailure(
          "\(name) is erased here, but a restored backup would not know. \(error). \(again)")
      case .uncleaned(let error):
        throw CommandFailure(
          """
          \(name) is erased, but deleted bytes may still be in the write-ahead log \
          (\(error.detail)). Run the same command again.
          """)
      }
    }
  }

  private func hash(_ password: NewPassword, personal: [String]) throws -> String {
    switch password {
    // Nobody knows this one: the account opens by its link alone.
    case .link: return try passwords.hash(Token.random().text)
    case .given(let text):
      if let problem = policy.problem(with: text, personal: personal) {
        throw CommandFailure(problem.sentence)
      }
      return try passwords.hash(text)
    }
  }
}

extension PasswordPolicy.Problem {
  /// For a terminal.
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
