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
  /// The use of the route by guardians of a person in care.
  package let guardianAccess: GuardianAccess

  /// Creates a route that no module has, to prove that a check detects it.
  public init(
    path: String, access: Access, open: [Request.Method], methods: [Request.Method],
    guardianAccess: GuardianAccess = .records
  ) {
    self.path = path
    self.access = access
    self.open = open
    self.methods = methods
    self.guardianAccess = guardianAccess
  }

  /// Returns the scope that a guardian needs for a request with this method below the address of a
  /// person in care; nil if no scope suffices, because the route is for staff or not for guardians.
  /// A form is for those who may send it.
  package func guardianScope(for method: Request.Method) -> GuardianScope? {
    if case .role = access { return nil }
    return guardianAccess.scope(for: methods.contains(.post) ? .post : method)
  }
}

extension [DeclaredRoute] {
  /// Returns the routes of a path, which is not declared itself but has values of parameters. A
  /// literal path takes precedence over one with a parameter.
  func matching(_ path: some StringProtocol) -> [DeclaredRoute] {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    let found = filter { $0.matches(segments) }
    let fewest = found.map(\.parameterCount).min()
    return found.filter { $0.parameterCount == fewest }
  }
}

extension DeclaredRoute {
  fileprivate var parameterCount: Int { path.count { $0 == "{" } }

  fileprivate func matches(_ segments: [some StringProtocol]) -> Bool {
    let own = path.split(separator: "/", omittingEmptySubsequences: false)
    return own.count == segments.count
      && zip(own, segments).allSatisfy { own, segment in
        guard own.hasPrefix("{"), let end = own.firstIndex(of: "}") else { return own == segment }
        return segment.hasSuffix(own[own.index(after: end)...])
      }
  }
}
