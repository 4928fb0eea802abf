import PolyclinicCore

/// A route as its module has declared it, with its whole path.
public struct DeclaredRoute: Sendable {
  /// Where it stands, such as `/contacts/{id}`.
  public let path: String
  /// Who may use it.
  public let access: Access
  /// True where nobody has to sign in, under the module's settings.
  public let isOpen: Bool
  /// The methods that it answers.
  public let methods: [Request.Method]

  /// A route that no module has, to prove that a check finds it.
  public init(path: String, access: Access, isOpen: Bool, methods: [Request.Method]) {
    self.path = path
    self.access = access
    self.isOpen = isOpen
    self.methods = methods
  }
}
