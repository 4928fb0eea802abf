/// A module's reaction to a person's loss of a role or the suspension of the account.
///
/// For example, patients must not be sent to a doctor who cannot sign in. It runs in the
/// transaction of that change, even while the module is disabled. Its effects remain if the role is
/// given back.
public struct Withdrawal: Sendable {
  /// Returns a warning for an administrator who is about to suspend the account; nil if there are
  /// no effects.
  public typealias Warning = @Sendable (ID<Person>, Work) throws -> Text?
  /// Returns the effects that stay although the person has the role and an active account, for the
  /// administrator's page of the person: a sentence, and a link to the page that reverses them.
  /// Returns nil if there are none.
  public typealias Remainder =
    @Sendable (ID<Person>, Work) throws -> (notice: Text, label: Text, page: Path)?
  /// Applies the effects.
  public typealias Body = @Sendable (ID<Person>, Work) throws -> Void

  /// The role that the person loses.
  public let role: Role
  /// Describes the effects in advance.
  public let warning: Warning
  /// Describes the effects that stay after the role or the account was given back.
  public let remainder: Remainder
  /// Applies the effects.
  public let body: Body

  /// Creates the reaction to the loss of a role.
  public init(
    of role: Role, warning: @escaping Warning = { _, _ in nil },
    remainder: @escaping Remainder = { _, _ in nil }, body: @escaping Body
  ) {
    self.role = role
    self.warning = warning
    self.remainder = remainder
    self.body = body
  }
}
