import PolyclinicCore

/// A route declared by a module, with its full path.
public struct DeclaredRoute: Sendable {
  /// The route's path, such as `/contacts/{id}`.
  public let path: String
  /// The permission that the route requires.
  public let access: Access
  /// The HTTP methods that require no sign-in under the module's settings.
  public let open: [Request.Method]
  /// The HTTP methods of the route.
  public let methods: [Request.Method]

  /// Creates a route that no module has, to prove that a check detects it.
  public init(path: String, access: Access, open: [Request.Method], methods: [Request.Method]) {
    self.path = path
    self.access = access
    self.open = open
    self.methods = methods
  }
}
