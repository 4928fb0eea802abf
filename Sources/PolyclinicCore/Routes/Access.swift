/// The visitors who may use a route.
public enum Access: Sendable, Equatable {
  /// All visitors, signed in or not.
  case everyone
  /// All visitors if the module's boolean setting with this name is true; otherwise signed-in
  /// users.
  case everyoneWhere(String)
  /// All signed-in users.
  case signedIn
  /// Users with this role.
  case role(Role)

  /// Returns true if a module with these settings requires no sign-in.
  package func isOpen(under settings: Portal.Settings) -> Bool {
    switch self {
    case .everyone: true
    case .everyoneWhere(let key): settings[key] == .boolean(true)
    case .signedIn, .role: false
    }
  }

  /// Returns true if this signed-in user has access.
  public func includes(_ visitor: Visitor) -> Bool {
    switch self {
    case .everyone, .everyoneWhere, .signedIn: true
    case .role(let role): visitor.roles.contains(role)
    }
  }
}
