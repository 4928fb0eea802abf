extension Context {
  /// Returns the keys of other people, who read the reason in their access log.
  ///
  /// See ``Portal/keys(of:for:asking:on:)``. Throws ``Refusal/signedOut`` if the visitor has not
  /// signed in.
  public func keys(
    of people: [ID<Person>], for reason: AccessReason, on connection: Connection
  ) throws -> [ID<Person>: Keys] {
    try portal.keys(of: people, for: reason, asking: signedIn(), on: connection)
  }

  /// Logs a change of other people's data, such as `"log.cancelled"`, in their access log.
  ///
  /// Each change is a separate entry in the module's words, and the values of its placeholders are
  /// encrypted. A change of the visitor's own data is not logged.
  ///
  /// It must be called in the transaction of the change and before it, because the change may end
  /// the permission for it. Throws ``Refusal/forbidden`` under the conditions of
  /// ``keys(of:for:on:)``.
  public func recordChange(
    _ change: Text, of people: [ID<Person>], for reason: AccessReason, on connection: Connection
  ) throws {
    try portal.keyHolder.recordChange(
      change.spoken(by: module), of: people, for: reason, by: signedIn(), at: now, on: connection)
  }
}
