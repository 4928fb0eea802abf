/// A signed-in person.
public struct Visitor: Sendable {
  /// The person's number.
  public let person: ID<Person>
  /// The name by which pages address the person.
  public let name: String
  /// The person's roles, which grant access beyond a patient's.
  public let roles: Set<Role>
  /// The role that the person has asked for and an administrator has not given yet; nil if there is
  /// none, and for a program.
  public let wantedRole: Role?

  /// The person for whom the visitor acts as a guardian, whose data the request is about; nil if it
  /// is about the visitor's own.
  package let inCare: PersonInCare?

  /// True for doctors, receptionists and administrators. They come to work and not as patients, so
  /// a card shows them no invitation to begin with something.
  public var isStaff: Bool { !roles.subtracting([.patient]).isEmpty }

  /// Creates a visitor with a valid session.
  public init(person: ID<Person>, name: String, roles: Set<Role>, wantedRole: Role? = nil) {
    self.init(person: person, name: name, roles: roles, wantedRole: wantedRole, inCare: nil)
  }

  private init(
    person: ID<Person>, name: String, roles: Set<Role>, wantedRole: Role?, inCare: PersonInCare?
  ) {
    self.person = person
    self.name = name
    self.roles = roles
    self.wantedRole = wantedRole
    self.inCare = inCare
  }

  /// Returns the visitor as the guardian of a person, with a patient's rights alone.
  package func acting(for inCare: PersonInCare) -> Visitor {
    Visitor(person: person, name: name, roles: [.patient], wantedRole: nil, inCare: inCare)
  }
}
