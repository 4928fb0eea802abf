/// A module's reaction to a person's loss of a role or the suspension of the account.
///
/// For example, patients must not be sent to a doctor who cannot sign in. It runs in the
/// transaction of that change, even while the module is disabled. Its effects remain if the role is
/// given back.
public struct Withdrawal: Sendable {
  /// Returns a warning for an administrator who is about to suspend the account; nil if there are
  /// no effects.
  public typealias Warning = @Sendable (ID<Person>, Instant, Connection) throws -> Text?
  /// Applies the effects.
  public typealias Body = @Sendable (ID<Person>, Instant, Connection) throws -> Void

  /// The role that the person loses.
  public let role: Role
  /// Describes the effects in advance.
  public let warning: Warning
  /// Applies the effects.
  public let body: Body

  /// Creates the reaction to the loss of a role.
  public init(
    of role: Role, warning: @escaping Warning = { _, _, _ in nil }, body: @escaping Body
  ) {
    self.role = role
    self.warning = warning
    self.body = body
  }
}
