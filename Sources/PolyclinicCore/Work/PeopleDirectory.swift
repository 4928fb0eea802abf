/// Who the people of the portal are, for modules that work for others than the visitor.
///
/// All of it is to be called in a `write`, but for what takes ``Keys``: what is done is recorded in
/// its transaction.
public protocol PeopleDirectory: Sendable {
  /// The name of the person with these keys; nil without a profile.
  func name(by keys: Keys, on connection: Connection) throws -> String?

  /// The address of the person with these keys; nil without a profile.
  func address(by keys: Keys, on connection: Connection) throws -> PostalAddress?

  /// The telephone number of the person with these keys; nil if never given.
  func phone(by keys: Keys, on connection: Connection) throws -> String?

  /// When the person was born whose keys these are; nil where that was never said.
  func birthDate(by keys: Keys, on connection: Connection) throws -> CalendarDate?

  /// The person whose login or e-mail this is, whole; nil when nobody's, or when an e-mail serves
  /// several. Tells nothing of the person but that there is one: the keys have to be asked for.
  ///
  /// Throws ``Refusal/forbidden`` for a visitor without the reason's role.
  func find(
    _ loginOrEmail: String, for reason: AccessReason, asking visitor: Visitor,
    on connection: Connection
  ) throws -> ID<Person>?

  /// Makes a person without an account, such as a patient who has come to the desk, and returns the
  /// person's keys. It stands in the audit, and in the person's access log.
  ///
  /// Throws ``Refusal/forbidden`` for a visitor without the reason's role, and
  /// ``Refusal/invalid(_:_:)`` for `name` when it is blank, and for `birth_date` when it is to come.
  func enter(
    _ newcomer: Newcomer, for reason: AccessReason, by visitor: Visitor, on connection: Connection
  ) throws -> Keys

  /// Those with this role whose accounts are active, by name: for an administrator who chooses one.
  /// Each reads of it in the access log.
  ///
  /// Throws ``Refusal/forbidden`` unless the visitor is an administrator.
  func members(
    having role: Role, asking visitor: Visitor, on connection: Connection
  ) throws -> [NamedPerson]

  /// Whether somebody can act in a role: has it, and an account that is active.
  func acts(_ person: ID<Person>, as role: Role, on connection: Connection) throws -> Bool

  /// The language the person chose; nil without an account.
  func language(of person: ID<Person>, on connection: Connection) throws -> Language?
}

/// Somebody by number and name.
public struct NamedPerson: Sendable, Hashable {
  /// The person's number.
  public let person: ID<Person>
  /// The person's name.
  public let name: String

  /// A person of this name.
  public init(person: ID<Person>, name: String) {
    self.person = person
    self.name = name
  }
}

/// Somebody who gets no account: what is told at the desk.
public struct Newcomer: Sendable, Equatable {
  /// The given name.
  public var name = ""
  /// The family name; may be empty.
  public var surname = ""
  /// As it was told; may be empty.
  public var phone = ""
  /// The day of birth, where it was told.
  public var birthDate: CalendarDate?

  /// Somebody of whom nothing is known yet.
  public init() {}
}
