import PolyclinicCore
import PolyclinicPlaces
import PolyclinicVault

/// The notices to those who act for a child about what the clinic changes.
package protocol GuardianNotices: Sendable {
  /// Tells a guardian that the clinic has corrected the birth date of a child with this name.
  func tellCorrectedBirthDate(
    of child: String, to guardian: ID<Person>, in work: Work
  ) throws
}

/// The directory of people, with and without accounts, that modules use.
struct AccountDirectory: Portal.PeopleDirectory, HomeAddresses {
  let vault: Vault
  let keyStore: KeyStore
  /// The clinic's time zone, which decides the current date.
  let zone: Zone
  /// The language for accounts that have chosen none.
  var language = Language.english
  /// The ages at which a parent's rights change.
  var ages = GuardianshipAges()
  /// The titles of the enabled modules.
  var titles: [ModuleID: Text] = [:]
  /// The notices about corrections; nil in tests without them.
  var guardianNotices: (any GuardianNotices)?

  /// The words of the access log for a name and the details by which people are told apart.
  package static let viewedName = Text("access.viewed.name").spoken(by: "account")

  func name(in work: Work) throws -> String? {
    try Profile.name(by: work.keys, on: work)
  }

  func address(in work: Work) throws -> PostalAddress? {
    try Profile.find(in: work)?.address
  }

  func phone(in work: Work) throws -> String? {
    let phone = try Profile.find(in: work)?.phone ?? ""
    return phone.isEmpty ? nil : phone
  }

  func birthDate(in work: Work) throws -> CalendarDate? {
    try Profile.find(in: work)?.birthDate
  }

  func complete(birthDate: CalendarDate, in work: Work) throws {
    guard var profile = try Profile.find(in: work), profile.birthDate == nil else { return }
    if birthDate > LocalDateTime(work.now, in: zone).date {
      throw Refusal.invalid("birth_date", "error.future")
    }
    if birthDate.year < 1_900 { throw Refusal.invalid("birth_date", "error.birth-date") }
    profile.birthDate = birthDate
    try profile.save(by: work.keys, on: work)
  }

  func sex(in work: Work) throws -> String? { try Profile.find(in: work)?.knownSex }

  func listed(_ works: [ID<Person>: Work]) throws -> [ID<Person>: Portal.ListedPerson] {
    guard let connection = works.values.first else { return [:] }
    return try Profile.all(of: works.values.map { try $0.keys }, on: connection).mapValues {
      Portal.ListedPerson(
        name: $0.displayName, birthDate: $0.birthDate, sex: $0.knownSex, phone: $0.phone)
    }
  }

  func find(
    _ loginOrEmail: String, for reason: AccessReason, in work: Work
  ) throws -> ID<Person>? {
    try check(reason, in: work)
    return try Account.find(loginOrEmail, vault, on: work)?.person
  }

  func enter(
    _ newcomer: Portal.Newcomer, for reason: AccessReason, in work: Work
  ) throws -> Work {
    let visitor = try check(reason, in: work)
    let now = work.now
    try check(newcomer, at: now)
    let keys = try Account.insertPerson(Profile(newcomer), vault, in: work)
    try AuditEntry(.enter, by: .person(visitor.person), at: now, subject: keys.person)
      .insert(on: work)
    let entered = Text("access.entered").spoken(by: "account")
    let entrant = work.with(keys)
    try AccessLog.record(entered, for: reason, in: entrant)
    return entrant
  }

  /// Returns the visitor. Throws ``Refusal/forbidden`` for one without the reason's role.
  @discardableResult
  func check(_ reason: AccessReason, in work: Work) throws -> Visitor {
    let visitor = try work.signedIn()
    guard visitor.roles.contains(reason.role) else { throw Refusal.forbidden }
    return visitor
  }

  func members(
    having role: Role, in work: Work
  ) throws -> [Portal.NamedPerson] {
    let people = try Account.all(on: work)
      .filter { $0.state == .active && $0.roles.contains(role) }.map(\.person)
    let keys = try keyStore.keys(
      of: people, for: .administration, reading: Self.viewedName, in: work)
    return try Profile.all(of: keys.values, on: work).map {
      Portal.NamedPerson(person: $0, name: $1.displayName)
    }.sortedByName()
  }

  func hasMembers(having role: Role, in work: Work) throws -> Bool {
    try !Account.people(in: role, on: work).isEmpty
  }

  func acts(_ person: ID<Person>, as role: Role, in work: Work) throws -> Bool {
    guard let account = try Account.find(person, on: work) else { return false }
    return account.state == .active && account.roles.contains(role) && account.isGenuine(vault)
  }

  func languages(of people: [ID<Person>], in work: Work) throws -> [ID<Person>: Language] {
    try Account.languages(of: people, or: language, on: work)
  }
}

extension Profile {
  /// The sex if it is one that modules know.
  fileprivate var knownSex: String? { ["female", "male", "other"].contains(sex) ? sex : nil }

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
