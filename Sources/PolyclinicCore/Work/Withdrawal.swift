/// What a module does when somebody can no longer act in a role, since it was taken away or the account
/// was suspended: nobody is to be sent to a doctor who cannot sign in, say.
///
/// Runs in the transaction of that change, also while the module is switched off. What it does stays when
/// the role is given back.
public struct Withdrawal: Sendable {
  /// Says what follows, before it is done, to an administrator who is about to suspend the account; nil
  /// where nothing follows.
  public typealias Warning = @Sendable (ID<Person>, Instant, Connection) throws -> Text?
  /// Does what follows.
  public typealias Body = @Sendable (ID<Person>, Instant, Connection) throws -> Void

  /// The role that somebody loses.
  public let role: Role
  /// What is said before.
  public let warning: Warning
  /// What is done.
  public let body: Body

  /// What follows when somebody loses a role.
  public init(
    of role: Role, warning: @escaping Warning = { _, _, _ in nil }, body: @escaping Body
  ) {
    self.role = role
    self.warning = warning
    self.body = body
  }
}
