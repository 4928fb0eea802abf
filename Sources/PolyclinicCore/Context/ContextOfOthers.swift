extension Context {
  /// Returns the work on the data of other people, who read the reason in their access log.
  ///
  /// It must be called in a write transaction, which logs one entry for each person, reason and
  /// hour. People who do not exist are left out. Throws ``Refusal/signedOut`` without a visitor,
  /// and ``Refusal/forbidden`` if the reason does not apply to the visitor for even one of them.
  public func of(
    _ people: [ID<Person>], for reason: AccessReason
  ) throws -> [ID<Person>: Work] {
    try portal.keyHolder.keys(of: people, for: reason, in: self).mapValues(with)
  }

  /// Logs a change of other people's data, such as `"log.cancelled"`, in their access log.
  ///
  /// Each change is a separate entry in the module's words, and the values of its placeholders are
  /// encrypted. A change of the visitor's own data is not logged.
  ///
  /// It must be called in the transaction of the change and before it, because the change may end
  /// the permission for it. Throws ``Refusal/forbidden`` under the conditions of
  /// ``Context/of(_:for:)``.
  public func recordChange(
    _ change: Text, of people: [ID<Person>], for reason: AccessReason
  ) throws {
    try portal.keyHolder.recordChange(
      change.spoken(by: module), of: people, for: reason, in: self)
  }
}
