/// Who signed in.
public struct Visitor: Sendable {
  /// The person's number.
  public let person: ID<Person>
  /// How the person is addressed.
  public let name: String
  /// What the person may do beyond being a patient.
  public let roles: Set<Role>

  /// Somebody whose session was found.
  public init(person: ID<Person>, name: String, roles: Set<Role>) {
    self.person = person
    self.name = name
    self.roles = roles
  }
}
