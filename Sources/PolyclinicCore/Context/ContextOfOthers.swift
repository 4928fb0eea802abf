extension Context {
  /// Returns the work on the data of other people, who read in their access log for which reason
  /// `what` was read: a key of the module's own words without placeholders, such as `"log.diary"`
  /// for "Your diary".
  ///
  /// It must be called in a write transaction, which logs one entry for each person, reason, hour
  /// and thing that was read. People who do not exist are left out. Throws ``Refusal/signedOut``
  /// without a visitor, and ``Refusal/forbidden`` if the reason does not apply to the visitor for
  /// even one of them.
  public func of(
    _ people: [ID<Person>], for reason: AccessReason, reading what: Text
  ) throws -> [ID<Person>: Work] {
    try portal.keyHolder.keys(
      of: people, for: reason, reading: what.spoken(by: module), in: self
    ).mapValues(with)
  }

  /// Returns the people for whom the visitor can do what a page offers, the visitor first; none if
  /// the visitor acts for nobody else.
  ///
  /// It adds no entry to an access log, so show no more of a person than the frame does: the name.
  public func patients() throws -> [Portal.PatientChoice] { try admission.patients(in: self) }

  /// Returns the people who show the visitor their records of this module now, sorted by name, for
  /// a doctor's list of them.
  ///
  /// Each has named the visitor, so that their access log has no entry for a name in that list.
  /// ``Context/of(_:for:reading:)`` opens their records with ``AccessReason/consent``.
  public func sharedWithMe() throws -> [Portal.NamedPerson] {
    try portal.keyHolder.peopleSharing(module, in: self)
  }

  /// Logs a change of other people's data, such as `"log.cancelled"`, in their access log.
  ///
  /// Each change is a separate entry in the module's words, and the values of its placeholders are
  /// encrypted. A change of the visitor's own data is not logged.
  ///
  /// It must be called in the transaction of the change and before it, because the change may end
  /// the permission for it. Throws ``Refusal/forbidden`` under the conditions of
  /// ``Context/of(_:for:reading:)``.
  public func recordChange(
    _ change: Text, of people: [ID<Person>], for reason: AccessReason
  ) throws {
    try portal.keyHolder.recordChange(
      change.spoken(by: module), of: people, for: reason, in: self)
  }
}
