import PolyclinicCore
import PolyclinicPlaces
import PolyclinicVault

/// The directory of people, with and without accounts, that modules use.
struct AccountDirectory: Portal.PeopleDirectory, HomeAddresses {
  let vault: Vault
  let keyStore: KeyStore
  let clock: @Sendable () -> Instant
  /// The clinic's time zone, which decides the current date.
  let zone: Zone
  /// The language for accounts that have chosen none.
  var language = Language.english

  func name(by keys: Keys, on connection: Connection) throws -> String? {
    try Profile.name(by: keys, on: connection)
  }

  func address(by keys: Keys, on connection: Connection) throws -> PostalAddress? {
    try Profile.find(by: keys, on: connection)?.address
  }

  func phone(by keys: Keys, on connection: Connection) throws -> String? {
    let phone = try Profile.find(by: keys, on: connection)?.phone ?? ""
    return phone.isEmpty ? nil : phone
  }

  func birthDate(by keys: Keys, on connection: Connection) throws -> CalendarDate? {
    try Profile.find(by: keys, on: connection)?.birthDate
  }

  func sex(by keys: Keys, on connection: Connection) throws -> String? {
    let sex = try Profile.find(by: keys, on: connection)?.sex ?? ""
    return ["female", "male", "other"].contains(sex) ? sex : nil
  }

  func find(
    _ loginOrEmail: String, for reason: AccessReason, asking visitor: Visitor,
    on connection: Connection
  ) throws -> ID<Person>? {
    guard visitor.roles.contains(reason.role) else { throw Refusal.forbidden }
    return try Account.find(loginOrEmail, vault, on: connection)?.person
  }

  func enter(
    _ newcomer: Portal.Newcomer, for reason: AccessReason, by visitor: Visitor,
    on connection: Connection
  ) throws -> Keys {
    guard visitor.roles.contains(reason.role) else { throw Refusal.forbidden }
    let now = clock()
    try check(newcomer, at: now)
    let keys = try Account.insertPerson(Profile(newcomer), at: now, vault, on: connection)
    try AuditEntry(.enter, by: .person(visitor.person), at: now, subject: keys.person)
      .insert(on: connection)
    let entered = Text("access.entered").spoken(by: "account")
    try ChangeLog.record(entered, of: keys, visitor, reason, at: now, on: connection)
    return keys
  }

  func members(
    having role: Role, asking visitor: Visitor, on connection: Connection
  ) throws -> [Portal.NamedPerson] {
    let people = try Account.all(on: connection)
      .filter { $0.state == .active && $0.roles.contains(role) }.map(\.person)
    let keys = try keyStore.keys(
      of: people, for: .administration, asking: visitor, at: clock(), on: connection)
    return try people.compactMap { person -> (SearchText, Portal.NamedPerson)? in
      guard let keys = keys[person], let name = try Profile.name(by: keys, on: connection)
      else { return nil }
      return (SearchText(name), Portal.NamedPerson(person: person, name: name))
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  func hasMembers(having role: Role, on connection: Connection) throws -> Bool {
    try !Account.people(in: role, on: connection).isEmpty
  }

  func acts(_ person: ID<Person>, as role: Role, on connection: Connection) throws -> Bool {
    guard let account = try Account.find(person, on: connection) else { return false }
    return account.state == .active && account.roles.contains(role) && account.isGenuine(vault)
  }

  func language(of person: ID<Person>, on connection: Connection) throws -> Language? {
    try Account.language(of: person, or: language, on: connection)
  }
}

extension Profile {
  package init(_ newcomer: Portal.Newcomer) {
    self.init()
    take(newcomer)
  }

  /// Replaces the details that are given at the reception.
  mutating func take(_ newcomer: Portal.Newcomer) {
    name = newcomer.name
    surname = newcomer.surname
    phone = newcomer.phone
    birthDate = newcomer.birthDate
  }
}
