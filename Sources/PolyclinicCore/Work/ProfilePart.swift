/// A part of registration and profile that a module adds, such as the choice of one's clinic.
public protocol ProfilePart: Sendable {
  associatedtype Draft: Sendable
  /// Its heading.
  var title: Text { get }
  var form: Form<Draft> { get }
  /// What the person has said so far; the form's blank draft for a new one.
  func load(by keys: Keys, on connection: Connection) throws -> Draft
  /// Keeps what the person said, in the transaction of the whole profile.
  func save(_ draft: Draft, by keys: Keys, on connection: Connection) throws
}
